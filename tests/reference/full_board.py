"""Adjacency played until the board is full, solved over sets of empty squares.

The final colour of a square is that of the last move in its closed neighbourhood (the square
and its neighbours). So what is still to come depends on the set of empty squares alone: each
move wins for its player the squares whose closed neighbourhood it fills.
"""

from typing import NamedTuple

from reference.adjacency import Adjacency, neighbours
from reference.notation import square_name


class FullBoard(NamedTuple):
    """The exact final difference for the side to move, and every move that reaches it."""

    value: int
    best_moves: tuple[str, ...]


def solve_full_board(position: Adjacency) -> FullBoard:
    """Solve a position that is played until the board is full; 2^empties sets are visited."""
    empties = [i for i, square in enumerate(position.squares) if square == "."]
    assert empties
    assert position.plies_left == len(empties)
    areas = _areas(position, empties)
    gains = _gains_to_come(areas, len(empties))
    everything = (1 << len(empties)) - 1
    value = gains[everything]
    best = [i for i in range(len(empties)) if _move_gain(areas, gains, everything, i) == value]
    names = (square_name(empties[i], position.height, position.width) for i in best)
    return FullBoard(_settled_difference(position) + value, tuple(names))


def _areas(position: Adjacency, empties: list[int]) -> list[list[int]]:
    """For each empty square, the closed neighbourhoods it lies in, as sets of empty squares.

    A set is an integer: bit k stands for the k-th empty square.
    """
    place = {square: k for k, square in enumerate(empties)}

    def closed_neighbourhood(square: int) -> int:
        around = [square, *neighbours(square, position.height, position.width)]
        return sum(1 << place[near] for near in around if near in place)

    return [
        [
            closed_neighbourhood(near)
            for near in [square, *neighbours(square, position.height, position.width)]
        ]
        for square in empties
    ]


def _gains_to_come(areas: list[list[int]], count: int) -> list[int]:
    """For each set of empty squares, the difference still to be won by the side to move."""
    gains = [0] * (1 << count)
    for empty in range(1, 1 << count):
        gains[empty] = max(
            _move_gain(areas, gains, empty, k) for k in range(count) if empty >> k & 1
        )
    return gains


def _move_gain(areas: list[list[int]], gains: list[int], empty: int, k: int) -> int:
    """The squares that filling the k-th empty square settles, less the opponent's gain after."""
    left = empty & ~(1 << k)
    settled = 0
    for area in areas[k]:
        if area & left == 0:
            settled += 1
    return settled - gains[left]


def _settled_difference(position: Adjacency) -> int:
    """The difference for the side to move on squares that no move to come can change."""
    difference = 0
    for square, owner in enumerate(position.squares):
        around = [square, *neighbours(square, position.height, position.width)]
        if all(position.squares[near] != "." for near in around):
            difference += 1 if owner == position.side else -1
    return difference
