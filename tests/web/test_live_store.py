"""Live games survive: a restart, a kill, being dropped from memory."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.play.clock import Clock
from papan.play.table import GameInPlay, Termination
from papan.records.store import Store
from papan.usercode import registry
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from papan.web.play import live_store
from papan.web.play.live_game import LiveGame, Seat
from papan.web.play.live_games import LiveGames
from papan.web.play.live_store import LiveStore, from_text, to_text
from support import wait_until
from web_visitors import ADDRESS, Visitor, plies_of


def played() -> LiveGame:
    """A game under way."""
    seats = {"x": Seat("Ani ☺", session="a"), "o": Seat("Bot", player="random")}
    game = "adjacency:size=4"
    table = GameInPlay(registry.game(game).start(), clock=Clock(60, 1))
    live = LiveGame("r", "link", game, "a", seats, table, token="t", seed=7)
    live.play("a", "b3", 1000.0)
    live.make("c2", 1003.5)
    live.show_values({"source": "solver", "moves": [{"move": "a1", "value": 3}]})
    return live


def test_a_game_is_read_as_it_was_written() -> None:
    live = played()
    again = from_text(to_text(live))
    assert again == live
    assert again.values == live.values != {}
    assert str(again.position) == str(live.position)


def test_a_repetition_is_still_one_after_it_was_read() -> None:
    seats = {"x": Seat("A", session="a"), "o": Seat("B", session="a")}
    table = GameInPlay(registry.game("corners").start())
    live = LiveGame("r", "shared", "corners", "a", seats, table)
    live.play("a", "f3f4", 0.0)
    assert from_text(to_text(live)).position.past == live.position.past


#: A game as servers wrote it before games in play were one object everywhere.
OLD = """
{"id": "q", "kind": "shared", "game": "adjacency:size=4", "owner": "a", "seats": {"x": {"name":
"Ani", "player": "", "session": "a"}, "o": {"name": "Budi", "player": "", "session": "a"}},
"start": "", "moves": ["b3", "c2"], "seconds": [0.0, 3.5], "clock": {"initial": 60, "increment": 1,
"left": {"x": 60, "o": 57.5}, "since": null}, "result": "x", "termination": "resignation",
"offer": "", "declined": true, "hint": "", "token": "", "seed": 7, "next": "", "began": 1003.5,
"version": 5}
"""


def test_a_game_that_an_older_server_has_written_is_read_as_it_was() -> None:
    live = from_text(OLD)
    assert (live.moves, live.table.result) == (["b3", "c2"], "x")
    assert live.table.termination is Termination.RESIGNATION
    assert live.table.clock == Clock(60, 1, {"x": 60, "o": 57.5})
    assert json.loads(OLD).items() <= json.loads(to_text(live)).items()
    assert (live.request, live.hints, live.pace, live.values) == ("", False, "steady", {})


def test_games_that_change_together_are_all_written(tmp_path: Path) -> None:
    async def work() -> list[str]:
        live_store = LiveStore(str(tmp_path / "games.sqlite"))
        games = [replace(played(), id=f"r{number}") for number in range(50)]
        await asyncio.gather(*(live_store.save(live) for live in games))
        found = [await live_store.load(live.id) for live in games]
        live_store.close()
        return [live.id for live in found if live is not None]

    assert asyncio.run(work()) == [f"r{number}" for number in range(50)]


def test_the_newest_of_two_saves_is_kept(tmp_path: Path) -> None:
    async def work() -> list[str]:
        live_store = LiveStore(str(tmp_path / "games.sqlite"))
        live = played()
        first = asyncio.create_task(live_store.save(live))
        await asyncio.sleep(0)
        live.play("a", "a4", 1010.0)
        await asyncio.gather(first, live_store.save(live))
        found = await live_store.load("r")
        live_store.close()
        assert found is not None
        return found.moves

    assert asyncio.run(work()) == ["b3", "c2", "a4"]


def test_games_that_nobody_touches_are_forgotten_in_the_end(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]  # pytest's
    async def work() -> tuple[object, object]:
        live_store = LiveStore(str(tmp_path / "games.sqlite"))
        await live_store.save(played())
        await live_store.forget_old()
        before = await live_store.load("r")
        monkeypatch.setattr("papan.web.play.live_store.FORGOTTEN", -10)
        await live_store.forget_old()
        after = await live_store.load("r")
        live_store.close()
        return before, after

    before, after = asyncio.run(work())
    assert before is not None
    assert after is None


def fresh(settings: ServerSettings, tmp_path: Path) -> ServerSettings:
    """The same server with a database of its own."""
    return replace(settings, database=str(tmp_path / "games.sqlite"), folder=tmp_path)


def test_a_game_goes_on_after_a_restart_for_the_same_browser(
    settings: ServerSettings, tmp_path: Path
) -> None:
    own = fresh(settings, tmp_path)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        path = ani.begin("shared")
        ani.play(path, "c4", "d4")
        cookies = ani.client.cookies
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        again = Visitor(server)
        again.client.cookies = cookies
        assert plies_of(again.get(path).text) == 2
        assert plies_of(again.play(path, "e4").text) == 3


@pytest.mark.thorough
def test_values_that_were_asked_for_are_still_shown_after_a_restart(
    settings: ServerSettings, tmp_path: Path
) -> None:
    own = fresh(settings, tmp_path)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        path = ani.begin("shared", game="platforms")
        ani.post(f"{path}/hints")
        assert "3 of 3 moves are proven" in ani.post(f"{path}/values", fragment=True).text
        cookies = ani.client.cookies
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        again = Visitor(server)
        again.client.cookies = cookies
        assert "3 of 3 moves are proven" in again.get(path).text
        asked = again.get(f"/api{path.replace('/game/', '/live/')}/values")
        assert [move["outcome"] for move in asked.json()["moves"]] == ["loss", "loss", "win"]


def test_memory_holds_a_bounded_number_of_games(settings: ServerSettings, tmp_path: Path) -> None:
    own = replace(fresh(settings, tmp_path), games_in_memory=3)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        paths = [ani.begin("shared") for _ in range(8)]
        for path in paths:
            ani.play(path, "c4")
        live_games = Visitor(server).service(LiveGames)
        assert live_games.held <= 3
        assert [plies_of(ani.get(path).text) for path in paths] == [1] * 8


def test_a_finished_game_is_among_the_records(settings: ServerSettings, tmp_path: Path) -> None:
    own = fresh(settings, tmp_path)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        path = ani.begin("shared", size="4", rounds="2")
        ani.play(path, "b3", "c2", "a4", "d1")
    with Store(own.database) as store:
        record = store.get(path.rpartition("/")[2])
    assert record is not None
    assert (record.x, record.o, record.moves) == ("Ani", "Budi", ("b3", "c2", "a4", "d1"))
    assert len(record.replay()) == 5


KILLED = """
import asyncio, os, signal, sys
sys.path[:0] = {path!r}
from web.test_live_store import played
from papan.web.play.live_store import LiveStore
async def work():
    live_store = LiveStore({where!r})
    live = played()
    await live_store.save(live)
    live.play("a", "a4", 1010.0)
    await live_store.save(live)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(work())
