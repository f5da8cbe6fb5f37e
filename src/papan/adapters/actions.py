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
from papan.errors import GameOver, IllegalMove, InvalidMove, PapanError, UsageError
from papan.rules import operations as rules

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
    _action_of: list[int] = field(init=False, repr=False, compare=False)
    _texts: list[str] = field(init=False, repr=False, compare=False)
    _action_of_text: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        action_of = [_NO_ACTION] * codes_of(self.game)
        for action, code in enumerate(self.codes):
            action_of[code] = action
        object.__setattr__(self, "_action_of", action_of)
        texts = [self.game.write_move(code) for code in self.codes]
        object.__setattr__(self, "_texts", texts)
        actions = {text: action for action, text in enumerate(texts)}
        object.__setattr__(self, "_action_of_text", actions)

    def __len__(self) -> int:
        return len(self.codes)

    def legal(self, position: Position) -> list[int]:
        """Returns the legal actions in ascending order; empty after the end of the game.

        Raises:
            UsageError: a move of the game has no action.
        """
        try:
            actions = [self._action_of[code] for code in position.codes()]
        except IndexError:
            actions = [_NO_ACTION]
        if _NO_ACTION in actions:
            raise UsageError("adapter.moves", text=self.game.spec, most=MOST_CODES)
        return actions

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Returns an array with one element per action: 1 if it is legal, else 0."""
        mask = bytearray(len(self))
        for action in self.legal(position):
            mask[action] = 1
        return np.frombuffer(mask, np.int8)

    def text(self, action: int) -> str:
        """Returns the move of an action in the game's notation."""
        return self._texts[action]

    def action(self, move: str) -> int:
        """Returns the action of a written move.

        Raises:
            InvalidMove: the text is not a move.
        """
        action = self._action_of_text.get(move)
        if action is None:
            raise InvalidMove("move.unreadable", text=move, example=self.text(0))
        return action

    def after(self, position: Position, action: int) -> Position:
        """Returns the position after an action.

        Raises:
            IllegalMove: the action is illegal or does not exist.
        """
        number = index(action)
        if not 0 <= number < len(self.codes):
            raise self._refusal(position, str(number))
        try:
            return position.play(self.codes[number])
        except (IllegalMove, GameOver):
            raise self._refusal(position, self.text(number)) from None

    def _refusal(self, position: Position, text: str) -> IllegalMove:
        shown = ", ".join(map(self.text, self.legal(position)[:8]))
        return IllegalMove("move.illegal", text=text, legal=shown)


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
