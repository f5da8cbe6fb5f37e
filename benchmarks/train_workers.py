"""Self-play with two processes, compared with one on the same machine.

Both variants alternate every few seconds; the games per wall-clock second are compared. If other
programs run, two processes get a larger share of the machine than one, so only a quiet machine
shows the gain of the second process.
"""

from __future__ import annotations

import time
from statistics import median

from benchmarks.tools.report import Report, Table
from papan.learn.learner import Learner, Team
from papan.learn.survey import survey
from papan.learn.training import TrainingPlan, settings_for
from papan.usercode import registry
from papan.workers import WorkerPool

GAMES, QUICK_GAMES = ("connect_four", "othello"), ("tictactoe",)
TURNS, QUICK_TURNS = 5, 1
#: Duration of a turn, and of a quick turn, in seconds. A warm-up of the same length comes first.
TURN, QUICK_TURN = 5.0, 0.5
WANTED = 1.8


def speed(team: Team, seconds: float) -> float:
    """Returns the games per second of one turn."""
    totals, began = team.learner.state.totals, time.perf_counter()
    before, took = float(totals[0]), 0.0
    while took < seconds:
        team.learn()
        took = time.perf_counter() - began
    return (float(totals[0]) - before) / took


def measured(game: str, turns: int, seconds: float) -> tuple[float, float, int]:
    """Returns the games per second of one and two processes, and the batches per share."""
    rules, plan = registry.game(game), TrainingPlan()
    facts = survey(rules)
    settings = settings_for(facts, plan)
    alone, both = (Learner(rules, facts, 0, target=plan.target) for _ in range(2))
    with WorkerPool(2) as pool:
        one, two = Team(alone, settings, WorkerPool()), Team(both, settings, pool)
        for team in (one, two, two):
            speed(team, seconds)
        found = [(speed(one, seconds), speed(two, seconds)) for _ in range(turns)]
        return median(one for one, _ in found), median(two for _, two in found), two.batches


def run(quick: bool) -> Report:
    """Measures each game."""
    columns = ("game", "one process, games/s", "two, games/s", "ratio", "batches alone")
    table = Table("self-play", columns)
    report = Report([table])
    for game in QUICK_GAMES if quick else GAMES:
        turns, seconds = (QUICK_TURNS, QUICK_TURN) if quick else (TURNS, TURN)
        one, two, batches = measured(game, turns, seconds)
        table.add(game, one, two, two / one, batches)
        if not quick:
            report.expect_least(f"{game}, two processes beside one", two / one, WANTED)
    return report
