"""Claims of the sources (two course reports on Adjacency, a homework on Corners), and verdicts.

A claim says which of two players is better. Given our own games, it *holds* if the 95 % interval of
that player's score lies above one half. It is *contradicted* if the interval lies below one half,
and *not decided* if the interval contains one half. The interval is Wilson's, from game pairs if
all pairs are complete. Draws count half. About 1 in 20 claims about equally strong players would be
decided by chance alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Lengths of the reports' games in rounds: first those between machines, then two more at which the
#: second report's machine played against a person.
ROUNDS = (8, 12, 16, 28, 17, 23)

FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class Claim:
    """The result of one pairing in one report.

    Attributes:
        wins: games won by the first player of the pairing.
        losses: games lost by the first player.
        rounds: lengths of the games; empty if the report does not state them.
        exceptions: length → winner, if it is known and not the better player.
        scattered: True if the report does not state which of the games were won.
        note: further information.
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
        """Wins and losses as printed in the report."""
        return f"{self.wins}–{self.losses}" + (f" {self.note}" if self.note else "")

    def at(self, rounds: int) -> str | None:
        """Returns the better player at a length according to the report; None if it does not say.

        If the report does not state which games were won, the total result decides.
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

#: Reason why games against a person are not repeated.
NOT_REPEATABLE = (
    "One person's games cannot be repeated by a machine: who played, and how well, is not on "
    "record, and no stand-in would test the claim."
)

#: Players of each report: name in the pairings → player spec. The numbers of the genetic players
#: (population 100, 50 generations, mutation 0.1, 8 genes) are ours, since the reports give none.
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

#: Corners: depth → minimum and maximum time per move in milliseconds.
CORNERS_MS: Mapping[int, tuple[float, float]] = {4: (30, 90), 5: (500, 800), 6: (3000, 6000)}


HOLDS = "holds"
CONTRADICTED = "contradicted"
UNDECIDED = "not decided"
UNCLAIMED = "no claim"

EVEN = 0.5


def verdict(better: str | None, interval: tuple[float, float] | None, even: float = EVEN) -> str:
    """Returns the verdict on the claim that `better` (`first`, `second`) is the stronger player.

    Args:
        better: the stronger player according to the claim; None without a claim.
        interval: 95 % interval of the first player's score; None without games.
        even: value for equally strong players; one half for scores.
    """
    if better is None:
        return UNCLAIMED
    if interval is None or interval[0] <= even <= interval[1]:
        return UNDECIDED
    first_is_better = interval[0] > even
    return HOLDS if first_is_better == (better == FIRST) else CONTRADICTED
