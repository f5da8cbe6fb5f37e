"""Strength after two minutes of training, against `mcts` and the game's own evaluation.

Each game is trained from zero by two threads. The best weights then play in `engine` at 0.1 s of
processor time per move, in game pairs with balanced random openings, against `mcts` and against the
engine with the game's own strongest evaluation. `mcts` with the same weights also plays against
plain `mcts`.
`python -m benchmarks.learn GAME …` measures some games; with `--json` it prints one JSON object.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from benchmarks.tools.report import Report, Table, show
from papan.arena import measure as matches
from papan.arena.score import Tally
from papan.arena.suite import BalancedSuite
from papan.core.game import Game
from papan.learn.training import Training, TrainingPlan, score_facts
from papan.play.referee import Conditions
from papan.search.limits import Limit
from papan.stats.counts import Trinomial
from papan.stats.elo import normal_error
from papan.usercode import registry
from papan.usercode.gallery import gallery

#: The built-in games in playable sizes; all files of the gallery are added.
BUILT_IN = (
    "corners",
    "adjacency",
    "adjacency:rounds=8",
    "platforms:size=5",
    "platforms:size=5,level=2",
)
QUICK = ("connect_four", "breakthrough")
SECONDS, QUICK_SECONDS = 120.0, 20.0
PAIRS, QUICK_PAIRS = 30, 4
WORKERS = 2
MOVE = Limit(seconds=0.1)
#: Minimum share of draws at which a lower score is required.
DRAWISH = 0.2
DECISIVE_SCORE, DRAWISH_SCORE, OWN_SCORE = 0.85, 0.6, 0.7

RESULTS = ("game", "trained games", "player", "against", "won", "drawn", "lost", "score %", "± %")
CURVE = ("game", "seconds", "games", "score %", "± %")


def run(quick: bool) -> Report:
    """Trains and plays: a few games in little time, or all of them."""
    games = QUICK if quick else (*BUILT_IN, *gallery())
    return measure(games, QUICK_SECONDS if quick else SECONDS, QUICK_PAIRS if quick else PAIRS)


def measure(games: Sequence[str], seconds: float, pairs: int) -> Report:
    """Returns the results of some games; promises are checked only after a full training."""
    results = Table(
        f"After {seconds:g} s of training by {WORKERS} threads; moves in processor time", RESULTS
    )
    curves = Table("Learning: score against the game's own evaluation", CURVE)
    report = Report([results, curves])
    for name in games:
        with tempfile.TemporaryDirectory() as folder:
            _one(report, registry.game(name), Path(folder) / "found.weights", seconds, pairs)
    return report


def _one(report: Report, game: Game, file: Path, seconds: float, pairs: int) -> None:
    """Trains a game and adds its rows."""
    results, curves = report.tables
    training = Training(game, TrainingPlan(seconds=seconds, workers=WORKERS, seed=1), file)
    for each in training.run():
        facts = score_facts(each.against_fixed)
        curves.add(game.spec, each.seconds, each.games, *_per_cent(facts["score"], facts["error"]))
    if not file.exists():
        return
    learned, own = f"engine:evaluation={file}", f"engine:evaluation={_own(game)}"
    for player, opponent in (
        (learned, "mcts"),
        (learned, own),
        (f"mcts:evaluation={file}", "mcts"),
    ):
        tally = match(game, player, opponent, pairs)
        counts = tally.single
        numbers = _per_cent(counts.score, normal_error(counts))
        shown = player.replace(str(file), "learned")
        results.add(
            game.spec,
            training.best.training["games"],
            shown,
            opponent,
            *counts.frequencies[::-1],
            *numbers,
        )
        if seconds >= SECONDS and player == learned:
            wanted = OWN_SCORE if opponent == own else _wanted(counts)
            report.expect_least(f"{game.spec}: against {opponent}", round(counts.score, 3), wanted)


def _own(game: Game) -> str:
    """Returns the name of a game's own strongest evaluation."""
    every = game.evaluations.items()
    return next(name for name, one in every if one == game.strongest_evaluation)


def _wanted(counts: Trinomial) -> float:
    return DRAWISH_SCORE if counts.draws >= DRAWISH * counts.games else DECISIVE_SCORE


def _per_cent(score: float, error: float) -> tuple[float, float]:
    return round(100 * score, 1), round(100 * error, 1)


def match(game: Game, first: str, second: str, pairs: int) -> Tally:
    """Plays a match, one game at a time: parallel games would share the processor."""
    openings, conditions = BalancedSuite(), Conditions(processor=True)
    settings = matches.Match(game.spec, first, second, 2 * pairs, MOVE, 0, openings)
    return matches.measure(replace(settings, conditions=conditions))


def main(words: Sequence[str]) -> None:
    """Measures the games given on the command line."""
    names = [word for word in words if word != "--json"]
    report = measure(names or QUICK, SECONDS, PAIRS)
    if len(names) < len(words):
        print(json.dumps(report.as_dict(), ensure_ascii=False))
    else:
        show(report, Console())


if __name__ == "__main__":
    main(sys.argv[1:])
