"""One position met by the contract check, and how a broken invariant is reported."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from papan.core.game import Game, Position
from papan.errors import BrokenContract
from papan.rules import operations as rules
from papan.rules.operations import State

#: No more of a value than this is shown in a message.
_SHOWN = 160
#: A walk over moves that goes on after so many is cut off.
MOST_WALKED = 100_000


@dataclass(frozen=True)
class PositionCase:
    """A position of a random game, with what the invariants are checked on.

    Attributes:
        position: the position.
        walked: the legal moves as `moves`, `more`, `head` and `tail` give them.
        sample: the moves whose consequences are looked at.
        foreign: a move that was legal elsewhere and is not here, if one is at hand.
        random: the source of everything chosen by chance.
        symmetry: the index of the symmetry that is looked at.
    """

    position: Position
    walked: list[int]
    sample: list[int]
    foreign: list[int]
    random: Random
    symmetry: int = 0

    @property
    def game(self) -> Game:
        """The game under test."""
        return self.position.game

    @property
    def state(self) -> State:
        """The state under test."""
        return self.position.state

    @functools.cached_property
    def children(self) -> list[tuple[int, State]]:
        """The sampled moves and the states after them."""
        return [(move, rules.play(self.state, move)) for move in self.sample]

    def require(
        self,
        kept: bool,
        promise: str,
        move: int | str | None = None,
        *,
        found: object,
        expected: object,
        rule: str = "",
    ) -> None:
        """Raises `BrokenContract` unless the invariant holds.

        Args:
            kept: whether it was.
            promise: names the message `contract.<promise>` of the catalogue, or with a dot any.
            move: the move it is about, as number or text.
            found: what the game says.
            expected: what it should say.
            rule: operations or methods that may break the invariant, the likeliest first.
        """
        if not kept:
            raise self.broken(promise, move, found=found, expected=expected, rule=rule)

    def require_whole(self, value: object, rule: str) -> None:
        """Raises `BrokenContract` unless the result of a rule is an integer."""
        whole = isinstance(value, int | np.integer)
        self.require(whole, "game-file.whole", found=repr(value), expected="int", rule=rule)

    def broken(
        self,
        promise: str,
        move: int | str | None = None,
        *,
        found: object,
        expected: object,
        rule: str = "",
    ) -> BrokenContract:
        """The error that names invariant, position and move; `rule` is the operation that breaks
        the invariant, if known."""
        line = attempt(lambda: self.game.write_state(self.state))
        said = ""
        if isinstance(move, str):
            said = f"'{move}'"
        elif move is not None:
            said = attempt(lambda: self.game.write_move(move))
        return BrokenContract(
            "contract.broken",
            where=f"{self.game.spec} '{line}' {said}".rstrip(),
            promise=f"@{promise}" if "." in promise else f"@contract.{promise}",
            found=_shortened(found),
            expected=_shortened(expected),
            state=self.state,
            move=said,
            rule=rule,
        )


def attempt(write: Callable[[], object]) -> str:
    """The text that `write` returns, or the name of the exception that it raises."""
    try:
        return str(write())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def walk(state: State, most: int = MOST_WALKED) -> list[int]:
    """The legal moves of a state in the order in which a search meets them.

    A walk that does not end by itself is cut off after `most` moves.
    """
    found: list[int] = []
    rest = rules.moves(state)
    while rules.more(state, rest) and len(found) < most:
        found.append(int(rules.head(state, rest)))
        rest = rules.tail(state, rest)
    return found


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
