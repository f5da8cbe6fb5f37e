"""Positions with compiled rules: one call of machine code for each ply.

`CompiledPosition` equals a `Position` with the same fields, and is copied and pickled as one. Where
machine code raises an exception, a `Position` in plain Python takes over, which reports the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from papan.core import moves
from papan.core.game import Game, Outcome, Position
from papan.core.notation import SIDES
from papan.jit.compiler import entry_of, is_on
from papan.jit.position import STAY, look, reach
from papan.rules.operations import MOST_MOVES, State

#: Moves that are listed with a new position; longer lists are made when they are needed.
_LISTED = 64

#: Indices in the result of `reach`.
_FIELDS, _CODES, _KEYS, _SETTLED, _SIDE, _OVER, _FINAL, _LIMIT, _FORBIDS, _KEY = range(10)


class CompiledRules:
    """The machine code of a game's rules, and what positions of the game share.

    Attributes:
        reach: machine code of `papan.jit.position.reach`.
        state_class: the class of the states.
        texts: the notation of moves by their numbers.
        reads_texts: true if a move is read by its notation alone.
    """

    def __init__(self, game: Game) -> None:
        start = game.start_state()
        self.game = game
        self.reach = entry_of(reach, start, STAY, 0)
        self.state_class = type(start)
        self.texts = moves.texts_of(game)
        self.reads_texts = type(game).read_move is Game.read_move
        self._places = np.array(list(game.board.squares), dtype=np.int64)
        self._look = entry_of(look, start, self._places)
        self._sets = [index for index, field in enumerate(start) if type(field) is np.uint64]

    def position(self, state: State, past: tuple[int, ...]) -> Position | None:
        """Returns the position of a state; None if machine code cannot read it."""
        if type(state) is not self.state_class:
            return None
        try:
            view = self.reach(state, STAY, _LISTED)
        except Exception:
            return None
        return _position(self, past, view)

    def look(self, state: State) -> list[tuple[int, int, int]] | None:
        """Returns each square of the board with its kind of piece and its number; None if a rule
        fails or there is no such kind.
        """
        if type(state) is not self.state_class:
            return None
        try:
            kinds, numbers = self._look(state, self._places)
        except Exception:
            return None
        if not 0 <= min(kinds) <= max(kinds) <= len(self.game.pieces):
            return None
        return list(zip(self.game.board.squares, kinds, numbers, strict=True))

    def state(self, fields: tuple[Any, ...]) -> State:
        """Returns the state with fields from machine code."""
        values = list(fields)
        for index in self._sets:
            values[index] = np.uint64(values[index])
        return self.state_class(*values)


def compiled_rules(game: Game) -> CompiledRules | None:
    """Returns the compiled rules of a game; None if numba is switched off.

    Raises:
        InvalidGame: a rule cannot be compiled.
    """
    return CompiledRules(game) if is_on() else None


class CompiledPosition(Position):
    """A position whose legal moves and result come from machine code."""

    _rules: CompiledRules
    _view: tuple[Any, ...]

    def __new__(cls, *args: Any, **named: Any) -> Any:
        """Returns a `Position`: fields from outside are checked in plain Python."""
        return Position(*args, **named)

    def __getattr__(self, name: str) -> Any:
        if name == "state":
            state = self.__dict__["state"] = self._rules.state(self._view[_FIELDS])
            return state
        return super().__getattr__(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = (self.game, self.state, self.past), (other.game, other.state, other.past)
        return mine == theirs

    __hash__ = Position.__hash__

    @property
    def side(self) -> str:
        return SIDES[self._view[_SIDE]]

    @property
    def fields(self) -> tuple[Any, ...]:
        fields: tuple[Any, ...] = self._view[_FIELDS]
        return fields

    @property
    def position_key(self) -> int:
        key: int = self._view[_KEY]
        return key

    def after(self, code: int) -> Position:
        # Machine code must not get a move that is not legal.
        if type(code) is int and code in self._legal:
            return self._reach(code)
        return super()._reach(code)

    def is_over(self) -> bool:
        view = self._view
        return bool(view[_OVER] or (view[_FORBIDS] and not self._legal))

    def outcome(self) -> Outcome | None:
        view = self._view
        if self.is_over():
            return Outcome.of_value(view[_FINAL], view[_SIDE])
        return Outcome.DRAW if self._is_repetition() else None

    def _play(self, move: str | int) -> Position:
        if type(move) is int:
            if move in self._legal:
                return self._reach(move)
        elif type(move) is str and self._rules.reads_texts:
            texts = self._rules.texts
            for code in self._legal:
                if texts[code] == move:
                    return self._reach(code)
        return super()._play(move)

    def _reach(self, code: int) -> Position:
        view, rules = self._view, self._rules
        try:
            reached = rules.reach(view[_FIELDS], code, _LISTED)
        except Exception:
            return super()._reach(code)
        remembers = view[_LIMIT] or view[_FORBIDS]
        return _position(rules, (*self.past, view[_KEY]) if remembers else self.past, reached)

    def _list_legal(self) -> list[int]:
        if self._is_repetition():
            return []
        view = self._view
        if len(view[_CODES]) == _LISTED:
            try:
                view = self._rules.reach(view[_FIELDS], STAY, MOST_MOVES)
            except Exception:
                return super()._list_legal()
        codes: list[int] = view[_CODES]
        if not view[_FORBIDS]:
            return codes
        stood = {*self.past, view[_KEY]}
        return [code for code, key in zip(codes, view[_KEYS], strict=True) if key not in stood]

    def _is_repetition(self) -> bool:
        view = self._view
        limit: int = view[_LIMIT]
        if limit == 0 or len(self.past) < limit - 1 or view[_OVER]:
            return False
        return self.stood >= limit - 1


_new: Callable[[type[CompiledPosition]], CompiledPosition] = object.__new__


def _position(rules: CompiledRules, past: tuple[int, ...], view: tuple[Any, ...]) -> Position:
    position = _new(CompiledPosition)
    values = position.__dict__
    values["game"], values["past"] = rules.game, past
    values["_rules"], values["_view"] = rules, view
    if view[_SETTLED]:
        values["_legal"] = view[_CODES]
    return position