"""


def test_what_was_saved_survives_a_kill(tmp_path: Path) -> None:
    where = str(tmp_path / "games.sqlite")
    here = str(Path(__file__).parent.parent)
    code = KILLED.format(path=[here], where=where)
    done = subprocess.run([sys.executable, "-c", code], env=dict(os.environ), check=False)
    assert done.returncode == -signal.SIGKILL

    async def read() -> LiveGame | None:
        live_store = LiveStore(where)
        found = await live_store.load("r")
        live_store.close()
        return found

    found = asyncio.run(read())
    assert found is not None
    assert found.moves == ["b3", "c2", "a4"]


def refuse(settings: ServerSettings) -> None:
    """Makes the database refuse whatever is written, like one on a full disk."""
    with sqlite3.connect(str(settings.database)) as database:
        for table, what in (("live", "INSERT"), ("live", "DELETE"), ("games", "INSERT")):
            database.execute(
                f"CREATE TRIGGER full_{table}_{what} BEFORE {what} ON papan_{table} "
                "BEGIN SELECT RAISE(FAIL, 'disk full'); END"
            )


def relent(settings: ServerSettings) -> None:
    """Lets the database be written again."""
    with sqlite3.connect(str(settings.database)) as database:
        for name in ("live_INSERT", "live_DELETE", "games_INSERT"):
            database.execute(f"DROP TRIGGER full_{name}")


@pytest.mark.thorough
def test_games_go_on_in_memory_while_the_store_cannot_be_written(
    settings: ServerSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_store, "RETRY", 0.05)
    own = replace(fresh(settings, tmp_path), games_in_memory=1)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        before = ani.begin("shared", size="4", rounds="2")
        assert "is only in memory" not in ani.play(before, "b3").text
        refuse(own)
        answer = ani.play(before, "c2")
        assert (answer.status_code, plies_of(answer.text)) == (200, 2)
        assert "is only in memory" in answer.text
        after = ani.begin("shared", size="4", rounds="2")
        ani.play(after, "b3", "c2", "a4", "d1")
        for path in (before, after):
            page = ani.get(path)
            assert (page.status_code, "is only in memory" in page.text) == (200, True)
            state = ani.get(f"/api/live{path.removeprefix('/game')}").json()
            assert state["saved"] is False
        assert plies_of(ani.get(after).text) == 4
        relent(own)
        wait_until(lambda: "is only in memory" not in ani.get(after).text)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        again = Visitor(server)
        assert [plies_of(again.get(path).text) for path in (before, after)] == [2, 4]
    with Store(own.database) as store:
        assert store.get(after.rpartition("/")[2]) is not None


@pytest.mark.thorough
def test_no_new_games_are_begun_when_too_many_are_in_memory_only(
    settings: ServerSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_store, "MOST_UNSAVED", 2)
    own = fresh(settings, tmp_path)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        refuse(own)
        ani = Visitor(server)
        paths = [ani.begin("shared") for _ in range(2)]
        form = {"game": "adjacency", "name": "Ani", "other": "Budi"}
        refused = ani.post("/new/shared", **form)
        assert refused.status_code == 400
        assert "no new games" in refused.text
        assert [plies_of(ani.play(path, "c4").text) for path in paths] == [1, 1]


@pytest.mark.thorough
def test_a_server_starts_with_a_store_that_cannot_be_written(
    settings: ServerSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = fresh(settings, tmp_path)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        Visitor(server).begin("shared")
    refuse(own)
    monkeypatch.setattr(live_store, "FORGOTTEN", -10)
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        assert "is only in memory" in ani.get(ani.begin("shared")).text
