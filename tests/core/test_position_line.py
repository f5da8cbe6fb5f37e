"""Which fields of a state a position line writes, and how."""

from typing import NamedTuple

import pytest

from papan.core.board.geometry import Grid
from papan.core.board.kinds import Cells
from papan.core.board.pieces import TWO_SIDES, Piece
from papan.core.position_line import read_fields, write_fields
from papan.errors import InvalidPosition
from papan.rules.bits import NONE, Bits, bit
from papan.rules.operations import piece_at

BOARD = Cells((("a", "b", "c"),))


class Owners(NamedTuple):
    """A row that says who is where: 1 is `x`, 2 is `o`."""

    row: tuple[int, ...]
    side: int
    size: int


class Heaps(NamedTuple):
    """A row that says how many are where, whoever they are."""

    row: tuple[int, ...]
    side: int


class Room(NamedTuple):
    """Sets of pieces and of empty places: on all others there is a stone of neither side."""

    mine: Bits
    theirs: Bits
    free: Bits


@piece_at.register(Room)
def _(state: Room, place: int) -> int:
    held = [bool(places & bit(place)) for places in (state.free, state.mine, state.theirs)]
    return held.index(True) if any(held) else 3


@piece_at.register(Owners)
def _(state: Owners, place: int) -> int:
    return state.row[place]


@piece_at.register(Heaps)
def _(state: Heaps, place: int) -> int:
    return min(state.row[place], 2)


def test_a_row_of_kinds_is_written_as_a_board() -> None:
    state = Owners((0, 2, 1), 1, 3)
    assert write_fields(BOARD, state) == "1ox o 3"
    assert read_fields(BOARD, state, "1ox o 3") == state


def test_a_row_of_which_the_kinds_do_not_tell_all_is_written_as_numbers() -> None:
    state = Heaps((0, 7, 2), 0)
    assert write_fields(BOARD, state) == "x 0,7,2"
    assert read_fields(BOARD, Heaps((0, 0, 0), 0), "x 0,7,2") == state


def test_settings_are_not_written() -> None:
    state = Owners((0, 2, 1), 1, 3)
    assert write_fields(BOARD, state, settings=["size"]) == "1ox o"
    assert read_fields(BOARD, Owners((0, 0, 0), 0, 3), "1ox o", settings=["size"]) == state
    with pytest.raises(InvalidPosition, match="<board> <side to move>"):
        read_fields(BOARD, state, "1ox o 3", settings=["size"])


def test_empty_places_may_have_a_set_of_their_own() -> None:
    pieces = (*TWO_SIDES, Piece("*"))
    state = Room(bit(0), bit(2), bit(1) | bit(3))
    board = Grid(1, 5)
    assert write_fields(board, state, pieces) == "x1o1*"
    assert read_fields(board, Room(NONE, NONE, NONE), "x1o1*", pieces) == state
