"""Boards of any size up to 26 × 26: their squares, names, sets and texts."""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.core.board.geometry import Geometry, Grid
from papan.core.board.kinds import Edges, Hex, Pits, Points, beside
from papan.core.notation import read_board, write_board
from papan.core.position_line import read_fields, write_fields
from papan.errors import InvalidMove, InvalidPosition, UsageError
from papan.rules import bits
from papan.rules.wide import WideBits

edges = st.integers(1, 26)


def names_in(board: Grid, move: str) -> list[str]:
    """The names of the places that a written move is made of."""
    return [board.name(place) for place in board.places_in(move)]


boards = st.builds(Grid, edges, edges)


class Pieces(NamedTuple):
    """A state in the default notation."""

    mine: Any
    theirs: Any
    side: int
    marked: Any


@given(boards)
def test_every_square_has_a_place_and_a_name_of_its_own(board: Grid) -> None:
    names = [board.name(square) for square in board.squares]
    places = [board.row_and_column(square) for square in board.squares]
    assert places == [(row, column) for row in range(board.rows) for column in range(board.columns)]
    assert len(set(names)) == board.rows * board.columns
    assert [board.find(name) for name in names] == board.squares
    assert [board.at(*place) for place in places] == board.squares
    first, *_, last = [*names, names[-1]]
    assert first == f"{board.column_names[0]}{board.row_names[0]}"
    assert last == f"{board.column_names[-1]}{board.row_names[-1]}"


@given(boards)
def test_the_mask_holds_all_squares(board: Grid) -> None:
    assert bits.squares(board.mask) == board.squares
    assert bits.popcount(board.mask) == board.rows * board.columns
    assert bits.squares(board.empty) == []


@given(edges, edges)
def test_boards_up_to_eight_by_eight_have_sets_of_64_bits_in_rows_of_eight(
    height: int, width: int
) -> None:
    board, small = Grid(height, width), height <= 8 and width <= 8
    assert isinstance(board.mask, np.uint64 if small else WideBits)
    assert board.row_length == (8 if small else width + 1)
    assert int(bits.row_length(board.mask)) == board.row_length


@given(boards, st.data())
def test_boards_read_back_as_they_were_written(board: Grid, data: st.DataObject) -> None:
    chosen = st.sets(st.sampled_from(board.squares))
    x = data.draw(chosen)
    o = data.draw(chosen) - x
    text = write_board(board, board.of_squares(x), board.of_squares(o))
    first, second = read_board(text, board)
    assert (first, second) == (board.of_squares(x), board.of_squares(o))
    assert type(first) is type(second) is type(board.mask)
    assert len(text.split("/")) == board.rows


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("size", [5, 9, 15])
def test_fields_read_back_with_their_types(size: int, side: int) -> None:
    board = Grid(size, size)
    some = [board.of_squares([square]) for square in board.squares[-3:]]
    state = Pieces(some[0], some[1], side, some[2])
    empty = Pieces(board.empty, board.empty, 0, board.empty)
    again = read_fields(board, empty, write_fields(board, state))
    assert again == state
    assert [type(field) for field in again] == [type(field) for field in state]


def test_runs_of_more_than_nine_squares_are_one_number() -> None:
    board = Grid(10, 12)
    x, o = board.of_squares([board.at(0, 0), board.at(9, 11)]), board.of_squares([board.at(0, 11)])
    assert write_board(board, x, o) == "x10o/12/12/12/12/12/12/12/12/11x"


@pytest.mark.parametrize("row", ["13", "x12", "1x", "11z", "5555", "99999999999999999999"])
def test_a_row_of_the_wrong_length_is_refused(row: str) -> None:
    with pytest.raises(InvalidPosition):
        read_board("/".join(["12"] * 9 + [row]), Grid(10, 12))


def test_names_of_two_digits_are_told_from_those_of_one() -> None:
    board = Grid(15, 15)
    assert names_in(board, "k11f3") == ["k11", "f3"]
    assert names_in(board, "a1a15o15") == ["a1", "a15", "o15"]
    assert names_in(board, "a1-a15/o15") == ["a1", "a15", "o15"]
    assert [names_in(board, text) for text in ("", "pass", "a16", "-a2", "a01", "p1")] == [[]] * 6
    assert board.extent == "a1 … o15"


@pytest.mark.parametrize("name", ["a0", "a01", "a16", "p1", "A1", "a", "1a", "a1 ", "a١"])
def test_a_name_of_no_square_is_refused(name: str) -> None:
    assert Grid(15, 15).find(name) is None
    with pytest.raises(InvalidMove):
        Grid(15, 15).square(name)


@pytest.mark.parametrize(("height", "width"), [(0, 3), (3, 0), (27, 3), (3, 27), (-1, 8)])
def test_a_board_that_cannot_be_is_refused(height: int, width: int) -> None:
    with pytest.raises(UsageError, match="1 to 26"):
        Grid(height, width)


def test_points_that_stand_like_squares_have_the_labels_of_rows_and_columns() -> None:
    points = Points({"a2": (0, 0), "c2": (2, 0), "b1": (1, 1)}, shape="pit")
    assert [label.text for label in points.labels()] == ["2", "1", "a", "c", "b"]
    assert {place.shape for place in points.places} == {"pit"}
    assert list(Points({"a2": (0, 0), "b2": (0, 1)}).labels()) == []


@pytest.mark.parametrize("size", range(3, 12))
def test_a_board_with_a_spare_number_has_room_for_it_in_its_sets(size: int) -> None:
    board = Grid(size, size, spare=True)
    extra = board.of_squares([board.end])
    assert bits.popcount(extra) == 1
    assert not board.mask & extra


def test_edges_that_sides_have_go_from_corner_to_corner() -> None:
    """On a rhombus of one hexagon they have all its corners; beside a hand they lie lower."""
    owners = [owner for owner, _ in Hex(3, 3, owned=True).own_edges()]
    assert owners == ["x", "x", "o", "o"]
    single = {
        (round(x, 3), round(y, 3)) for _, way in Hex(1, 1, owned=True).own_edges() for x, y in way
    }
    assert len(single) == 6
    board = Hex(2, 2, owned=True)
    moved = beside(board, o=("A",))
    lower = [y - 1.35 for _, way in moved.own_edges() for _, y in way]
    assert lower == pytest.approx([y for _, way in board.own_edges() for _, y in way])
    assert not list(Hex(3, 3).own_edges())


NAMED = [Grid(3, 4), Hex(4, 3), Pits(3), Edges(2, 3)]


@pytest.mark.parametrize("board", NAMED, ids=lambda board: type(board).__name__)
def test_names_stand_where_they_stood_when_a_board_is_turned(board: Geometry) -> None:
    width, height = board.area
    turned = {(round(width - x, 6), round(height - y, 6)) for _, x, y in board.far_labels()}
    assert turned == {(round(x, 6), round(y, 6)) for _, x, y in board.labels()}


@pytest.mark.parametrize("board", NAMED, ids=lambda board: type(board).__name__)
def test_each_name_stands_beside_a_place_that_has_it(board: Geometry) -> None:
    for text, x, y in [*board.labels(), *board.far_labels()]:
        nearest = min(math.dist((x, y), (place.x, place.y)) for place in board.places)
        beside = [p for p in board.places if math.dist((x, y), (p.x, p.y)) < nearest + 0.3]
        assert any(text in place.name for place in beside), text
