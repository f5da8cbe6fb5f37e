"""The gain of each technique of Monte Carlo tree search, in matches against the plain search.

Each match switches one technique on. Pairs start from balanced random openings, and both players
have the same processor time per move. A score above ½ is a gain; errors are 95 % intervals. Speeds
are simulations per second of real time, so other programs on the machine affect them.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

import papan
from benchmarks.coldstart import GALLERY
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import in_turns, wall_seconds
from papan.arena.measure import Match, measure
from papan.arena.suite import BalancedSuite
from papan.play.referee import Conditions
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.stats.elo import score_error

#: Monte Carlo tree search without any technique: UCB1, uniform random games, a new tree each move.
BASELINE_MCTS = (
    "mcts:exploration=0.5,expand=1,leaf=playouts,prior=0,keep=no,selection=ucb,rave=0,"
    "urgency=1e9,policy=any"
)

#: Games without and with a trained evaluation in the package.
PLAIN_GAMES = (
    "adjacency:rounds=8",
    "adjacency:rounds=12",
    "platforms:size=5,level=2",
    str(GALLERY / "hex.py:size=7"),
    "connect_four",
)
TRAINED_GAMES = ("connect_four", "corners", str(GALLERY / "othello.py"))

#: Techniques without an evaluation: name → the options that differ from `BASELINE_MCTS`.
PLAIN: Mapping[str, Mapping[str, str]] = {
    "tree kept": {"keep": "yes"},
    "decisive moves": {"policy": "decisive"},
    "moves added at the first visit": {"expand": "0"},
    "urgency 1": {"urgency": "1"},
    "RAVE": {"rave": "300", "exploration": "0.1", "expand": "4"},
}
#: Techniques with the trained evaluation: name → options of `mcts:evaluation=learned`.
TRAINED: Mapping[str, str] = {
    "random games": "leaf=playouts,prior=0",
    "random games, priors": "leaf=playouts,prior=5",
    "random games of 4 plies": "leaf=playouts,prior=0,cutoff=4",
    "evaluation and random game": "leaf=both",
    "UCB1": "selection=ucb",
    "PUCT": "selection=puct",
}

#: Seconds of processor time per move, and games of a match.
SECONDS, GAMES = 0.1, 100
QUICK_SECONDS, QUICK_GAMES = 0.02, 40

THREADS = 2
#: Searches with each number of threads, and simulations of each.
TRIES, SIMULATIONS = 5, 200_000
#: Promised simulations per second relative to one thread, in the median of the games.
PROMISED_SPEED = 1.6


def run(quick: bool) -> Report:
    """Plays all matches and compares the speeds; quick: shorter matches with less time."""
    matches = Table("techniques against the plain search", _columns())
    trained = Table("uses of the trained evaluation, against the plain search", _columns())
    for game in PLAIN_GAMES:
        for name, options in PLAIN.items():
            _play(matches, game, name, with_options(options), quick)
    for game in TRAINED_GAMES:
        for name, text in TRAINED.items():
            _play(trained, game, name, f"mcts:evaluation=learned,{text}", quick)
    speeds = Table(
        f"simulations/s, {THREADS} threads beside one", ("game", "1 thread", "together", "ratio")
    )
    ratios = [_compare_speed(speeds, game) for game in PLAIN_GAMES]
    report = Report([matches, trained, speeds])
    report.expect_least("median speed of two threads", median(ratios), PROMISED_SPEED)
    return report


def with_options(options: Mapping[str, str]) -> str:
    """Returns the spec of the plain search with some options changed."""
    name, _, text = BASELINE_MCTS.partition(":")
    own = dict(part.split("=") for part in text.split(","))
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in {**own, **options}.items())


def _columns() -> tuple[str, ...]:
    return ("game", "technique", "won", "drawn", "lost", "score", "±")


def _play(table: Table, game: str, name: str, spec: str, quick: bool) -> None:
    """Plays a match and adds its row."""
    seconds, games = (QUICK_SECONDS, QUICK_GAMES) if quick else (SECONDS, GAMES)
    match = Match(
        *(game, spec, BASELINE_MCTS, games),
        limit=Limit(seconds=seconds),
        openings=BalancedSuite(0),
        conditions=Conditions(processor=True),
    )
    counts = measure(match).single
    error = score_error(counts)
    table.add(game, name, counts.wins, counts.draws, counts.losses, round(counts.score, 3), error)


def _compare_speed(table: Table, game: str) -> float:
    """Adds a row; returns the speed of several threads relative to one."""
    runs = in_turns(TRIES, lambda: _speed(game, 1), lambda: _speed(game, THREADS))
    alone, together = (max(speeds) for speeds in runs)
    table.add(game, alone, together, together / alone)
    return together / alone


def _speed(game: str, threads: int) -> float:
    """Returns simulations per second of real time from the start position."""
    position = papan.game(game).start()
    searching = Mcts(simulations=SIMULATIONS, threads=threads)
    searching.prepare(position, position.game.default_evaluation)
    task = Task(position, position.game.default_evaluation, Limit(), Stop())
    searching.begin(task)
    results, seconds = wall_seconds(lambda: list(searching.steps(task)))
    return float(results[-1].extra["simulations"]) / seconds
