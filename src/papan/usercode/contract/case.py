"""A position in a contract check, and the report of a violated invariant."""

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

#: Maximum number of shown characters of a value.
_SHOWN = 160
#: Maximum number of moves of a walk.
MOST_WALKED = 100_000


@dataclass(frozen=True)
class PositionCase:
    """A position of a random game with the data for its invariants.

    Attributes:
        position: the position.
        walked: the legal moves from `moves`, `more`, `head` and `tail`.
        sample: the moves that are played.
        foreign: at most one move that was legal elsewhere and is illegal here.
        random: the source of random choices.
        symmetry: the index of the checked symmetry.
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
            kept: true if the invariant holds.
            promise: the last word of the message `contract.<promise>`; or a whole message name with
                a dot.
            move: the move in question, as number or text.
            found: the result of the game.
            expected: the expected result.
            rule: operations or methods that may violate the invariant, likeliest first.
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
        """Returns the error with invariant, position and move; `rule` is the operation that
        violates the invariant, if known."""
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
    """Returns the text of `write`, or the name of the exception that it raises."""
    try:
        return str(write())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def walk(state: State, most: int = MOST_WALKED) -> list[int]:
    """Returns the legal moves of a state in the order of a search.

    The walk stops after `most` moves, in case it is endless.
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
