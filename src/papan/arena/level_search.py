"""Search for the next level of a game: the step that scores 75 % against the level below.

A step is a strength between nearly random moves (0) and a good search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from papan.stats.counts import Pentanomial
from papan.stats.elo import elo_from_score, score_interval

#: Score of a level against the level below: minimum, target and maximum.
LEAST, AIM, MOST = 0.70, 0.75, 0.80
#: First guess of the number of steps between two levels.
_GUESS = 8
#: Number of game pairs between two looks at the result of a match.
BATCH = 4

Verdict = Literal["low", "fit", "high"]


@dataclass
class LevelSearch:
    """Search for the step that scores 75 % against a level.

    Attributes:
        play: returns the results of the first pairs between two steps; called with the lower step,
            the higher step and the number of pairs.
        below: step of the level below.
        top: highest step.
        goal: maximum number of game pairs of a match.
        width: the search ends when a step that is too weak and one that is too strong differ by at
            most this many steps: few games cannot tell neighbouring steps apart.
        step: the result; None if even the highest step is too weak.
    """

    play: Callable[[int, int, int], str]
    below: int
    top: int
    goal: int
    width: int = 1
    step: int | None = None

    def run(self, guess: int) -> Iterator[tuple[float, int]]:
        """Searches for the step; yields the score and the number of games after each batch."""
        weak, strong, step = self.below, self.top + 1, guess
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
            if strong - weak <= (self.width if strong <= self.top else 1):
                self.step = self._nearest(scores)
                return
            step = self._next(step, scores[step], weak, strong)

    def _match(self, step: int) -> Iterator[tuple[Verdict, float, int]]:
        """Plays a match in batches until the step is decided; yields the state after each batch."""
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
        """Returns the step to try next, which scores the target by linear interpolation of Elo."""
        elo = elo_from_score(min(max(score, 0.02), 0.98))
        distance = step - self.below
        ahead = elo_from_score(AIM) / elo * distance if elo > 0 else 2 * distance
        return min(max(self.below + round(min(ahead, 2 * distance)), weak + 1), strong - 1)

    def _nearest(self, scores: dict[int, float]) -> int | None:
        """Returns the step whose score is nearest to the target, of those that are not too weak;
        None if all are."""
        strong = [step for step, score in scores.items() if score >= LEAST]
        return min(strong, key=lambda step: (abs(scores[step] - AIM), step), default=None)


def guess(chain: list[int], before: list[int], top: int) -> int:
    """Returns a guess of the next level's step, from the previous pass or the last two levels."""
    here = len(chain)
    if here < len(before):
        distance = before[here] - before[here - 1]
    else:
        distance = chain[-1] - chain[-2] if here > 1 else _GUESS
    return min(chain[-1] + max(distance, 1), top)


def pairs_of(digits: str) -> Pentanomial:
    """Returns the pair counts of a match.

    `digits` has one digit for each game: the half points 0, 1 or 2. Two games in succession are a
    pair.
    """
    halves = [int(digit) / 2 for digit in digits]
    return Pentanomial.from_scores(zip(halves[::2], halves[1::2], strict=True))
