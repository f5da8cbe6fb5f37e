"""Conditions of a game besides its rules: the clock, and when the referee ends it."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.game import Outcome, Position
from papan.play.clock import Clock, TimeControl
from papan.search.limits import MARGIN, Limit

#: Limits of a proof. Where it is known beforehand that it takes more nodes it is not begun, so
#: the seconds are used up on a busy machine only.
PROOF_NODES = 100_000
PROOF_SECONDS = 5.0


@dataclass(frozen=True)
class Conditions:
    """Conditions that both sides keep to, and when the referee ends a game before the rules do.

    Attributes:
        clock: the time of each side for the whole game; None for no such clock.
        margin: how long after its time a move is still taken, in seconds: what the machine, not
            the player, may take. On a clock it can be used up once in a game.
        most_plies: a game that has lasted for this many plies is a draw; 0 lets it go on.
        adjudicate: True if a game ends as soon as its result is proven by exact solving.
    """

    clock: TimeControl | None = None
    margin: float = MARGIN
    most_plies: int = 0
    adjudicate: bool = False

    def new_clock(self) -> Clock:
        """The clock of a game that begins."""
        return Clock.of(self.clock, self.margin)

    def limit(self, limit: Limit, clock: Clock, position: Position) -> Limit:
        """The limit of the next move: what each move may take, and what the clock shows.

        Args:
            limit: what each move may take.
            clock: the clock of the game.
            position: the position to move in.
        """
        is_plain = self.margin == MARGIN or limit.seconds is None
        if self.clock is None and is_plain:
            return limit
        return limit.on(clock.reading(limit.seconds), position)

    def time_control(self, limit: Limit) -> str:
        """Limit and clock as a record keeps them: `clock=60+0.6 depth=4`; empty without any."""
        parts = {
            "clock": self.clock,
            "time": limit.seconds,
            "depth": limit.depth,
            "nodes": limit.nodes,
            "margin": None if self.margin == MARGIN else self.margin,
        }
        return " ".join(
            f"{name}={_number(value)}" for name, value in parts.items() if value is not None
        )

    def identity(self) -> str:
        """Text that tells events apart; empty for the usual conditions.

        Stored games are found by names made from it, so it stays as it was first written, whatever
        the classes are called now.
        """
        if self == Conditions():
            return ""
        clock = self.clock and f"Clock(total={self.clock.total}, increment={self.clock.increment})"
        return (
            f"Terms(clock={clock}, margin={self.margin}, most_plies={self.most_plies}, "
            f"adjudicate={self.adjudicate})"
        )


def _number(value: TimeControl | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def adjudicated(
    position: Position, plies: int, conditions: Conditions
) -> tuple[Outcome, str] | None:
    """The result of an unfinished game that the referee ends, and why; None if it goes on.

    Args:
        position: the position at hand.
        plies: how long the game has lasted.
        conditions: the conditions that were agreed on.
    """
    if conditions.adjudicate and (outcome := proven_outcome(position)) is not None:
        return outcome, "proven by exact solving"
    if conditions.most_plies and plies >= conditions.most_plies:
        return Outcome.DRAW, f"{plies} plies"
    return None


def proven_outcome(position: Position) -> Outcome | None:
    """The outcome with best play by both sides, if that can be proven cheaply; else None."""
    # Imported here, since most referees never need it and it means loading the solvers.
    from papan.search.solver.solve import cheap_solution

    solution = cheap_solution(position, seconds=PROOF_SECONDS, nodes=PROOF_NODES)
    if solution is None:
        return None
    if solution.value == 0:
        return Outcome.DRAW
    mover = "xo".index(position.side)
    return Outcome.of_winner(mover if solution.value > 0 else 1 - mover)
