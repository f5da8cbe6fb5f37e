"""Games of the gallery by every hand: boards of every shape, and every kind of move."""

from collections.abc import Callable
from itertools import cycle, product
from typing import Any

import pytest

import papan
from benchmarks.tools.webserver import WebServer
from support import at_length, thoroughly
from web_browsers import DESKTOP, HANDS, PHONE, Table, by_chance, set_up

Visit = Callable[..., Any]
#: A game for each geometry and each kind of move: spec, and so many moves of a random game.
PLAYED = {
    "hex:size=3": 9,  # hexagons; a move is a place
    "breakthrough:rows=5,columns=4": 10,  # from one place to another
    "morris": 26,  # points; a move that closes a mill takes a piece as well
    "amazons:size=6": 8,  # from, to, and an arrow
    "checkers": 24,  # jumps, one after the other
    "kalah:pits=3,seeds=2": 12,  # pits; moving again
    "dots_and_boxes:rows=2,columns=2": 12,  # edges; moving again
    "nim": 12,  # a table, and words
    "quarto": 8,  # places beside the board
    "pentago": 5,  # a place, and what is turned
    "connect_four": 8,  # columns: any square of one
}


#: By default the game whose moves do most; each by one hand; at length all by every hand.
BY_DEFAULT = ("morris", "mouse")
BY_TURNS = [*zip(PLAYED, cycle(HANDS), strict=False)]
BY_HANDS = [
    BY_DEFAULT,
    *thoroughly(*BY_TURNS),
    *at_length(*(pair for pair in product(PLAYED, HANDS) if pair not in {*BY_TURNS, BY_DEFAULT})),
]


@pytest.mark.parametrize(("spec", "hand"), BY_HANDS)
def test_a_game_of_the_gallery_is_played_by_any_hand(
    visit: Visit, server: WebServer, spec: str, hand: str
) -> None:
    page = visit(**(PHONE if hand == "touch" else DESKTOP))
    name, _, options = spec.partition(":")
    fields = dict(part.split("=") for part in options.split(",") if part)
    set_up(page, server.address, "shared", hand, game=name, **fields)
    table, choose = Table(page, spec, hand), by_chance(3)
    while len(table.moves) < PLAYED[spec] and table.position.outcome() is None:
        table.move(choose(table.position))
    assert table.listed() == table.moves
    assert str(papan.game(spec).start().play(*table.moves)) == str(table.position)


@pytest.mark.thorough
def test_a_pawn_that_comes_through_is_asked_what_it_becomes(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    moves = "a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5"
    page.goto(f"{server.address}/analysis?game=chess&moves={moves.replace(' ', '+')}")
    page.locator(".cell[data-square='a7']").click()
    page.locator("#board .selected[data-square='a7']").wait_for(state="attached")
    page.locator(".cell[data-square='b8']").click()
    words = page.locator("#words button")
    words.first.wait_for()
    assert sorted(words.all_inner_texts()) == ["Bishop", "Knight", "Queen", "Rook"]
    words.get_by_text("Knight").click()
    page.locator("#history a", has_text="axb8=N").wait_for()
    assert page.locator("#board g[data-square='b8'] .piece.x").count() == 1


@pytest.mark.thorough
def test_arrows_walk_a_board_of_any_shape(visit: Visit, server: WebServer) -> None:
    page = visit()
    for game, keys, there in (
        ("hex", "Down Right Right Up", "c1"),
        ("kalah", "Right Right Down Left", "b"),
        ("morris", "Right Down Down", "d5"),
    ):
        set_up(page, server.address, "shared", game=game)
        page.locator(".cell[tabindex='0']").focus()
        for key in keys.split():
            page.keyboard.press(f"Arrow{key}")
        assert page.locator(".cell:focus").get_attribute("data-square") == there


@pytest.mark.long
@pytest.mark.parametrize("spec", PLAYED)
def test_arrows_lead_from_every_place_to_every_other(
    visit: Visit, server: WebServer, spec: str
) -> None:
    page = visit()
    page.goto(f"{server.address}/analysis?game={spec.partition(':')[0]}")
    ways: dict[str, set[str]] = page.evaluate(_ARROWS)
    assert all(_reached(ways, place) == set(ways) for place in ways)


def _reached(ways: dict[str, set[str]], start: str) -> set[str]:
    """The places to which ways lead from one of them."""
    found, fresh = {start}, {start}
    while fresh:
        fresh = {there for place in fresh for there in ways[place]} - found
        found |= fresh
    return found


#: The places to which the four arrow keys lead from each.
_ARROWS = """() => {
  const cells = [...document.querySelectorAll(".cell")];
  const press = (cell, key) => {
    cell.focus();
    cell.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return document.activeElement.dataset.square;
  };
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  return Object.fromEntries(cells.map(
    cell => [cell.dataset.square, keys.map(key => press(cell, key))]));
}"""
