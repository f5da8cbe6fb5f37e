"""What visitors see: names, and never the commands, paths and keys behind them.

A mark stands in every spec, path and environment variable of a server and of its records. All pages
that links lead to and all of the API are asked for, also where something goes wrong.
"""

import html
import logging
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from papan.arena.event import Tournament
from papan.arena.measure import Match
from papan.errors import InvalidGame, PapanError, PlayerCrash, UsageError
from papan.records.model import Record
from papan.records.store import Store
from papan.search.limits import Limit
from papan.web.app import create_app
from papan.web.http import allowed
from papan.web.http.allowed import Public
from papan.web.http.settings import ServerSettings
from web_visitors import ADDRESS, Visitor

MARK = "MARKED"
BOT, COMMAND = f"python:/{MARK}/my bot.py", f"ugi:./{MARK} --key {MARK}"
FOREIGN = f"/{MARK} folder/game.py:size=4"

#: Pages that are asked for at the most.
MOST_PAGES = 400

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> ServerSettings:
    """A server with games, players and a store whose places bear the mark."""
    folder: Path = tmp_path_factory.mktemp("public") / MARK
    folder.mkdir()
    shutil.copy(EXAMPLES / "tictactoe.py", folder / f"{MARK}.py")
    shutil.copy(EXAMPLES / "short_adjacency.py", folder / f"{MARK}short.py")
    return ServerSettings(
        processes=1,
        database=str(folder / "games.sqlite"),
        folder=folder,
        games={
            "Noughts": str(folder / f"{MARK}.py"),
            "Short": str(folder / f"{MARK}short.py"),
        },
        players={"the house's": BOT, "the guest": COMMAND},
        language="en",
        actions_a_second=1000,
        actions_at_once=1000,
        warm=False,
    )


def kept(settings: ServerSettings) -> Iterator[Record]:
    """Games as the command line keeps them."""
    own, limit = settings.games["Noughts"], Limit(seconds=1)
    match = Match(own, BOT, f"ugi:/{MARK}/other", 2, limit)
    tournament = Tournament(FOREIGN, (BOT, COMMAND), "round-robin", 1, limit)
    moves = ("a1", "b1", "a2", "b2", "a3")
    record = Record(own, BOT, f"ugi:/{MARK}/other", moves, "x", detail=f"/{MARK}: no")
    for event in (match.event, tournament.event, f"my /{MARK}/event", ""):
        yield replace(record, event=event, round=1)
    yield replace(record, game=FOREIGN, moves=(), result="*", x="Ani", o="Budi")
    yield replace(record, x="Ani", o="Budi", result="o", termination="crash", moves=())
    yield replace(record, given=f"/{MARK}/x.py", termination="illegal move", result="o")


@pytest.fixture(scope="module")
def visitor(settings: ServerSettings) -> Iterator[Visitor]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PAPAN_STORE", "PAPAN_SECRET", "API_KEY"):
            patch.setenv(name, f"/{MARK}/{name}")
        with Store(str(settings.database)) as store:
            store.add_all(replace(record, id=f"id{n}") for n, record in enumerate(kept(settings)))
        with TestClient(create_app(settings), base_url=ADDRESS) as client:
            yield Visitor(client)


def links(text: str) -> set[str]:
    """Where a page leads to."""
    found = re.findall(r'(?:href|src|action|data-address|data-live)="(/[^"#]*)', text)
    return {html.unescape(address) for address in found}


def seen(answer: Any) -> str:
    """All that a browser gets to see."""
    return "".join(f"{name}: {value}\n" for name, value in answer.headers.items()) + answer.text


@pytest.mark.thorough
def test_no_page_has_a_command_a_path_or_a_key(visitor: Visitor) -> None:
    game = visitor.begin("solo", game="Noughts", opponent="named:the house's")
    watched = visitor.begin("watch", game="Short", x="named:the guest", o="named:the house's")
    form = {"game": "Noughts", "player-named:the guest": "on", "player-easy": "on", "pairs": "1"}
    contest = visitor.post("/tournament", **form).headers["location"]
    waiting = ["/", game, watched, contest, "/analysis?game=Noughts", "/teach?game=Short&depth=1"]
    asked: set[str] = set()
    while waiting and len(asked) < MOST_PAGES:
        address = waiting.pop(0)
        if address in asked or address.startswith(("/static", "/warmup")):
            continue
        asked.add(address)
        answer = visitor.get(address)
        where = seen(answer).find(MARK)
        assert where < 0, (address, seen(answer)[max(0, where - 200) : where + 50])
        assert answer.status_code < 500, address
        waiting += sorted(links(answer.text))
    for page in ("/records/id0", "/records/id5.json", "/records.txt", "/rules/Noughts"):
        assert page in asked or MARK not in seen(visitor.get(page))
    assert len(asked) > 60


