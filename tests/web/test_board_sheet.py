"""The style sheets that lay buttons over the pictures of boards, without a browser."""

import re

import pytest

from papan.core.board.geometry import Geometry, Grid
from papan.core.board.kinds import Cells, Edges, Hex, Hexagon, Pits, Points, beside
from papan.figures.board import Layout
from papan.figures.places import SQUARE
from papan.web.board.board_sheet import sheet
from web_visitors import Visitor, board_sheet_of

BOARDS: list[Geometry] = [
    Grid(3, 5),
    Hex(4, 4),
    Hexagon(3),
    Points({"a1": (0, 0), "b1": (1.5, 0), "b2": (1.5, 2)}, lines=(("a1", "b1"),)),
    Pits(6),
    Edges(2, 3),
    Cells((("one", "two"), ("three",))),
    beside(Grid(3, 3), x=("C", "E"), o=("c", "e"), shared=("next",)),
]

PLACED = re.compile(
    r"\.cell\[data-square=\"(.+?)\"\]\{--x:(.+?)%;--y:(.+?)%;--dx:(.+?)%;--dy:(.+?)%\}"
)
AREA = r"\.cells\{left:(.+?)%;top:(.+?)%;width:(.+?)%;height:(.+?)%\}"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: type(board).__name__)
@pytest.mark.parametrize("coordinates", [True, False])
@pytest.mark.parametrize("flipped", [False, True])
def test_the_middle_of_each_button_is_where_the_picture_has_the_place(
    board: Geometry, coordinates: bool, flipped: bool
) -> None:
    layout, text = Layout(board, coordinates, flipped), sheet(board)
    start = "" if coordinates else r"\.plain "
    found = re.search(f"^{start}{AREA}$", text, re.MULTILINE)
    assert found
    left, top, width, height = map(float, found.groups())
    placed = {name: tuple(map(float, rest)) for name, *rest in PLACED.findall(text)}
    assert len(placed) == len(board.places)
    for place in board.places:
        x, y, dx, dy = placed[place.name]
        across, down = x + dx / 2, y + dy / 2
        if flipped:  # the page counts from the right and from the bottom then
            across, down = 100 - across, 100 - down
        middle = (left + width * across / 100, top + height * down / 100)
        there = layout.point(place.x, place.y)
        assert middle[0] == pytest.approx(100 * there[0] / layout.width, abs=0.02)
        assert middle[1] == pytest.approx(100 * there[1] / layout.height, abs=0.02)


def test_thin_places_are_wide_enough_to_be_hit() -> None:
    board = Edges(3, 3)
    width = board.area.width * SQUARE
    for name, *shares in PLACED.findall(sheet(board)):
        assert float(shares[2]) / 100 * width >= SQUARE / 2, name


def test_names_of_places_end_no_text_of_the_sheet() -> None:
    board = Cells((('"}a', "b c"),))
    assert r'.cell[data-square="\22 \7d a"]' in sheet(board)
    assert r'.cell[data-square="b\20 c"]' in sheet(board)


def test_a_sheet_has_an_address_that_changes_with_the_board_alone(ani: Visitor) -> None:
    addresses = [
        board_sheet_of(ani.get(ani.begin("shared", **fields)).text)
        for fields in ({"size": "4"}, {"size": "4", "rounds": "2"}, {"size": "6"})
    ]
    small, same, other = (address.partition("v=")[2] for address in addresses)
    assert small == same != other
    answer = ani.get(addresses[0])
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "game", ["nothing", "adjacency:size=99", "/etc/passwd.py", "adjacency:x=1"]
)
def test_a_game_that_is_not_offered_has_no_sheet(ani: Visitor, game: str) -> None:
    assert ani.client.get("/board.css", params={"game": game}).status_code == 404


@pytest.mark.parametrize(
    ("board", "is_turned"),
    [(Pits(6), True), (Hex(11, 11), True), (Grid(9, 9), False), (Cells((("a", "b", "c"),)), False)],
    ids=["kalah", "hex", "square", "few"],
)
def test_wide_boards_with_many_squares_are_turned_on_phones(
    board: Geometry, is_turned: bool
) -> None:
    upright, _, phones = sheet(board).partition("@media (orientation:portrait)")
    assert bool(phones) == is_turned
    sizes = [
        re.findall(r"^\.table,.*--W:(.+?);--H:(.+?)\}", part, re.M) for part in (upright, phones)
    ]
    assert sizes[1] == [size[::-1] for size in sizes[0] if is_turned]
