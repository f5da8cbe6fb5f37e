"""When the referee ends a game before the rules do: it is too long, or its result is proven."""

from __future__ import annotations

from papan.arena.conditions import Conditions
from papan.core.game import Outcome, Position

#: A proof may look at so many nodes and take so many seconds. Where it is known beforehand that
#: it takes more it is not begun, so the time is used up on a busy machine only.
PROOF_NODES = 100_000
PROOF_SECONDS = 5.0


def settled(position: Position, plies: int, conditions: Conditions) -> tuple[Outcome, str] | None:
    """The result of an unfinished game that ends by the referee's word, and why; else None.

    Args:
        position: how the game stands.
        plies: how long it has lasted.
        conditions: what was agreed on.
    """
    if conditions.adjudicate and (outcome := proven_outcome(position)) is not None:
        return outcome, "proven by exact solving"
    if conditions.most_plies and plies >= conditions.most_plies:
        return Outcome.DRAW, f"{plies} plies"
    return None


def proven_outcome(position: Position) -> Outcome | None:
    """Who wins with best play by both sides, if that can be proven cheaply; else None."""
    # Imported here, since most referees never need it and it means loading the solvers.
    from papan.search.solver import cheap_solution

    solution = cheap_solution(position, seconds=PROOF_SECONDS, nodes=PROOF_NODES)
    if solution is None:
        return None
    if solution.value == 0:
        return Outcome.DRAW
    mover = "xo".index(position.side)
    return Outcome.of_winner(mover if solution.value > 0 else 1 - mover)
