"""Strength after a long training against the same training stopped early, at equal positions.

Each game is trained twice from zero with the same seed, and both engines play game pairs with
balanced random openings at a fixed number of positions per move.
`python -m benchmarks.train_longer FOLDER [GAME …]` keeps weights and games in a folder: an
interrupted measurement continues there.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.tools.report import Report, Table, show
from papan.arena.measure import Match, measure
from papan.arena.score import Tally
from papan.arena.suite import BalancedSuite
from papan.learn.training import Training, TrainingPlan
from papan.learn.weights import ENDING, name_of, read
from papan.records.store import Store
from papan.search.limits import Limit
from papan.stats.elo import normal_error
from papan.usercode import registry

GAMES, QUICK_GAMES = ("connect_four", "breakthrough", "othello"), ("connect_four",)
#: Durations of the two trainings in seconds.
SECONDS, QUICK_SECONDS = (60.0, 600.0), (2.0, 8.0)
PAIRS, QUICK_PAIRS = 100, 5
NODES = 20_000
SEED = 1
WANTED = 0.6

COLUMNS = ("game", "short, games", "long, games", "won", "drawn", "lost", "score %", "± %")


def trained(game: str, seconds: float, folder: Path) -> tuple[Path, int]:
    """Trains a game, or continues; returns the file of weights and how many games made them."""
    rules = registry.game(game)
    out = folder / f"{name_of(rules)}-{seconds:g}{ENDING}"
    training = Training(rules, TrainingPlan(seconds=seconds, seed=SEED), out)
    if training.is_resumed or not out.exists():
        for _ in training.run():
            pass
    return out, read(out, rules)[0].training["games"]


def play(game: str, long: Path, short: Path, pairs: int, folder: Path) -> Tally:
    """Plays the match between two files of weights."""
    first, second = (f"engine:evaluation={file}" for file in (long, short))
    match = Match(game, first, second, 2 * pairs, Limit(nodes=NODES), SEED, BalancedSuite())
    with Store(folder / "games.sqlite") as store:
        return measure(match, store=store)


def compare(games: Sequence[str], folder: Path, seconds: tuple[float, float], pairs: int) -> Report:
    """Returns the results of some games."""
    table = Table(f"{seconds[1]:g} s of training against {seconds[0]:g} s, one thread", COLUMNS)
    report = Report([table])
    for game in games:
        (short, few), (long, many) = (trained(game, each, folder) for each in seconds)
        counts = play(game, long, short, pairs, folder).single
        score, error = round(100 * counts.score, 1), round(100 * normal_error(counts), 1)
        table.add(game, few, many, *counts.frequencies[::-1], score, error)
        if seconds == SECONDS:
            report.expect_least(f"{game}: long against short", round(counts.score, 3), WANTED)
    return report


def run(quick: bool) -> Report:
    """Trains and plays in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        if quick:
            return compare(QUICK_GAMES, Path(folder), QUICK_SECONDS, QUICK_PAIRS)
        return compare(GAMES, Path(folder), SECONDS, PAIRS)


def main(words: Sequence[str]) -> None:
    """Measures the games given on the command line."""
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    show(compare(words[1:] or GAMES, folder, SECONDS, PAIRS), Console())


if __name__ == "__main__":
    main(sys.argv[1:])
