"""Sliding pieces reach what they reach when they are moved square by square over a plain board."""

from random import Random
from typing import Any

import pytest

from papan.core.board.geometry import Grid
from papan.jit.compiler import kernel
from papan.rules.bits import Bits, highest, squares
from papan.rules.sliding import bishop_reach, queen_reach, rook_reach

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def plain_reaches(square: int, occupied: Bits) -> tuple[Bits, Bits, Bits]:
    """The reach of a rook, a bishop and a queen."""
    rook, bishop = rook_reach(square, occupied), bishop_reach(square, occupied)
    return rook, bishop, queen_reach(square, occupied)


@kernel
def compiled_reaches(square: int, occupied: Bits) -> tuple[Bits, Bits, Bits]:
    rook, bishop = rook_reach(square, occupied), bishop_reach(square, occupied)
    return rook, bishop, queen_reach(square, occupied)


@kernel
def compiled_highest(bits: Bits) -> int:
    return highest(bits)


def walked(board: Grid, square: int, empty: set[int], steps: Any) -> set[int]:
    """The oracle: step by step until the board ends or something stands there."""
    found = set()
    for down, right in steps:
        row, column = board.row_and_column(square)
        while 0 <= (row := row + down) < board.rows and (column := column + right) >= 0:
            if column >= board.columns:
                break
            found.add(board.at(row, column))
            if board.at(row, column) not in empty:
                break
    return found


@pytest.mark.parametrize("reaches", [plain_reaches, compiled_reaches])
@pytest.mark.parametrize("size", [(8, 8), (6, 6), (10, 10)])
def test_a_piece_reaches_the_first_obstacle_of_each_line(
    reaches: Any, size: tuple[int, int]
) -> None:
    board, chance = Grid(*size), Random(1)
    on_board = set(board.squares)
    for share in (0, 0.2, 0.7) * 10:
        square = chance.choice(board.squares)
        empty = {other for other in on_board if chance.random() >= share}
        rook, bishop, queen = reaches(square, ~board.of_squares(empty))
        straight = walked(board, square, empty, STRAIGHT)
        diagonal = walked(board, square, empty, DIAGONAL)
        assert set(squares(rook)) & on_board == straight
        assert set(squares(bishop)) & on_board == diagonal
        assert queen == rook | bishop


@pytest.mark.parametrize("find", [highest, compiled_highest])
def test_the_last_square_of_a_set_is_found_on_small_and_wide_boards(find: Any) -> None:
    for board in (Grid(8, 8), Grid(10, 10)):
        assert find(board.of_squares([3, 9, 41])) == 41
        assert find(board.mask) == board.squares[-1]
