"""The arena: random games per second on one core, as game pairs and in the referee's plain loop.

A match adds to the referee cached players, seeds, and a record of each game. The second measurement
also stores each game, in one transaction per game.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import median

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import in_turns, pinned, wall_seconds
from papan.arena.measure import Match, measure
from papan.arena.pairs import play_pairs
from papan.play.referee import play_game
from papan.players.simple import RandomPlayer
from papan.records.store import Store

GAME = "adjacency"

#: Minimum speed of game pairs relative to the plain loop.
LEAST_SHARE = 0.7


def run(quick: bool) -> Report:
    """Measures the same number of games alternately: plain loop, pairs, and pairs with a store."""
    games, repetitions = (10, 3) if quick else (100, 5)
    ways = {
        "referee's loop": partial(_loop, games),
        "game pairs": partial(_pairs, games),
        "match with a store": partial(_match, games),
    }
    with pinned():
        for way in ways.values():
            way()  # compiles
        found = in_turns(repetitions, *(partial(_seconds, way) for way in ways.values()))
    speeds = [games / median(seconds) for seconds in found]
    table = Table(f"Random games of {GAME} on one core", ("way", "games a second", "share"))
    for title, speed in zip(ways, speeds, strict=True):
        table.add(title, round(speed), round(speed / speeds[0], 2))
    report = Report([table])
    report.expect_least("game pairs, share of the loop's speed", speeds[1] / speeds[0], LEAST_SHARE)
    return report


def _seconds(work: partial[None]) -> float:
    return wall_seconds(work)[1]


def _planned(games: int) -> Match:
    return Match(GAME, "random", "random", games)


def _loop(games: int) -> None:
    start, players = papan.game(GAME).start(), {"x": RandomPlayer(), "o": RandomPlayer()}
    for seed in range(games):
        play_game(players, start, seed=seed)


def _pairs(games: int) -> None:
    played = sum(1 for _ in play_pairs(_planned(games).pairs()))
    if played != games:
        raise RuntimeError(f"{played} games of {games}")


def _match(games: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "games.sqlite") as store,
    ):
        measure(_planned(games), store=store)
