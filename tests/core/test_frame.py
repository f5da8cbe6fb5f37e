"""Boards of any size up to 26 × 26: their squares, names, sets and texts."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.core.notation import Frame, read_board, read_fields, write_board, write_fields
from papan.errors import InvalidMove, InvalidPosition, UsageError
from papan.kernel import bits
from papan.kernel.wide import WideBits

edges = st.integers(1, 26)
frames = st.builds(Frame, edges, edges)


class Pieces(NamedTuple):
    """A state in the default notation."""

    mine: Any
    theirs: Any
    side: int
    marked: Any


@given(frames)
def test_every_square_has_a_place_and_a_name_of_its_own(frame: Frame) -> None:
    names = [frame.name(square) for square in frame.squares]
    places = [frame.place(square) for square in frame.squares]
    assert places == [(row, column) for row in range(frame.height) for column in range(frame.width)]
    assert len(set(names)) == frame.height * frame.width
    assert [frame.find(name) for name in names] == frame.squares
    assert [frame.at(*place) for place in places] == frame.squares
    first, *_, last = [*names, names[-1]]
    assert first == f"{frame.column_names[0]}{frame.row_names[0]}"
    assert last == f"{frame.column_names[-1]}{frame.row_names[-1]}"


@given(frames)
def test_the_mask_holds_all_squares(frame: Frame) -> None:
    assert bits.squares(frame.mask) == frame.squares
    assert bits.popcount(frame.mask) == frame.height * frame.width
    assert bits.squares(frame.empty) == []


@given(edges, edges)
def test_boards_up_to_eight_by_eight_have_sets_of_64_bits_in_rows_of_eight(
    height: int, width: int
) -> None:
    frame, small = Frame(height, width), height <= 8 and width <= 8
    assert isinstance(frame.mask, np.uint64 if small else WideBits)
    assert frame.row_length == (8 if small else width + 1)
    assert int(bits.row_length(frame.mask)) == frame.row_length


@given(frames, st.data())
def test_boards_read_back_as_they_were_written(frame: Frame, data: st.DataObject) -> None:
    chosen = st.sets(st.sampled_from(frame.squares))
    x = data.draw(chosen)
    o = data.draw(chosen) - x
    text = write_board(frame, frame.of_squares(x), frame.of_squares(o))
    first, second = read_board(text, frame)
    assert (first, second) == (frame.of_squares(x), frame.of_squares(o))
    assert type(first) is type(second) is type(frame.mask)
    assert len(text.split("/")) == frame.height


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("size", [5, 9, 15])
def test_fields_read_back_with_their_types(size: int, side: int) -> None:
    frame = Frame(size, size)
    some = [frame.of_squares([square]) for square in frame.squares[-3:]]
    state = Pieces(some[0], some[1], side, some[2])
    empty = Pieces(frame.empty, frame.empty, 0, frame.empty)
    again = read_fields(frame, empty, write_fields(frame, state))
    assert again == state
    assert [type(field) for field in again] == [type(field) for field in state]


def test_runs_of_more_than_nine_squares_are_one_number() -> None:
    frame = Frame(10, 12)
    x, o = frame.of_squares([frame.at(0, 0), frame.at(9, 11)]), frame.of_squares([frame.at(0, 11)])
    assert write_board(frame, x, o) == "x10o/12/12/12/12/12/12/12/12/11x"


@pytest.mark.parametrize("row", ["13", "x12", "1x", "11z", "5555", "99999999999999999999"])
def test_a_row_of_the_wrong_length_is_refused(row: str) -> None:
    with pytest.raises(InvalidPosition):
        read_board("/".join(["12"] * 9 + [row]), Frame(10, 12))


def test_names_of_two_digits_are_told_from_those_of_one() -> None:
    frame = Frame(15, 15)
    assert frame.names_in("k11f3") == ["k11", "f3"]
    assert frame.names_in("a1a15o15") == ["a1", "a15", "o15"]
    assert [frame.names_in(text) for text in ("", "pass", "a16", "a1-a2", "a01", "p1")] == [[]] * 6
    assert frame.extent == "a1 … o15"


@pytest.mark.parametrize("name", ["a0", "a01", "a16", "p1", "A1", "a", "1a", "a1 ", "a١"])
def test_a_name_of_no_square_is_refused(name: str) -> None:
    assert Frame(15, 15).find(name) is None
    with pytest.raises(InvalidMove):
        Frame(15, 15).square(name)


@pytest.mark.parametrize(("height", "width"), [(0, 3), (3, 0), (27, 3), (3, 27), (-1, 8)])
def test_a_board_that_cannot_be_is_refused(height: int, width: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 26"):
        Frame(height, width)