def test_no_answer_of_the_interface_has_a_command_a_path_or_a_key(visitor: Visitor) -> None:
    addresses = ["/games", "/games/Noughts", "/positions?game=Noughts", "/openapi.json"]
    addresses += ["/records", "/records/id0", "/records/id1", "/records/id4", "/records/id6"]
    addresses += ["/positions?game=Short:rounds=3", "/positions?game=Noughts:size=9"]
    origin = {"origin": ADDRESS}
    for address in addresses:
        assert MARK not in seen(visitor.get(f"/api{address}")), address
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("/search", {"game": "Noughts", "depth": 1}),
        ("/search", {"game": "Noughts", "moves": ["zz"]}),
        ("/search", {"game": "Noughts:nothing=1"}),
        ("/live", {"game": "Noughts", "name": "Ani", "opponent": "named:the guest"}),
        ("/live", {"kind": "watch", "game": "Short", "x": "named:the guest", "o": "easy"}),
    ]
    for address, body in wanted:
        answer = visitor.client.post(f"/api{address}", json=body, headers=origin)
        assert MARK not in seen(answer), (address, body)


def test_games_are_found_by_the_names_that_visitors_see(visitor: Visitor) -> None:
    games = visitor.get("/api/records").json()["games"]
    shown = {(game["game"], game["x"], game["o"]) for game in games}
    assert ("Noughts", "the house's", "ugi") in shown
    assert ("file", "Ani", "Budi") in shown
    events = {game["event"] for game in games if game["event"].startswith("match")}
    (event,) = events
    assert event.startswith("match the house's – ugi ")
    assert visitor.get(f"/api/records?event={quote(event)}").json()["count"] == 1
    assert visitor.get("/api/records?game=Noughts").json()["count"] == len(games) - 1
    player = quote("the house's")
    assert visitor.get(f"/api/records?player={player}").json()["count"] >= 4


@pytest.mark.parametrize(
    "error",
    [
        UsageError("store.failed", text=f"/{MARK}/x.sqlite", reason=f"disk of {MARK}"),
        PapanError("arena.gives-up", text=f"{COMMAND} – {BOT}"),
        InvalidGame("game-file.raises", text=f"/{MARK}/x.py", line=1, reason=MARK),
        PlayerCrash("player.ended", text=COMMAND, code=1, words=MARK),
        UsageError("record.start", reason=InvalidGame("game-file.no-game", text=MARK)),
        UsageError(f"a sentence about {MARK}"),
    ],
)
@pytest.mark.parametrize("address", ["/records/id0", "/api/records/id0"])
def test_what_goes_wrong_inside_is_for_the_log(
    visitor: Visitor,
    address: str,
    error: PapanError,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    allowed._log.cache_clear()
    monkeypatch.setattr(Store, "get", fail)
    with caplog.at_level(logging.WARNING, "papan.web"):
        answer = visitor.get(address)
    assert 400 <= answer.status_code < 600
    assert MARK not in seen(answer)
    assert "see its log" in answer.text
    assert MARK in caplog.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("adjacency:rounds=8", "adjacency:rounds=8"),
        ("Ani / Budi", "Ani / Budi"),
        ("move 'zz' is not legal here: expected one of b2/c3", None),
        ("board '3x2/2o3/6' has 3 rows", None),
        ("ugi:/a/b c --key d", "ugi"),
        ("python:C:\\bots\\mine.py", "python"),
        ("~/games/mine.py:size=4", "file"),
        ("cannot read /a/b.sqlite", "cannot read …"),
        ("no server at postgresql://me:key@host/games", "no server at …"),
        ("match ugi:./a – b – engine 0123456789ab", "match ugi – b – engine 0123456789ab"),
        ("swiss /a b/c.py:size=4 0123456789ab", "swiss file 0123456789ab"),
    ],
)
def test_commands_and_paths_are_taken_out_of_texts_and_nothing_else(
    text: str, expected: str | None
) -> None:
    assert Public(ServerSettings()).text(text) == (text if expected is None else expected)
