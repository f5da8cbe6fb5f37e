"""Tournaments in the browser: started, played in the background, watched, stopped, gone on with."""

import asyncio
import json
import queue
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.arena.pairs import Pair
from papan.errors import PapanError
from papan.records.store import Store
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from papan.web.http.subscriptions import Subscriptions
from papan.web.tournaments import tournament_worker, tournaments
from papan.web.tournaments.tournament_worker import BoardUpdate, Closed, TournamentWorker
from papan.web.tournaments.tournaments import HostedTournament, Tournaments, plan_of
from support import PATIENCE, wait_until
from web_visitors import ADDRESS, Visitor, fields_of

SMALL = "adjacency:size=4,rounds=2"
FORM = fields_of({"game": "adjacency", "size": "4", "rounds": "2", "pairs": "1", "seconds": "0.1"})
TICKED = {"player-beginner": "1", "player-medium": "1"}
#: A tournament that does not end while it is looked at.
LONG = {
    "game": "corners",
    "option.size": "",
    "option.rounds": "",
    "pairs": "5",
    "seconds": "1",
    "player-engine": "1",
    "player-mcts": "1",
}

#: How a row of the list of games begins.
LISTED = '<tr><th scope="row"><a href="/records/'


def until_over(visitor: Visitor, path: str) -> str:
    """The page of a tournament once it is over."""

    def page() -> str:
        text: str = visitor.get(path).text
        return text if "Finished." in text or "Stopped." in text else ""

    return wait_until(page)


def begin(visitor: Visitor, **fields: str) -> str:
    """Starts a tournament; returns the path of its page."""
    answer = visitor.post("/tournament", **{**FORM, **fields})
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    return path


def test_a_tournament_is_played_to_its_end_and_its_games_are_kept(ani: Visitor) -> None:
    path = begin(ani, **TICKED, specs="first")
    page = until_over(ani, path)
    assert "6 of 6 games" in page
    assert page.count(LISTED) == 6
    assert "Ratings with 95 % intervals" in page
    link = re.search(r'href="(/records/[\w-]+)"', page)
    assert link and ani.get(link[1]).status_code == 200
    assert ani.get("/tournament").text.count(path) == 1


def test_only_whoever_started_a_tournament_can_stop_it(ani: Visitor, budi: Visitor) -> None:
    path = begin(ani, **LONG)
    budi.get("/")
    assert budi.post(f"{path}/stop").status_code == 400
    assert "Stop the tournament" in ani.get(path).text
    assert "Stop the tournament" not in budi.get(path).text
    assert ani.post(f"{path}/stop").status_code == 303
    assert "Stopped." in ani.get(path).text
    assert ani.post(f"{path}/stop").status_code == 400


def test_the_game_on_the_board_is_pushed(ani: Visitor) -> None:
    path = begin(ani, **TICKED, pairs="20", specs="engine:depth=4")
    ani.get(path)
    address = f"{ADDRESS.replace('http', 'ws')}{path}/live"
    with ani.client.websocket_connect(address, headers={"origin": ADDRESS}) as socket:
        page = ""
        while '<div class="picture">' not in page:
            page = socket.receive_text()
    ani.post(f"{path}/stop")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"player-beginner": "1"},
        {**TICKED, "pairs": "0"},
        {**TICKED, "pairs": "21"},
        {**TICKED, "pairs": "many"},
        {**TICKED, "seconds": "3600"},
        {**TICKED, "format": "league"},
        {**TICKED, "specs": "ugi:./bot"},
        {**TICKED, "specs": "python:/tmp/bot.py"},
        {**TICKED, "specs": "engine:threads=64"},
        {**TICKED, "specs": "nobody"},
        {**TICKED, "specs": "\n".join(f"minimax:depth={n}" for n in range(1, 9))},
        {"player-/etc/passwd": "1", "player-medium": "1"},
    ],
)
def test_a_form_that_makes_no_sense_is_explained_and_starts_nothing(
    ani: Visitor, fields: dict[str, str]
) -> None:
    answer = ani.post("/tournament", **{**FORM, **fields})
    assert answer.status_code == 400
    assert 'class="problem" role="alert">' in answer.text


def test_a_tournament_that_is_not_there_is_not_found(ani: Visitor) -> None:
    assert ani.get("/tournament/none").status_code == 404
    assert ani.post("/tournament/none/stop").status_code == 400


def test_one_browser_cannot_fill_the_queue(ani: Visitor) -> None:
    ani.get("/")
    paths = [begin(ani, **TICKED, pairs="20", specs="engine:depth=4") for _ in range(2)]
    assert ani.post("/tournament", **FORM, **TICKED).status_code == 400
    for path in paths:
        ani.post(f"{path}/stop")


