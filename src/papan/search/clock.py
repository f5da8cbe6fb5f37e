"""How much of what is left on a clock a move may take."""

from __future__ import annotations

from papan.core.game import Position
from papan.kernel import operations as rules

#: Kept back for what lies between this program and the arbiter's clock, in seconds.
MARGIN = 0.05
#: No game is planned for more own moves than this: most end before, and an early move that was
#: thought about well is worth more than a late one.
MOST_MOVES = 30
#: No move takes more than this part of what is left, increment or not.
LARGEST_SHARE = 0.5
#: No move takes less, in seconds: the shortest limit there is.
LEAST = 0.001


def seconds_for_move(position: Position, left: float, increment: float = 0.0) -> float:
    """The time to spend on a move: an equal share of what is left for each move still to make,
    and the increment.

    Args:
        position: tells how many moves there may still be.
        left: on the mover's clock, in seconds.
        increment: what the mover gets back for each move, in seconds.

    Returns:
        Seconds; never more than what is left without `MARGIN`, as long as that is `LEAST` or more.
    """
    own_moves = (int(rules.max_plies_left(position.state)) + 1) // 2
    usable = max(0.0, left - MARGIN)
    share = usable / max(1, min(own_moves, MOST_MOVES)) + increment
    most = usable if own_moves <= 1 else usable * LARGEST_SHARE
    return max(LEAST, min(share, most))
