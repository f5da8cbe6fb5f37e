"""Claims of the sources, two course reports on Adjacency and a homework on Corners, and verdicts.

A claim says which of two players is better. Given our own games, it *holds* if the 95 % interval of
that player's score lies above one half, is *contradicted* if it lies below, and *not decided* if
it holds one half. The interval is Wilson's, from game pairs where all pairs are complete. Draws
count half. About 1 in 20 claims about players of equal strength would be decided by chance alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Board lengths of the reports' games, in rounds: those between machines, then the two more at
#: which the second report's machine played a person.
ROUNDS = (8, 12, 16, 28, 17, 23)

FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class Claim:
    """The result of one pairing in one report.

    Attributes:
        wins: games that the pairing's first player won.
        losses: games that it lost.
        rounds: at which lengths; empty where the report does not say.
        exceptions: who won at some lengths, where that is known and not the better one.
        scattered: whether the report leaves open which of the games were won.
        note: what else there is to know.
    """

    wins: int
    losses: int
    rounds: tuple[int, ...]
    exceptions: Mapping[int, str] = field(default_factory=dict)
    scattered: bool = False
    note: str = ""

    @property
    def better(self) -> str:
        """The player that won more games."""
        return FIRST if self.wins > self.losses else SECOND

    @property
    def text(self) -> str:
        """Wins and losses, as the report prints them."""
        return f"{self.wins}–{self.losses}" + (f" {self.note}" if self.note else "")

    def at(self, rounds: int) -> str | None:
        """The better player at this length according to the report; None if it says nothing.

        Where it does not say which of its games were won, the result of all of them speaks.
        """
        if rounds not in self.rounds:
            return None
        return self.exceptions.get(rounds, self.better)


MINIMAX_HUMAN = "minimax – human"
LOCAL_HUMAN = "local search – human"
MINIMAX_LOCAL = "minimax – local search"
MINIMAX_GENETIC = "minimax – genetic"
LOCAL_GENETIC = "local search – genetic"

#: Report → pairing → claim.
REPORTS: Mapping[str, Mapping[str, Claim]] = {
    "first": {
        MINIMAX_HUMAN: Claim(5, 0, (8, 12, 16, 20, 28)),
        LOCAL_HUMAN: Claim(2, 1, (8, 12, 28), scattered=True),
        MINIMAX_LOCAL: Claim(3, 0, (8, 12, 28)),
        MINIMAX_GENETIC: Claim(3, 0, (8, 16, 28)),
        LOCAL_GENETIC: Claim(2, 1, (8, 12, 28), exceptions={8: SECOND}),
    },
    "second": {
        MINIMAX_HUMAN: Claim(0, 5, (28, 8, 12, 17, 23)),
        LOCAL_HUMAN: Claim(1, 2, (28, 8, 16), scattered=True),
        MINIMAX_LOCAL: Claim(1, 2, (28, 8, 16), scattered=True),
        MINIMAX_GENETIC: Claim(0, 3, (28, 8, 16)),
        LOCAL_GENETIC: Claim(0, 2, (), note="and one game lost by an illegal move"),
    },
}

#: Why pairings with a person are not played again.
NOT_REPEATABLE = (
    "One person's games cannot be repeated by a machine: who played, and how well, is not on "
    "record, and no stand-in would test the claim."
)

#: Who played in each report: the pairings' words → player specs. The genetic players' numbers
#: (population 100, 50 generations, mutation 0.1, 8 genes) are ours: the reports name none.
CAST: Mapping[str, Mapping[str, str]] = {
    "first": {
        "minimax": "minimax:depth=6",
        "local search": "hill-climbing:variant=sideways",
        "genetic": "genetic:model=local-search",
    },
    "second": {
        "minimax": "minimax:depth=7",
        "local search": "hill-climbing:variant=steepest",
        "genetic": "genetic:model=reservation-tree",
    },
}

#: Corners, time a move by depth: from, to, in milliseconds.
CORNERS_MS: Mapping[int, tuple[float, float]] = {4: (30, 90), 5: (500, 800), 6: (3000, 6000)}


HOLDS = "holds"
CONTRADICTED = "contradicted"
UNDECIDED = "not decided"
UNCLAIMED = "no claim"

EVEN = 0.5


def verdict(better: str | None, interval: tuple[float, float] | None, even: float = EVEN) -> str:
    """The verdict on the claim that `better` (`first`, `second`) is the stronger player.

    Args:
        better: who is said to be stronger; None without a claim.
        interval: 95 % interval of the first player's score; None without any game.
        even: the score where neither is stronger; other numbers than scores have another one.
    """
    if better is None:
        return UNCLAIMED
    if interval is None or interval[0] <= even <= interval[1]:
        return UNDECIDED
    first_is_better = interval[0] > even
    return HOLDS if first_is_better == (better == FIRST) else CONTRADICTED