# --- a restart of the server ---------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> ServerSettings:
    return ServerSettings(
        processes=1,
        database=str(tmp_path / "games.sqlite"),
        folder=tmp_path,
        warm=False,
        language="en",
    )


@pytest.mark.thorough
def test_a_tournament_goes_on_after_a_restart_and_plays_no_game_twice(
    place: ServerSettings,
) -> None:
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        ani = Visitor(client)
        path = begin(ani, **TICKED, pairs="8", specs="engine:depth=2")
        wait_until(lambda: LISTED in ani.get(path).text)
    with Store(place.database) as store:
        before = store.count()
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        page = until_over(Visitor(client), path)
    assert "48 of 48 games" in page
    with Store(place.database) as store:
        rounds = [record.round for record in store.find()]
    assert 0 < before <= 48
    assert sorted(rounds) == list(range(1, 49))


@pytest.mark.thorough
def test_a_finished_tournament_still_has_its_tables_after_a_restart(place: ServerSettings) -> None:
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        path = begin(Visitor(client), **TICKED)
        until_over(Visitor(client), path)
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        assert "2 of 2 games" in Visitor(client).get(path).text


def test_a_damaged_file_of_tournaments_is_passed_over(place: ServerSettings) -> None:
    good = HostedTournament("id", "me", _plan(), 0.1, tournaments.DONE).as_entry()
    file = place.folder / "web-tournaments.json"

    async def known() -> int:
        with Store(place.database) as store:
            found = Tournaments(store, Subscriptions(), place.folder)
            await found.start()
            count = len(found.all())
            await found.close()
            return count

    for text, count in (("{", 0), ("{}", 0), (json.dumps([good, {"id": 1}, {}]), 1)):
        file.write_text(text, encoding="utf-8")
        assert asyncio.run(known()) == count


@pytest.mark.thorough
def test_tournaments_go_on_in_memory_where_their_file_cannot_be_written(
    place: ServerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    # A folder in its place: nobody can write that, the superuser neither.
    (place.folder / "web-tournaments.json").mkdir()
    with TestClient(create_app(place), base_url=ADDRESS) as client:
        visitor = Visitor(client)
        path = begin(visitor, **TICKED)
        until_over(visitor, path)
        page = visitor.get(path).text
    assert "2 of 2 games" in page and "is only in memory" in page
    assert caplog.text.count("tournaments are kept in memory only") == 1
    assert [file.name for file in place.folder.glob("web-tournaments*")] == ["web-tournaments.json"]


def _plan(pairs: int = 1) -> tournaments.Tournament:
    return plan_of(
        SMALL, ("beginner", "medium"), format="round-robin", pairs=pairs, seconds=0.1, seed=1
    )


# --- the worker, without a server ----------------------------------------------------------------


def test_a_pair_is_played_as_the_arena_plays_it() -> None:
    pair = Pair("event", 0, SMALL, "first", "random", seed=3)
    seen: list[BoardUpdate] = []
    mine = tournament_worker.play(pair, seen.append)
    assert mine == tuple(pair.play())
    assert [board.moves for board in seen if board.round == 1][-1] == mine[0].moves
    assert {(board.x, board.o) for board in seen} == {("first", "random"), ("random", "first")}


def test_a_worker_replays_nothing_and_hands_on_what_went_wrong() -> None:
    hall = TournamentWorker(lambda board: None)
    try:
        assert (
            len(
                hall.submit(tournament_worker.play, Pair("e", 0, SMALL, "first", "first")).result(
                    60
                )
            )
            == 2
        )
        wrong = hall.submit(tournament_worker.play, Pair("e", 0, SMALL, "nobody", "first"))
        with pytest.raises(PapanError, match="nobody"):
            wrong.result(PATIENCE)
    finally:
        hall.shutdown()
    with pytest.raises(Closed):
        hall.submit(tournament_worker.play)


def test_a_closed_worker_ends_in_the_middle_of_a_game() -> None:
    begun: queue.Queue[BoardUpdate] = queue.Queue()
    hall = TournamentWorker(begun.put)
    slow = hall.submit(
        tournament_worker.play, Pair("e", 0, "corners", "engine:time=60", "engine:time=60")
    )
    begun.get(timeout=PATIENCE)
    hall.shutdown()
    with pytest.raises(Closed):
        slow.result(PATIENCE)


def test_who_may_stop_a_tournament_is_pushed_the_button_and_nobody_else(
    ani: Visitor, budi: Visitor
) -> None:
    path = begin(ani, **LONG)
    budi.get("/")
    address = f"{ADDRESS.replace('http', 'ws')}{path}/live"
    for visitor, mine in ((ani, True), (budi, False), (ani, True)):
        headers = {"origin": ADDRESS}
        with visitor.client.websocket_connect(address, headers=headers) as socket:
            assert ("Stop the tournament" in socket.receive_text()) == mine
    ani.post(f"{path}/stop")
