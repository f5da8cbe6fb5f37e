"""Self-play and learning with two threads, compared with one on the same machine.

Batches have the size of a long training. Both variants alternate; the numbers of games per second
are compared. If other programs run, two threads get a larger share of the machine than one, or
no more. The ratio in processor time does not depend on that: it is 2 if the second thread adds
no work. It does not show how long threads wait.
"""

from __future__ import annotations

import time
from statistics import median

from benchmarks.tools.report import Report, Table
from papan.learn.learner import Learner
from papan.learn.self_play import SelfPlaySettings
from papan.learn.survey import survey
from papan.learn.training import MOST_GROWTH, TrainingPlan, settings_for
from papan.usercode import registry

GAMES, QUICK_GAMES = ("connect_four", "breakthrough"), ("tictactoe",)
TURNS, QUICK_TURNS = 5, 1
#: Duration of a turn, and of a quick turn, in seconds. A warm-up of the same length comes first.
TURN, QUICK_TURN = 2.0, 0.3
WANTED = 1.7


def speed(learner: Learner, settings: SelfPlaySettings, seconds: float) -> tuple[float, float]:
    """Returns the games per second of one turn, and per second of processor time and thread."""
    before, began, processor = learner.games, time.perf_counter(), time.process_time()
    took = 0.0
    while took < seconds:
        learner.learn(settings)
        took = time.perf_counter() - began
    games, used = learner.games - before, time.process_time() - processor
    return games / took, games / used * len(learner.totals)


def measured(game: str, turns: int, seconds: float) -> list[tuple[float, float]]:
    """Returns the medians of both speeds, with one thread and with two."""
    rules, plan = registry.game(game), TrainingPlan()
    facts = survey(rules)
    settings = settings_for(facts, plan)
    settings = settings._replace(games=MOST_GROWTH * settings.games)
    learners = [Learner(rules, facts, 0, target=plan.target, threads=threads) for threads in (1, 2)]
    found: list[list[tuple[float, float]]] = [[], []]
    for turn in range(turns + 1):
        for learner, speeds in zip(learners, found, strict=True):
            each = speed(learner, settings, seconds)
            if turn > 0:
                speeds.append(each)
    return [(median(a for a, _ in each), median(b for _, b in each)) for each in found]


def run(quick: bool) -> Report:
    """Measures each game."""
    columns = ("game", "one thread, games/s", "two, games/s", "ratio", "ratio in processor time")
    table = Table("self-play and learning", columns)
    report = Report([table])
    for game in QUICK_GAMES if quick else GAMES:
        turns, seconds = (QUICK_TURNS, QUICK_TURN) if quick else (TURNS, TURN)
        (one, alone), (two, both) = measured(game, turns, seconds)
        table.add(game, round(one), round(two), round(two / one, 2), round(both / alone, 2))
        if not quick:
            report.expect_least(f"{game}, two threads beside one", two / one, WANTED)
    return report
