"""The search for the next level of a game: the step that scores three in four against a level.

A step is a strength between nearly random moves (0) and a good search (`TOP`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from papan.stats.counts import Pentanomial
from papan.stats.elo import elo_from_score, score_interval

#: The share of points that a level takes from the one below: the least, the aim, and the most.
LEAST, AIM, MOST = 0.70, 0.75, 0.80
#: The highest step.
TOP = 112
#: First guess of the number of steps from one level to the next.
_GUESS = 8
#: Game pairs after which a match is looked at, again and again.
BATCH = 4

Verdict = Literal["low", "fit", "high"]


@dataclass
class LevelSearch:
    """The search for the step that scores three in four against a level.

    Attributes:
        play: gives the results of the first pairs of two steps: the lower, the higher, how many.
        below: the level's step.
        goal: game pairs after which a match is decided at the latest.
        step: the step that was found; None if none is so strong.
    """

    play: Callable[[int, int, int], str]
    below: int
    goal: int
    step: int | None = None

    def run(self, guess: int) -> Iterator[tuple[float, int]]:
        """Yields score and games after each batch."""
        weak, strong, step = self.below, TOP + 1, guess
        scores: dict[int, float] = {}
        if guess <= self.below:
            return
        while True:
            verdict: Verdict = "fit"
            for latest, score, games in self._match(step):
                verdict, scores[step] = latest, score
                yield score, games
            if verdict == "fit":
                self.step = step
                return
            weak, strong = (step, strong) if verdict == "low" else (weak, step)
            if strong - weak <= 1:
                self.step = self._nearest(scores)
                return
            step = self._next(step, scores[step], weak, strong)

    def _match(self, step: int) -> Iterator[tuple[Verdict, float, int]]:
        """Yields what batch after batch says of a step, until it is clear."""
        for count in range(BATCH, self.goal + BATCH, BATCH):
            count = min(count, self.goal)
            digits = self.play(self.below, step, count)
            counts = pairs_of(digits)
            low, high = score_interval(counts)
            if low > MOST or high < LEAST:
                yield ("high" if low > MOST else "low"), counts.score, counts.games
                return
            decided = LEAST <= counts.score <= MOST or count < self.goal
            side: Verdict = "high" if counts.score > AIM else "low"
            yield ("fit" if decided else side), counts.score, counts.games

    def _next(self, step: int, score: float, weak: int, strong: int) -> int:
        """The step to be tried next: where a straight line of Elo would reach the aim."""
        elo = elo_from_score(min(max(score, 0.02), 0.98))
        distance = step - self.below
        ahead = elo_from_score(AIM) / elo * distance if elo > 0 else 2 * distance
        return min(max(self.below + round(min(ahead, 2 * distance)), weak + 1), strong - 1)

    def _nearest(self, scores: dict[int, float]) -> int | None:
        """The step nearest to the aim; None if all are too weak."""
        step = min(scores, key=lambda step: abs(scores[step] - AIM))
        return step if scores[step] >= LEAST else None


def guess(chain: list[int], before: list[int]) -> int:
    """The step of the level after those of `chain`, by the pass before or by its last two."""
    here = len(chain)
    if here < len(before):
        distance = before[here] - before[here - 1]
    else:
        distance = chain[-1] - chain[-2] if here > 1 else _GUESS
    return min(chain[-1] + max(distance, 1), TOP)


def pairs_of(digits: str) -> Pentanomial:
    """The pairs that results describe."""
    halves = [int(digit) / 2 for digit in digits]
    return Pentanomial.from_scores(zip(halves[::2], halves[1::2], strict=True))
