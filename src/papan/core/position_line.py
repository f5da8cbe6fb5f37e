"""The default position line: a board, the side to move, and numbers.

    class State(NamedTuple):
        mine: Bits                 xo1/1x1/3 o 7
        theirs: Bits               <board> <side to move> <plies left>
        side: int
        plies_left: int

- The board shows the letters of the pieces (`piece_at`). Trial and error shows which fields of the
  state it covers: sets of places are filled in all ways, and `piece_at` is called each time.
- All other fields follow in their order: numbers, and tuples of numbers separated by commas. If
  `piece_at` cannot be inverted, all fields are written this way.
- Settings are omitted: an integer field with the name of one of the game's options is the same in
  all positions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from papan.core.board.geometry import Geometry
from papan.core.board.pieces import TWO_SIDES, Piece, kind_at
from papan.core.notation import (
    SIDES,
    read_kinds,
    read_number,
    read_side,
    split_fields,
    write_kinds,
)
from papan.errors import InvalidPosition
from papan.rules import operations as rules
from papan.rules.bits import capacity
from papan.rules.wide import WideBits

_SIDE = "side"
#: Largest number of sets that together mark a kind of piece (example: "white" and "knights").
_MOST_SETS = 3
_LARGEST = 2**63 - 1
_LARGEST_WORD = 2**64 - 1

#: For each side to move: a kind of piece → the fields in which its place is set.
Sets = tuple[Mapping[int, frozenset[str]], ...]


@dataclass(frozen=True)
class Spelling:
    """The fields of a state that a written board covers.

    Attributes:
        sets: for each side to move, the sets of places that contain each kind.
        row: name of the tuple with a number for each place, if the state has one instead of sets.
        numbers: number in that tuple for each kind; kind 0 is an empty place.
    """

    sets: Sets = ()
    row: str = ""
    numbers: Mapping[int, int] = field(default_factory=dict)

    @property
    def fields(self) -> set[str]:
        """The names of the fields."""
        named = {name for kinds in self.sets for names in kinds.values() for name in names}
        return named | ({self.row} if self.row else set())


def write_fields(
    board: Geometry,
    state: Any,
    pieces: Sequence[Piece] = TWO_SIDES,
    settings: Collection[str] = (),
    kinds: Mapping[int, int] | None = None,
) -> str:
    """Returns the position line of a state, without its settings.

    Args:
        board: the geometry of the board.
        state: the state.
        pieces: the game's kinds of pieces.
        settings: names of the fields to omit.
        kinds: kind of piece on each square, if known.

    Examples:
        >>> game = papan.game("tictactoe")
        >>> write_fields(game.board, game.start_state())
        '3/3/3 x'
    """
    board = board.main
    spelling, words = _spelling(board, tuple(pieces), state), []
    if spelling.fields:
        if kinds is None:
            kinds = {place: kind_at(pieces, state, place) for place in board.squares}
        words.append(write_kinds(board, kinds, pieces))
    if hasattr(state, _SIDE):
        words.append(SIDES[state.side])
    plain = _plain(state, spelling, settings)
    return " ".join([*words, *(_write_field(getattr(state, name)) for name in plain)])


def read_fields(
    board: Geometry,
    example: Any,
    line: str,
    pieces: Sequence[Piece] = TWO_SIDES,
    settings: Collection[str] = (),
) -> Any:
    """Returns the state that a line describes.

    Args:
        board: the geometry of the board.
        example: a state of the same game; fields, types and settings are taken from it.
        line: the position line.
        pieces: the game's kinds of pieces.
        settings: names of the fields that the line omits.

    Raises:
        InvalidPosition: the line is malformed.

    Examples:
        >>> game = papan.game("tictactoe")
        >>> read_fields(game.board, game.start_state(), "3/1x1/3 o")
        State(mine=np.uint64(0), theirs=np.uint64(512), side=1)
    """
    board = board.main
    spelling = _spelling(board, tuple(pieces), example)
    words = iter(split_fields(line, _layout(example, spelling, settings)))
    fields: dict[str, Any] = {name: getattr(example, name) for name in settings}
    kinds = read_kinds(next(words), board, pieces) if spelling.fields else {}
    if hasattr(example, _SIDE):
        fields[_SIDE] = read_side(next(words))
    fields |= _board_fields(board, example, spelling, kinds, fields.get(_SIDE, 0))
    for name, word in zip(_plain(example, spelling, settings), words, strict=True):
        fields[name] = _read_field(word, getattr(example, name), name)
    return type(example)(**fields)


def _layout(state: Any, spelling: Spelling, settings: Collection[str]) -> str:
    """Returns the names of the fields of a position line: `<board> <side to move> <plies left>`."""
    names = ["board"] if spelling.fields else []
    names += ["side to move"] if hasattr(state, _SIDE) else []
    names += map(_words, _plain(state, spelling, settings))
    return " ".join(f"<{name}>" for name in names)


# --- fields that are written unchanged ------------------------------------------------------------


def _plain(state: Any, spelling: Spelling, settings: Collection[str]) -> Iterator[str]:
    """Yields the names of the fields that are neither on the board nor settings of the game."""
    covered = {*spelling.fields, _SIDE, *settings}
    return (name for name in state._fields if name not in covered)


def _write_field(field: Any) -> str:
    return ",".join(map(str, field)) if isinstance(field, tuple) else str(int(field))


def _read_field(word: str, example: Any, name: str) -> Any:
    """Returns the value of a field, with the type of the example."""
    if isinstance(example, tuple):
        numbers = word.split(",")
        if len(numbers) != len(example):
            raise InvalidPosition(
                "position.list", text=word, what=_words(name), expected=len(example)
            )
        low = _least(example)
        return tuple(read_number(number, low, _LARGEST, _words(name)) for number in numbers)
    kind = type(example)
    if issubclass(kind, WideBits):
        return kind(read_number(word, 0, kind.full, _words(name)))
    if issubclass(kind, np.uint64):
        return kind(read_number(word, 0, _LARGEST_WORD, _words(name)))
    return kind(read_number(word, _least((example,)), _LARGEST, _words(name)))


def _least(example: Sequence[int]) -> int:
    """Returns the smallest allowed number of a field.

    A negative number is allowed only if the example contains one, such as −1 for "no square".
    """
    return -_LARGEST if min(example, default=0) < 0 else 0


def _words(name: str) -> str:
    return name.replace("_", " ")


# --- fields that the board covers -----------------------------------------------------------------


def _board_fields(
    board: Geometry, example: Any, spelling: Spelling, kinds: Mapping[int, int], side: int
) -> dict[str, Any]:
    """Returns the fields that the board covers, with their values."""
    if spelling.row:
        row = [spelling.numbers[0]] * len(getattr(example, spelling.row))
        for place, kind in kinds.items():
            row[place] = spelling.numbers[kind]
        return {spelling.row: tuple(row)}
    filled: dict[str, set[int]] = {name: set() for name in spelling.fields}
    for place in board.squares if spelling.sets else ():
        for name in spelling.sets[side][kinds.get(place, 0)]:
            filled[name].add(place)
    return {name: type(getattr(example, name))(_number(places)) for name, places in filled.items()}


def _number(places: set[int]) -> int:
    return sum(1 << place for place in places)


def _spelling(board: Geometry, pieces: tuple[Piece, ...], state: Any) -> Spelling:
    """Returns which fields of a state the board covers; none if `piece_at` cannot be inverted."""
    return _matching_fields(board, pieces, type(state)(*map(_blank, state)))


def _blank(field: Any) -> Any:
    """Returns an empty set, 0, or a tuple of zeros, of the type of a field."""
    return (0,) * len(field) if isinstance(field, tuple) else type(field)(0)


# `typed`, because states of different games may be equal as tuples.
@lru_cache(maxsize=256, typed=True)
def _matching_fields(board: Geometry, pieces: tuple[Piece, ...], empty: Any) -> Spelling:
    kinds = range(len(pieces) + 1)
    sides = (0, 1) if hasattr(empty, _SIDE) else (0,)
    by_side = [empty._replace(side=side) if len(sides) > 1 else empty for side in sides]
    ends = (board.squares[0], board.squares[-1])
    sets = tuple(_sets(state, ends[0], len(pieces)) for state in by_side)
    same = sets == tuple(_sets(state, ends[1], len(pieces)) for state in by_side)
    if same and all(set(by_kind) >= set(kinds) for by_kind in sets):
        return Spelling(sets=tuple({kind: by_kind[kind] for kind in kinds} for by_kind in sets))
    for name in empty._fields:
        numbers = _numbers(by_side, name, ends, len(pieces))
        if set(numbers) >= set(kinds):
            return Spelling(row=name, numbers=numbers)
    return Spelling()


def _sets(empty: Any, place: int, most: int) -> dict[int, frozenset[str]]:
    """Returns, for each kind of piece, the smallest group of sets that puts it on a place.

    Kind 0, an empty place, is included: a state may have a set of the empty places.
    """
    names = [name for name in empty._fields if _holds(getattr(empty, name), place)]
    by_kind: dict[int, frozenset[str]] = {}
    for size in range(min(_MOST_SETS, len(names)) + 1):
        for chosen in combinations(names, size):
            filled = {name: type(getattr(empty, name))(1 << place) for name in chosen}
            kind = _kind(empty._replace(**filled), place)
            if 0 <= kind <= most:
                by_kind.setdefault(kind, frozenset(chosen))
    return by_kind


def _holds(field: Any, place: int) -> bool:
    """Returns whether a field is a set with a bit for a place.

    Smaller sets may stand for something else than the board.
    """
    is_set = isinstance(field, np.uint64 | WideBits)
    return is_set and place < capacity(field)


def _numbers(by_side: Sequence[Any], name: str, ends: tuple[int, int], most: int) -> dict[int, int]:
    """Returns, for each kind of piece, the number that stands for it in the tuple `name`.

    The result is empty if the tuple does not determine the kind, or if two numbers give the same
    kind (a tuple of seed counts, for example).
    """
    row = getattr(by_side[0], name)
    if not isinstance(row, tuple) or len(row) <= max(ends):
        return {}
    numbers: dict[int, int] = {}
    for number in sorted(range(-most, 2 * most + 1), key=abs):
        seen = set()
        for state in by_side:
            for place in ends:
                filled = (*row[:place], number, *row[place + 1 :])
                seen.add(_kind(state._replace(**{name: filled}), place))
        kind = seen.pop()
        if not seen and kind in range(1, most + 1) and kind in numbers:
            return {}
        if not seen:
            numbers.setdefault(kind, number)
    return numbers


def _kind(state: Any, place: int) -> int:
    """Returns the kind of piece on a place, or −1 if the rule fails.

    The rule may fail because the state is a trial, which may be impossible in the game.
    """
    try:
        return int(rules.piece_at(state, place))
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return -1
