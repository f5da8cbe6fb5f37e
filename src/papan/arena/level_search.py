"""The search for the next level of a game: the rung that scores three in four against a level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from papan.stats.counts import Pentanomial
from papan.stats.elo import elo_from_score, score_interval

#: The share of points that a level takes from the one below: the least, the aim, and the most.
LEAST, AIM, MOST = 0.70, 0.75, 0.80
#: The highest rung.
TOP = 112
#: The first guess: so many rungs from one level to the next.
_GUESS = 8
#: Game pairs after which a match is looked at, again and again.
BATCH = 4

Verdict = Literal["low", "fit", "high"]


@dataclass
class RungSearch:
    """The search for the rung that scores three in four against a level.

    Attributes:
        play: gives the results of the first pairs of two rungs: the lower, the higher, how many.
        below: the level's rung.
        goal: game pairs after which a match is decided at the latest.
        found: the rung; None if none is so strong.
    """

    play: Callable[[int, int, int], str]
    below: int
    goal: int
    found: int | None = None

    def run(self, guess: int) -> Iterator[tuple[float, int]]:
        """Yields score and games after each batch."""
        weak, strong, rung = self.below, TOP + 1, guess
        scores: dict[int, float] = {}
        if guess <= self.below:
            return
        while True:
            verdict: Verdict = "fit"
            for said, score, games in self._match(rung):
                verdict, scores[rung] = said, score
                yield score, games
            if verdict == "fit":
                self.found = rung
                return
            weak, strong = (rung, strong) if verdict == "low" else (weak, rung)
            if strong - weak <= 1:
                self.found = self._nearest(scores)
                return
            rung = self._next(rung, scores[rung], weak, strong)

    def _match(self, rung: int) -> Iterator[tuple[Verdict, float, int]]:
        """Yields what batch after batch says of a rung, until it is clear."""
        for count in range(BATCH, self.goal + BATCH, BATCH):
            count = min(count, self.goal)
            digits = self.play(self.below, rung, count)
            counts = pairs_of(digits)
            low, high = score_interval(counts)
            if low > MOST or high < LEAST:
                yield ("high" if low > MOST else "low"), counts.score, counts.games
                return
            decided = LEAST <= counts.score <= MOST or count < self.goal
            side: Verdict = "high" if counts.score > AIM else "low"
            yield ("fit" if decided else side), counts.score, counts.games

    def _next(self, rung: int, score: float, weak: int, strong: int) -> int:
        """The rung to be tried next: where a straight line of Elo would reach the aim."""
        elo = elo_from_score(min(max(score, 0.02), 0.98))
        step = rung - self.below
        wanted = elo_from_score(AIM) / elo * step if elo > 0 else 2 * step
        return min(max(self.below + round(min(wanted, 2 * step)), weak + 1), strong - 1)

    def _nearest(self, scores: dict[int, float]) -> int | None:
        """The rung nearest to the aim; None if all are too weak."""
        rung = min(scores, key=lambda rung: abs(scores[rung] - AIM))
        return rung if scores[rung] >= LEAST else None


def guess(chain: list[int], before: list[int]) -> int:
    """The rung of the level after those of `chain`, by the pass before or by its last two."""
    here = len(chain)
    if here < len(before):
        step = before[here] - before[here - 1]
    else:
        step = chain[-1] - chain[-2] if here > 1 else _GUESS
    return min(chain[-1] + max(step, 1), TOP)


def pairs_of(digits: str) -> Pentanomial:
    """The pairs that results describe."""
    halves = [int(digit) / 2 for digit in digits]
    return Pentanomial.from_scores(zip(halves[::2], halves[1::2], strict=True))
