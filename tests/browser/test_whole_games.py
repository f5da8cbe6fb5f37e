"""Whole games by mouse, by keyboard and by touch, from the form to the result."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from papan.core.game import Position
from web_browsers import DESKTOP, HANDS, PHONE, Table, by_chance, set_up

Visit = Callable[..., Any]

#: Games that end soon, with the fields of the form that make them so.
GAMES = {
    "adjacency": {"size": "4", "rounds": "4"},
    "platforms": {"size": "3", "level": "1"},
    "corners": {},
}

#: A short game of Corners, in which each side helps the other: by itself it takes three times as
#: many moves.
CORNERS = (
    "f2f4 c6d6 g2e4 b7d5 g3c5 d5e5 f3b7 c8c4 e4c8 a6g4 f1f2 a8e4 h1d7 b6b5 f4b6 b5d5 h2b4 d6h2 "
    "g1f1 b8f4 f1f5 f4f3 f2b8 e5g3 c5c6 c7e3 h3h4 a7g5 h4d6 c4d4 f5e5 d4f2 e5a7 d5d4 d7c7 d4f4 "
    "b4b5 e4g2 c6a8 g3h3 d6c6 g5g1 b5a5 g4g3 a5a6"
)

#: A win against whoever makes the first legal move, `x` and `o` in turn.
CORNERS_WON = (
    "f2e2 b8d8 h2f4 a8b8 g2e4 c8e8 g1e5 b8c8 f3d5 d8f8 d5c5 c8d8 h3b5 d8d7 g3f3 e8g8 f3d5 f8h8 "
    "f4d8 g8g7 h1g1 h8h7 g1e3 a7a5 f1f2 c7e7 e4c8 b7c7 e3d3 d7f7 f2d6 c7d7 e2d2 e7e6 e5c7 d7e7 "
    "d5b7 e7e5 d2d4 f7f6 b7a7 g7g6 d3b7 h7h6 d8b8 a6a4 d4c4 b6b4 d6b6 c6d6 c4a8 d6d5 b6a6 e6e4 "
    "b5b6 f6f5 c5c6"
)


#: Game and hand; each of them once unless there is much time.
PLAYED = [
    ("adjacency", "mouse"),
    ("platforms", "keyboard"),
    ("corners", "touch"),
    *(
        pytest.param(game, hand, marks=pytest.mark.long)
        for game, hand in (
            ("adjacency", "keyboard"),
            ("adjacency", "touch"),
            ("platforms", "mouse"),
            ("platforms", "touch"),
            ("corners", "mouse"),
            ("corners", "keyboard"),
        )
    ),
]


#: The same against a program, which Corners takes too long for.
AGAINST_A_PROGRAM = [
    ("adjacency", "touch"),
    ("platforms", "mouse"),
    *(
        pytest.param(game, hand, marks=pytest.mark.thorough)
        for game, hand in (
            ("adjacency", "mouse"),
            ("adjacency", "keyboard"),
            ("platforms", "keyboard"),
            ("platforms", "touch"),
        )
    ),
]


def spec(game: str) -> str:
    """The game that the form makes of these fields."""
    options = ",".join(f"{name}={value}" for name, value in GAMES[game].items())
    return f"{game}:{options}" if options else game


def begin(visit: Visit, server: WebServer, kind: str, game: str, hand: str, **more: str) -> Table:
    """A new game on a screen that suits the hand."""
    page = visit(**(PHONE if hand == "touch" else DESKTOP))
    set_up(page, server.address, kind, hand, game=game, **GAMES[game], **more)
    return Table(page, spec(game), hand)


def chooser(game: str) -> Callable[[Position], str]:
    """Who chooses the moves of a game: the same ones each time."""
    if game != "corners":
        return by_chance(1)
    moves = iter(CORNERS.split())
    return lambda position: next(moves)


def check_the_end(table: Table) -> None:
    """The page agrees with the rules, and says who has won beside the board."""
    outcome = table.position.outcome()
    assert outcome is not None
    assert table.listed() == table.moves
    table.page.locator("#result").wait_for()
    assert table.page.locator("#game").get_attribute("data-over") == outcome.value


@pytest.mark.parametrize(("game", "hand"), PLAYED)
def test_two_people_play_a_whole_game_on_one_screen(
    visit: Visit, server: WebServer, game: str, hand: str
) -> None:
    table = begin(visit, server, "shared", game, hand)
    table.play_to_the_end(chooser(game), alone=True)
    check_the_end(table)


@pytest.mark.parametrize(("game", "hand"), AGAINST_A_PROGRAM)
def test_somebody_plays_a_whole_game_against_a_program(
    visit: Visit, server: WebServer, game: str, hand: str
) -> None:
    table = begin(visit, server, "solo", game, hand, opponent_spec="first")
    table.play_to_the_end(by_chance(2), alone=False)
    check_the_end(table)


@pytest.mark.long
def test_somebody_plays_a_whole_game_of_corners_against_a_program(
    visit: Visit, server: WebServer
) -> None:
    """It takes a while: a program makes no more than two moves a second."""
    table = begin(visit, server, "solo", "corners", "mouse", opponent_spec="first")
    moves = iter(CORNERS_WON.split()[::2])
    table.play_to_the_end(lambda position: next(moves), alone=False)
    check_the_end(table)
    assert table.moves == CORNERS_WON.split()


def test_a_piece_is_dragged_to_its_target(visit: Visit, server: WebServer) -> None:
    table = begin(visit, server, "shared", "corners", "mouse")
    boxes = [table.page.locator(f"#at-{square}").bounding_box() for square in ("f3", "f4")]
    (x, y), (x2, y2) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes]
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move((x + x2) / 2, (y + y2) / 2, steps=4)
    table.page.locator("#at-f4.target").wait_for()
    table.page.mouse.move(x2, y2, steps=4)
    table.page.mouse.up()
    table.page.locator("#moves a[data-ply='1']").wait_for()
    assert table.listed() == ["f3f4"]


def test_from_the_menu_to_the_first_move_with_nothing_but_keys(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    page.goto(f"{server.address}/")
    splash = page.locator("[data-splash]:not(.gone)")
    if splash.count():
        splash.wait_for(state="detached", timeout=120_000)
    keys = HANDS["keyboard"]
    keys(page, ".ways a[href$='/new/shared']")
    page.locator(".setup").wait_for()
    keys(page, ".setup .actions button")
    page.locator("#game").wait_for()
    table = Table(page, "adjacency", "keyboard")
    table.move("d4")
    assert table.listed() == ["d4"]
