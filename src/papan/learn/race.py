"""The choice of a game's features: several networks learn for a while, and the best goes on.

Tuples that read the moves and the game's own evaluation tell more of a position, but they take
longer in play, and tuples with more symbols learn more slowly. Which effect is larger depends on
the game: fillable places win in Connect Four and lose in Breakthrough.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from papan.campaign import never
from papan.learn.learner import Learner
from papan.learn.matches import EvaluationMatch, MatchRules
from papan.learn.self_play import SelfPlaySettings
from papan.learn.survey import Survey

#: Share of a training that each of the networks learns.
SHARE = 0.1
#: Number of game pairs between two of them, and positions per move.
PAIRS, NODES = 100, 500
#: Scores, at equal positions per move, from which features are worth their cost: places that a
#: move can fill, and the game's own evaluation.
LEAST_SCORE, LEAST_OWN = 0.65, 0.6


def variants(facts: Survey) -> list[Survey]:
    """Returns surveys with different features of a game, the one with the fewest first."""
    plain = replace(facts, fillable="", own_value="")
    richer = [
        replace(plain, own_value=facts.own_value),
        replace(plain, fillable=facts.fillable),
    ]
    return [plain, *(each for each in richer if each != plain)]


class Race:
    """Learners of a game with different features.

    Args:
        learner: the one with the fewest features, new.
        richer: surveys of the game with more features.
        settings: settings of a batch.
    """

    def __init__(
        self, learner: Learner, richer: Sequence[Survey], settings: SelfPlaySettings
    ) -> None:
        game, target, threads = learner.game, learner.target, len(learner.random)
        others = (Learner(game, facts, 1, target=target, threads=threads) for facts in richer)
        self.learners, self.settings = (learner, *others), settings

    def prepare(self) -> None:
        """Compiles the matches; `Training.prepare` compiles what each learner needs."""
        for earlier, later in itertools.combinations(self.learners, 2):
            self._match(later, earlier).play(0)

    def run(
        self, games: int | None, seconds: float | None, stop: Callable[[], bool] = never
    ) -> Learner:
        """Lets all learn; each plays a match against the best before it.

        Args:
            games: number of games of each; None for a limit of time.
            seconds: time of each; None for a number of games.
            stop: polled between batches; True ends the race, and the first learner goes on.

        Returns:
            The learner to go on with.
        """
        for learner in self.learners:
            end = time.perf_counter() + (seconds or 0.0)
            while learner.games < (games or 1) or (not games and time.perf_counter() < end):
                learner.learn(self.settings)
                if stop():
                    return self.learners[0]
        best = self.learners[0]
        for learner in self.learners[1:]:
            match = self._match(learner, best)
            match.play(PAIRS)
            least = LEAST_OWN if learner.facts.own_value else LEAST_SCORE
            best = learner if match.games.score >= least else best
        return best

    def _match(self, one: Learner, other: Learner) -> EvaluationMatch:
        first, second = (learner.quantise().evaluation for learner in (one, other))
        rules = MatchRules(0, NODES, self.settings.openings)
        return EvaluationMatch(one.game, first, second, rules, seed=1)
