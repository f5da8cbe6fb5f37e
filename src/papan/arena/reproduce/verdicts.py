"""What is said of a claim, given our own games.

A claim says which of two players is better. It *holds* if the 95 % interval of that player's
score lies above one half, is *contradicted* if it lies below, and *not decided* if it holds one
half. The interval is Wilson's, from game pairs where all pairs are complete. Draws count half.
About 1 in 20 claims about players of equal strength would be decided by chance alone.
"""

from __future__ import annotations

from papan.arena.reproduce.claims import FIRST

HOLDS = "holds"
CONTRADICTED = "contradicted"
UNDECIDED = "not decided"
UNCLAIMED = "no claim"

EVEN = 0.5


def verdict(better: str | None, interval: tuple[float, float] | None) -> str:
    """The verdict on the claim that `better` (`first`, `second`) is the stronger player.

    `interval` is the 95 % interval of the first player's score; None without any game.
    """
    if better is None:
        return UNCLAIMED
    if interval is None or interval[0] <= EVEN <= interval[1]:
        return UNDECIDED
    first_is_better = interval[0] > EVEN
    return HOLDS if first_is_better == (better == FIRST) else CONTRADICTED
