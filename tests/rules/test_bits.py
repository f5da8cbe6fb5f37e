"""Sets of squares behave as sets of squares: against sets of (row, column) in plain Python."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.core.board.geometry import Grid
from papan.jit.compiler import kernel
from papan.rules import bits

boards = st.integers(0, 2**64 - 1).map(np.uint64)
edges = st.integers(1, 8)


def rectangle(height: int, width: int) -> np.uint64:
    return Grid(height, width).mask


def cells(board: np.uint64) -> set[tuple[int, int]]:
    """The squares of a set as rows and columns from the top left."""
    return {divmod(square, 8) for square in range(64) if int(board) >> square & 1}


def inside(found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(row, column) for row, column in found if 0 <= row < 8 and 0 <= column < 8}


def shifted(board: np.uint64, rows: int, columns: int) -> set[tuple[int, int]]:
    return inside({(row + rows, column + columns) for row, column in cells(board)})


@given(boards)
def test_popcount_counts_the_squares(board: np.uint64) -> None:
    assert bits.popcount(board) == len(cells(board))


@given(boards)
def test_squares_come_in_row_major_order_and_make_the_set_again(board: np.uint64) -> None:
    found = bits.squares(board)
    assert [divmod(square, 8) for square in found] == sorted(cells(board))
    assert bits.of_squares(found) == board


@given(boards.filter(bool))
def test_the_lowest_square_is_the_first_and_can_be_taken_away(board: np.uint64) -> None:
    first = min(cells(board))
    assert divmod(bits.lowest(board), 8) == first
    assert cells(bits.without_lowest(board)) == cells(board) - {first}


@given(boards)
def test_a_step_moves_every_square_and_drops_those_at_the_edge(board: np.uint64) -> None:
    assert cells(bits.up(board)) == shifted(board, -1, 0)
    assert cells(bits.down(board)) == shifted(board, 1, 0)
    assert cells(bits.left(board)) == shifted(board, 0, -1)
    assert cells(bits.right(board)) == shifted(board, 0, 1)


@given(boards)
def test_neighbours_share_an_edge_or_a_corner(board: np.uint64) -> None:
    steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    assert cells(bits.orthogonal(board)) == set().union(*(shifted(board, *step) for step in steps))
    around = [(rows, columns) for rows in (-1, 0, 1) for columns in (-1, 0, 1)]
    near = set().union(*(shifted(board, *step) for step in around))
    assert cells(bits.surrounding(board)) == near - cells(board)
    corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert cells(bits.diagonal(board)) == set().union(*(shifted(board, *one) for one in corners))


@given(boards, edges, edges)
def test_the_symmetries_of_a_board_are_mirrors_and_exchanges(
    board: np.uint64, height: int, width: int
) -> None:
    board &= rectangle(height, width)
    assert cells(bits.flip_rows(board, height)) == {(height - 1 - r, c) for r, c in cells(board)}
    assert cells(bits.flip_columns(board, width)) == {(r, width - 1 - c) for r, c in cells(board)}
    assert cells(bits.transpose(board)) == {(c, r) for r, c in cells(board)}


@given(boards, edges)
def test_the_eight_symmetries_of_a_square_board_are_a_group(board: np.uint64, size: int) -> None:
    frame = rectangle(size, size)
    images = [bits.transformed(board & frame, index, size, size) for index in range(8)]
    again = {int(bits.transformed(images[5], index, size, size)) for index in range(8)}
    assert {int(image) for image in images} == again
    assert images[0] == board & frame
    assert all(image & ~frame == 0 for image in images)


@pytest.mark.parametrize("height", [1, 3, 8])
@pytest.mark.parametrize("width", [1, 5, 8])
def test_a_rectangle_has_its_rows_and_columns(height: int, width: int) -> None:
    expected = {(row, column) for row in range(height) for column in range(width)}
    assert cells(rectangle(height, width)) == expected


def test_a_table_holds_what_a_step_makes_of_each_square() -> None:
    table = bits.table(bits.orthogonal)
    assert table.shape == (64,)
    assert table.dtype == np.uint64
    assert all(table[square] == bits.orthogonal(bits.bit(square)) for square in range(64))


class Mixed(NamedTuple):
    """A state with fields of all kinds."""

    one: np.uint64
    number: int
    wide: Any
    row: tuple[int, int]
    two: np.uint64


@kernel
def turned_state(state: Mixed, index: int, height: int, width: int) -> Mixed:
    found: Mixed = bits.turned(state, index, height, width)
    return found


@given(boards, boards, edges, edges, st.integers(0, 3))
def test_a_turned_state_has_all_its_sets_transformed_and_its_numbers_as_they_were(
    one: np.uint64, two: np.uint64, height: int, width: int, index: int
) -> None:
    frame, wide = rectangle(height, width), Grid(9, 9).mask
    state = Mixed(one & frame, -3, wide & ~(wide >> 5), (7, -1), two & frame)
    found = bits.turned(state, index, height, width)
    assert turned_state(state, index, height, width) == found
    assert (found.one, found.two) == tuple(
        bits.transformed(squares, index, height, width) for squares in (state.one, state.two)
    )
    assert found.wide == bits.transformed(state.wide, index, height, width)
    assert (type(found), found.number, found.row) == (Mixed, -3, (7, -1))
    for place in bits.squares(frame):
        turned = bits.turned_place(place, index, height, width)
        assert bits.bit(turned) == bits.transformed(bits.bit(place), index, height, width)


@kernel
def everything(board: np.uint64, index: int) -> tuple[int, int, int, int, int, int]:
    """One number from each helper, compiled."""
    return (
        bits.popcount(board),
        bits.lowest(board),
        bits.without_lowest(board),
        bits.orthogonal(board) ^ bits.surrounding(board) ^ (bits.diagonal(board) >> bits.ONE),
        bits.transformed(board, index, 8, 8),
        bits.up(board) ^ bits.down(board) ^ bits.left(board) ^ bits.right(board),
    )


@given(boards.filter(bool), st.integers(0, 7))
def test_compiled_helpers_give_what_plain_python_gives(board: np.uint64, index: int) -> None:
    plain = getattr(everything, "py_func", everything)
    assert everything(board, index) == tuple(map(int, plain(board, index)))


def test_helpers_keep_sets_unsigned() -> None:
    board = bits.ALL
    for result in (
        bits.bit(63),
        bits.without_lowest(board),
        bits.orthogonal(board),
        bits.surrounding(bits.ONE),
        bits.flip_rows(board, 8),
        bits.flip_columns(board, 8),
        bits.transpose(board),
        rectangle(8, 8),
        bits.of_squares([63]),
    ):
        assert type(result) is np.uint64
