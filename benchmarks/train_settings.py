"""Ablation of training: other settings against the usual ones after the same processor time.

Each variant learns in one thread from zero, with the same seed. It then plays game pairs against
weights of the usual settings, at a fixed number of positions per move.
`python -m benchmarks.train_settings GAME …` measures some games.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

from benchmarks.tools.report import Report, Table, show
from papan.core.game import Game
from papan.learn.learner import Learner
from papan.learn.matches import EvaluationMatch, MatchRules
from papan.learn.self_play import SelfPlaySettings, TraceTarget
from papan.learn.survey import Survey, survey
from papan.learn.training import BATCH_SHARE, MOST_GROWTH, TrainingPlan, settings_for
from papan.rules.operations import Evaluation
from papan.stats.elo import normal_error
from papan.usercode import registry

GAMES, QUICK_GAMES = ("connect_four", "breakthrough", "othello"), ("tictactoe",)
#: Processor time of a training in seconds.
SECONDS, QUICK_SECONDS = 20.0, 0.2
PAIRS, QUICK_PAIRS = 200, 10
NODES = 300
SEED = 1


class Variant(NamedTuple):
    """Settings of a training.

    Attributes:
        changes: changed settings of self-play; a number multiplies the rate.
        target: technique that computes the learning targets.
        growth: maximum growth of a batch.
        late: first part of the training without the changes (0 … 1).
        averaged: the mean of the weights of the second half instead of the last ones.
    """

    changes: dict[str, Any] = {}
    target: Any = TrainingPlan().target
    growth: int = MOST_GROWTH
    late: float = 0.0
    averaged: bool = False


VARIANTS = {
    "batches of one size": Variant(growth=1),
    "up to 10 random plies at first": Variant({"openings": 10}),
    "a quarter of the rate": Variant({"rate": 0.25}),
    "twice the rate": Variant({"rate": 2.0}),
    "5 % random moves": Variant({"chance": 0.05}),
    "λ = 0.5": Variant(target=TraceTarget(0.5)),
    "λ = 0.95": Variant(target=TraceTarget(0.95)),
    "depth 2 after a third": Variant({"depth": 2}, late=1 / 3),
    "mean of the second half": Variant(averaged=True),
}


def changed(usual: SelfPlaySettings, variant: Variant) -> SelfPlaySettings:
    """Returns the settings of a variant."""
    rate = usual.rate * variant.changes.get("rate", 1.0)
    return usual._replace(**{**variant.changes, "rate": rate})


def learned(game: Game, facts: Survey, variant: Variant, seconds: float) -> tuple[Evaluation, int]:
    """Trains a variant; returns the evaluation and the number of games."""
    learner = Learner(game, facts, SEED, target=variant.target)
    usual = settings_for(facts, TrainingPlan())
    learner.learn(usual._replace(games=0))
    used, mean, count = 0.0, np.zeros(learner.weights.shape[:2]), 0
    while used < seconds:
        games = max(usual.games, int(BATCH_SHARE * learner.games))
        settings = changed(usual, variant) if used >= variant.late * seconds else usual
        began = time.process_time()
        learner.learn(settings._replace(games=min(games, variant.growth * usual.games)))
        used += time.process_time() - began
        if variant.averaged and used >= seconds / 2:
            mean, count = mean + learner.weights[:, :, 0], count + 1
    if count:
        learner.weights[:, :, 0] = mean / count
    return learner.quantise().evaluation, learner.games


def add_rows(table: Table, game: Game, seconds: float, pairs: int) -> None:
    """Measures all variants of a game."""
    facts = survey(game)
    usual, games = learned(game, facts, Variant(), seconds)
    for name, variant in VARIANTS.items():
        other, count = learned(game, facts, variant, seconds)
        openings = settings_for(facts, TrainingPlan()).openings
        match = EvaluationMatch(game, other, usual, MatchRules(0, NODES, openings), seed=SEED)
        match.play(pairs)
        counts = match.games
        score, error = round(100 * counts.score, 1), round(100 * normal_error(match.pairs), 1)
        table.add(game.spec, name, count, games, *counts.frequencies[::-1], score, error)


def compare(games: Sequence[str], seconds: float, pairs: int) -> Report:
    """Returns the results of some games."""
    columns = ("game", "variant", "games", "usual", "won", "drawn", "lost", "score %", "± %")
    table = Table(f"after {seconds:g} s of processor time, {NODES} positions per move", columns)
    for name in games:
        add_rows(table, registry.game(name), seconds, pairs)
    return Report([table])


def run(quick: bool) -> Report:
    """Measures all games."""
    if quick:
        return compare(QUICK_GAMES, QUICK_SECONDS, QUICK_PAIRS)
    return compare(GAMES, SECONDS, PAIRS)


if __name__ == "__main__":
    show(compare(sys.argv[1:] or GAMES, SECONDS, PAIRS), Console())
