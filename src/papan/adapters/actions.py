"""Moves as actions: numbers from 0 up without a gap, as learning libraries want them.

A game's own numbers for its moves have gaps: on a 5 × 5 board of Adjacency they go up to 36. The
actions are all moves that can be written, legal or not, in the order of their numbers.
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

#: Moves have lower numbers than this: all games whose moves name two places of up to 256.
MOST_CODES = 1 << 16

_NO_ACTION = -1


@dataclass(frozen=True)
class Actions:
    """The actions of a game; `actions_of` has them ready.

    Attributes:
        game: the game.
        codes: the number of each action's move.
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
        """The legal actions, ascending; none when the game is over.

        Raises:
            UsageError: a move of the game has no action.
        """
        # Only games with a rule of repetition remember their past.
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
        """A number for each action: 1 if it is legal."""
        mask = np.zeros(len(self), dtype=np.int8)
        mask[self.legal(position)] = 1
        return mask

    def text(self, action: int) -> str:
        """The move of an action, in the game's notation."""
        return self.game.write_move(self.codes[action])

    def action(self, move: str) -> int:
        """The action of a written move.

        Raises:
            InvalidMove: the text is no move.
        """
        code = self._code_of.get(move)
        if code is None:
            raise InvalidMove("move.unreadable", text=move, example=self.text(0))
        return int(self._action_of[code])

    def after(self, position: Position, action: int) -> Position:
        """The position after an action.

        Raises:
            IllegalMove: the action is not legal here, or there is no such action.
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
    """The actions of a game: every move that it can write."""
    return Actions(game, tuple(_codes(game)))


def codes_of(game: Game) -> int:
    """The first number above those of all moves of a game, as far as there is room for it."""
    return min(int(rules.largest_move(game.start_state())) + 1, MOST_CODES)


def _codes(game: Game) -> Iterator[int]:
    for code in range(codes_of(game)):
        try:
            game.write_move(code)
        except (PapanError, LookupError, ValueError):  # no move has this number
            continue
        yield code


@kernel
def list_actions(state: State, action_of: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
    """Writes the legal actions of a state into `actions`; returns how many, or −1 if a move has no
    action."""
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
