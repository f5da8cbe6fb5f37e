"""A rule that fails after the smoke test: a sentence for visitors, a line for the log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from support import wait_until
from web_visitors import ADDRESS, Visitor, plies_of

GOMOKU = Path(__file__).parents[2] / "examples" / "games" / "gomoku.py"
PLAY = "    mine, theirs, free, side, row, stones, more = state\n"
#: After h8 and c3 the move k11 fails: no random game of 225 squares begins so.
FAILS = """    if move == 74 and state.mine == bit_like(state.free, 119):
        raise ValueError("the third stone")
"""
BOT = """def choose(position, limit):
    return "h8" if len(position.moves()) == 225 else "k11"
"""
SAID = "A rule of this game failed; see the log of the server."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that offers a game whose rules fail in one position."""
    folder: Path = tmp_path_factory.mktemp("failing")
    rules = GOMOKU.read_text(encoding="utf-8")
    assert rules.count(PLAY) == 1
    (folder / "late.py").write_text(rules.replace(PLAY, PLAY + FAILS), encoding="utf-8")
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    settings = ServerSettings(
        processes=1,
        database=str(folder / "games.sqlite"),
        folder=folder,
        games={"Late": str(folder / "late.py")},
        players={"the bot": f"python:{folder / 'bot.py'}"},
        language="en",
        actions_a_second=1000,
        actions_at_once=1000,
        warm=False,
    )
    with TestClient(create_app(settings), base_url=ADDRESS) as started:
        yield started


def test_a_move_at_which_a_rule_fails_is_not_made_and_the_game_goes_on(
    server: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    visitor = Visitor(server)
    path = visitor.begin("shared", game="Late")
    assert plies_of(visitor.play(path, "h8", "c3").text) == 2
    with caplog.at_level(logging.ERROR, logger="papan.web"):
        answer = visitor.play(path, "k11")
    assert answer.status_code == 503
    assert SAID in answer.text and "late.py" not in answer.text
    assert "late.py, line" in caplog.text and "the third stone" in caplog.text
    assert plies_of(visitor.get(path).text) == 2
    assert plies_of(visitor.play(path, "k10").text) == 3


def test_a_program_s_move_at_which_a_rule_fails_ends_the_game_without_a_winner(
    server: TestClient,
) -> None:
    visitor = Visitor(server)
    path = visitor.begin("solo", game="Late", side="o", opponent="named:the bot")
    assert plies_of(_after(visitor, path, 'data-plies="1"')) == 1
    visitor.play(path, "c3")
    assert "A rule of the game failed, so nobody won." in _after(visitor, path, 'data-over="draw"')


def _after(visitor: Visitor, path: str, mark: str) -> str:
    """The page when it has the mark."""
    return wait_until(lambda: page if mark in (page := str(visitor.get(path).text)) else "")


@pytest.mark.thorough
def test_programs_are_told_the_same(server: TestClient) -> None:
    visitor = Visitor(server)
    answer = visitor.get("/api/values?game=Late&moves=h8 c3 k11")
    assert answer.status_code == 503
    assert answer.json() == {"error": SAID}
