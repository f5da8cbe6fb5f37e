"""The notation that a game has when it defines none: a board, the side to move, and numbers.

    class State(NamedTuple):
        mine: Bits                 xo1/1x1/3 o 7
        theirs: Bits               <board> <side to move> <plies left>
        side: int
        plies_left: int

`mine` and `theirs` are the pieces of the side to move and of the other one, written as one board
where both are sets of squares. All other fields are written as they are, in their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from papan.core.notation import (
    SIDES,
    Frame,
    read_board,
    read_number,
    read_side,
    split_fields,
    write_board,
)

_PIECES = ("mine", "theirs")
_SIDE = "side"
_LARGEST = {int: 2**63 - 1, np.uint64: 2**64 - 1}


def has_board(state: Any) -> bool:
    """True if `mine` and `theirs` of a state are sets of squares."""
    return all(isinstance(getattr(state, name, None), np.uint64) for name in _PIECES)


def write_fields(frame: Frame, state: Any) -> str:
    """The position line of a state."""
    words = []
    if has_board(state):
        pieces = (state.mine, state.theirs)
        words.append(write_board(frame, *(pieces if _mover(state) == 0 else pieces[::-1])))
    if hasattr(state, _SIDE):
        words.append(SIDES[state.side])
    return " ".join([*words, *(str(int(getattr(state, name))) for name in _numbers(state))])


def read_fields(frame: Frame, example: Any, line: str) -> Any:
    """The state that a line describes, with the fields and types of an example.

    Raises:
        InvalidPosition: the line is malformed.
    """
    words = iter(split_fields(line, layout(example)))
    found: dict[str, Any] = {}
    board = read_board(next(words), frame) if has_board(example) else None
    if hasattr(example, _SIDE):
        found[_SIDE] = read_side(next(words))
    if board is not None:
        turned = board if found.get(_SIDE, 0) == 0 else board[::-1]
        found.update(zip(_PIECES, turned, strict=True))
    for name, word in zip(_numbers(example), words, strict=True):
        kind = type(getattr(example, name))
        found[name] = kind(read_number(word, 0, _LARGEST[kind], _words(name)))
    return type(example)(**found)


def layout(state: Any) -> str:
    """The names of the fields of a position line: `<board> <side to move> <plies left>`."""
    names = ["board"] if has_board(state) else []
    names += ["side to move"] if hasattr(state, _SIDE) else []
    return " ".join(f"<{name}>" for name in [*names, *map(_words, _numbers(state))])


def _mover(state: Any) -> int:
    return int(getattr(state, _SIDE, 0))


def _numbers(state: Any) -> Iterator[str]:
    """The names of the fields that are written as numbers."""
    shown = {_SIDE, *(_PIECES if has_board(state) else ())}
    return (name for name in state._fields if name not in shown)


def _words(name: str) -> str:
    return name.replace("_", " ")
