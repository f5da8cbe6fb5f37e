"""The changes of the board that the legal moves of a position make, in one compiled call."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.core.board.geometry import Geometry
from papan.core.board.pieces import Content, content_of, impossible
from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.jit.interpreter import is_ready
from papan.rules.operations import State, count_at, head, more, moves, piece_at, play, tail

#: Columns of a table of changes.
_COLUMNS = 4
#: Rows of the first table; a position with more changes gets a larger one.
_FIRST_ROWS = 4096


class Change(NamedTuple):
    """A place that a move changes.

    Attributes:
        place: number of the place in the order of the geometry's `places`.
        content: its content after the move.
    """

    place: int
    content: Content


@kernel
def list_changes(
    state: State, places: NDArray[np.int64], before: NDArray[np.int64], table: NDArray[np.int64]
) -> int:
    """Lists the places that each legal move changes.

    Args:
        state: the state before the moves.
        places: numbers of the compared places.
        before: gets a row for each place: its kind of piece and its number.
        table: gets a row for each change, ordered by move: number of the move, index in `places`,
            kind of piece, number on the place.

    Returns:
        The number of changes; if it exceeds the rows of the table, the later ones are missing.
    """
    for index in range(len(places)):
        before[index, 0] = piece_at(state, places[index])
        before[index, 1] = count_at(state, places[index])
    count = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        child = play(state, move)
        for index in range(len(places)):
            piece, number = piece_at(child, places[index]), count_at(child, places[index])
            if piece == before[index, 0] and number == before[index, 1]:
                continue
            if count < len(table):
                table[count, 0] = move
                table[count, 1] = index
                table[count, 2] = piece
                table[count, 3] = number
            count += 1
    return count


@functools.lru_cache(maxsize=64)
def _numbers(board: Geometry) -> NDArray[np.int64]:
    return np.array([place.number for place in board.places], dtype=np.int64)


def changes_of(position: Position) -> dict[int, list[Change]]:
    """Returns the changes of each legal move: number of the move → changed places.

    Moves that change no place are left out; moves to forbidden repetitions are included.

    Raises:
        InvalidGame: a rule of the game fails, or a place has an impossible content.
    """
    game, places = position.game, _numbers(position.game.board)
    table, before = _new_table(_FIRST_ROWS), np.empty((len(places), 2), dtype=np.int64)
    try:
        count = int(list_changes(position.state, places, before, table))
        if count > len(table):
            table = _new_table(count)
            list_changes(position.state, places, before, table)
    except Exception:
        # A user's rule raised it. Plain Python raises it again, as an error with file and line.
        for code in position.codes():
            game.contents(position.after(code).state)
        raise
    changes: dict[int, list[Change]] = {}
    for move, index, kind, number in table[:count].tolist():
        content = content_of(game.pieces, kind, number)
        if content is None:
            raise impossible(game.pieces, position.after(move).state, int(places[index]))
        changes.setdefault(move, []).append(Change(index, content))
    return changes


def is_compiled(position: Position) -> bool:
    """Returns whether `changes_of` has machine code for the game, in memory or on disk."""
    places = _numbers(position.game.board)
    return is_ready(list_changes, position.state, places, _new_table(0), _new_table(0))


def _new_table(rows: int) -> NDArray[np.int64]:
    """Returns a table for `rows` changes."""
    return np.empty((rows, _COLUMNS), dtype=np.int64)
