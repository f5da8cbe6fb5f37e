"""Checks of invariants on positions, shared by the smoke test and the contract check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Self

import numpy as np

from papan.core.game import Game, Position
from papan.errors import BrokenContract
from papan.rules import operations as rules
from papan.usercode.contract.case import MOST_WALKED, PositionCase, walk
from papan.usercode.contract.rules import BEFORE_WALKING
from papan.usercode.failures import RULE_ERRORS, reason_of
from papan.usercode.watchdog import Watchdog, watched

Invariant = Callable[[PositionCase], None]


class PositionCheck:
    """A running check.

    Attributes:
        positions: number of checked positions.
    """

    def __init__(self, game: Game, random: Random, watchdog: Watchdog) -> None:
        self.game, self.random, self.watchdog = game, random, watchdog
        self.positions = 0

    @classmethod
    @contextmanager
    def of(cls, game: Game, seed: int) -> Iterator[Self]:
        """Yields a check of a game; endless rules are interrupted."""
        # Overflow is intended where hashes are multiplied.
        with np.errstate(over="ignore"), watched() as watchdog:
            yield cls(game, Random(seed), watchdog)

    def blank_case(self, position: Position) -> PositionCase:
        """Returns the case of a position without its moves."""
        return PositionCase(position, [], [], [], self.random)

    def walked_case(self, position: Position) -> PositionCase:
        """Returns the case of a position with its legal moves, after checking the invariants that a
        walk needs.

        Raises:
            BrokenContract: An invariant of `BEFORE_WALKING` is violated.
        """
        blank = self.blank_case(position)
        self.check(blank, BEFORE_WALKING)
        with self.reported(blank, "moves, more, head, tail"):
            most = min(MOST_WALKED, int(rules.most_moves(position.state)) + 1)
            return replace(blank, walked=walk(position.state, most))

    def check(self, case: PositionCase, invariants: Iterable[Invariant]) -> None:
        """Checks invariants on a position.

        Raises:
            BrokenContract: An invariant is violated.
        """
        for invariant in invariants:
            with self.reported(case, invariant.__doc__):
                invariant(case)

    @contextmanager
    def reported(self, case: PositionCase, promise: str | None) -> Iterator[None]:
        """Turns an exception or an endless loop of the game under test into `BrokenContract`."""
        self.watchdog.renew()
        try:
            yield
        except BrokenContract:
            raise
        except RULE_ERRORS as error:
            found = " ".join(str(reason_of(error)).split())
            raise case.broken("raises", found=found, expected=promise) from error
        finally:
            self.watchdog.rest()


def require_bounds(cases: list[PositionCase]) -> None:
    """Requires that no game is longer than `max_plies_left` states at any of its positions."""
    for plies, case in enumerate(reversed(cases)):
        bound = rules.max_plies_left(case.state)
        case.require(bound >= plies, "max-plies-left", found=bound, expected=f"≥ {plies}")
