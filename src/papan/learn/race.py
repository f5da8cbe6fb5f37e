"""The choice of a game's features: two networks learn for a while, and the better one goes on.

Tuples that read the moves tell more of a position, but they learn more slowly and take longer in
play. Which effect is larger depends on the game: in Connect Four they win, in Breakthrough they
lose.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from papan.campaign import never
from papan.learn.learner import Learner
from papan.learn.matches import EvaluationMatch, MatchRules
from papan.learn.self_play import SelfPlaySettings

#: Share of a training that each of the two networks learns.
SHARE = 0.1
#: Number of game pairs between them, and positions per move.
PAIRS, NODES = 100, 500
#: Score, at equal positions per move, from which tuples that read the moves are worth their cost.
LEAST_SCORE = 0.57


class Race:
    """Two learners of a game: one whose tuples read the moves, and one whose tuples do not.

    Args:
        learner: the first one, new.
        settings: settings of a batch.
    """

    def __init__(self, learner: Learner, settings: SelfPlaySettings) -> None:
        facts = replace(learner.facts, fillable="")
        threads = len(learner.random)
        plain = Learner(learner.game, facts, 1, target=learner.target, threads=threads)
        self.learners, self.settings = (learner, plain), settings

    def prepare(self) -> None:
        """Compiles the match of both; `Training.prepare` compiles what each of them needs."""
        self._match().play(0)

    def run(
        self, games: int | None, seconds: float | None, stop: Callable[[], bool] = never
    ) -> Learner:
        """Lets both learn, and returns the one to go on with.

        Args:
            games: number of games of each; None for a limit of time.
            seconds: time of each; None for a number of games.
            stop: polled between batches; True ends the race, and the first learner goes on.
        """
        for learner in self.learners:
            end = time.perf_counter() + (seconds or 0.0)
            while learner.games < (games or 1) or (not games and time.perf_counter() < end):
                learner.learn(self.settings)
                if stop():
                    return self.learners[0]
        match = self._match()
        match.play(PAIRS)
        return self.learners[match.games.score < LEAST_SCORE]

    def _match(self) -> EvaluationMatch:
        first, second = (learner.quantise().evaluation for learner in self.learners)
        rules = MatchRules(0, NODES, self.settings.openings)
        return EvaluationMatch(self.learners[0].game, first, second, rules, seed=1)
