"""Moves as actions: consecutive numbers from 0, as learning libraries expect them.

A game's own move numbers have gaps: on a 5 × 5 board of Adjacency they go up to 36. The actions are
all moves that have a notation, legal or not, in the order of their numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import index

import numpy as np
from numpy.typing import NDArray

from papan.core.game import Game, Position
from papan.errors import IllegalMove, InvalidMove, PapanError, UsageError
from papan.jit.compiler import kernel
from papan.rules import operations as rules
from papan.rules.operations import State, repetition_is_forbidden

#: Upper limit of move numbers: enough for moves between two places of up to 256.
MOST_CODES = 1 << 16

_NO_ACTION = -1


@dataclass(frozen=True)
class Actions:
    """The actions of a game; `actions_of` returns them from a cache.

    Attributes:
        game: the game.
        codes: move number of each action.
    """

    game: Game
    codes: tuple[int, ...]
    _action_of: NDArray[np.int64] = field(init=False, repr=False, compare=False)
    _code_of: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        action_of = np.full(codes_of(self.game), _NO_ACTION, dtype=np.int64)
        action_of[list(self.codes)] = np.arange(len(self.codes))
        object.__setattr__(self, "_action_of", action_of)
        written = {self.game.write_move(code): code for code in self.codes}
        object.__setattr__(self, "_code_of", written)

    def __len__(self) -> int:
        return len(self.codes)

    def legal(self, position: Position) -> NDArray[np.int64]:
        """Returns the legal actions in ascending order; empty after the end of the game.

        Raises:
            UsageError: a move of the game has no action.
        """
        # Only games with a repetition rule keep their history.
        if position.past and position.outcome() is not None:
            return np.empty(0, dtype=np.int64)
        if repetition_is_forbidden(position.state):
            return self._action_of[position.codes()]
        actions = np.empty(len(self), dtype=np.int64)
        count = list_actions(position.state, self._action_of, actions)
        if count == _NO_ACTION:
            raise UsageError("adapter.moves", text=self.game.spec, most=MOST_CODES)
        return actions[:count]

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Returns an array with one element per action: 1 if it is legal, else 0."""
        mask = np.zeros(len(self), dtype=np.int8)
        mask[self.legal(position)] = 1
        return mask

    def text(self, action: int) -> str:
        """Returns the move of an action in the game's notation."""
        return self.game.write_move(self.codes[action])

    def action(self, move: str) -> int:
        """Returns the action of a written move.

        Raises:
            InvalidMove: the text is not a move.
        """
        code = self._code_of.get(move)
        if code is None:
            raise InvalidMove("move.unreadable", text=move, example=self.text(0))
        return int(self._action_of[code])

    def after(self, position: Position, action: int) -> Position:
        """Returns the position after an action.

        Raises:
            IllegalMove: the action is illegal or does not exist.
        """
        number = index(action)
        legal = self.legal(position)
        if number not in legal:
            text = self.text(number) if 0 <= number < len(self) else str(number)
            shown = ", ".join(self.text(other) for other in legal[:8])
            raise IllegalMove("move.illegal", text=text, legal=shown)
        return position.after(self.codes[number])


@functools.cache
def actions_of(game: Game) -> Actions:
    """Returns the actions of a game: all moves that have a notation."""
    return Actions(game, tuple(_codes(game)))


def codes_of(game: Game) -> int:
    """Returns the number after the largest move number of a game, at most `MOST_CODES`."""
    return min(int(rules.largest_move(game.start_state())) + 1, MOST_CODES)


def _codes(game: Game) -> Iterator[int]:
    for code in range(codes_of(game)):
        try:
            game.write_move(code)
        except (PapanError, LookupError, ValueError):  # not the number of a move
            continue
        yield code


@kernel
def list_actions(state: State, action_of: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
    """Writes the legal actions of a state to `actions`; returns their number.

    Returns −1 if a move has no action.
    """
    count = 0
    rest = rules.moves(state)
    while rules.more(state, rest):
        code = rules.head(state, rest)
        fits = 0 <= code < len(action_of) and count < len(actions)
        if not fits or action_of[code] < 0:
            return _NO_ACTION
        actions[count] = action_of[code]
        count += 1
        rest = rules.tail(state, rest)
    return count
