"""Strength of the engine in Adjacency, where it must never lose as second player.

Game pairs at 50 ms per move against plain alpha–beta to depth 6 with piece difference, and against
one-ply hill climbing, at 8, 12 and 28 rounds. In each opening the second player answers every move
with its image under a half turn. Such positions are even, and the second player can hold them.
"""

from __future__ import annotations

import random

from benchmarks.tools.report import Report, Table
from papan.arena.measure import Match, measure
from papan.arena.score import Tally
from papan.campaign import Campaign
from papan.records.model import Record
from papan.rules import solving
from papan.usercode import registry

ENGINE = "engine:time=0.05"
OPPONENTS = ("alphabeta:depth=6", "hill-climbing:variant=steepest")
LONGEST = 28
ROUNDS = (8, 12, LONGEST)
PAIRS = 200
QUICK_PAIRS = 4
MOST_OPENING_MOVES = 3  # moves of the first player, each with its answer
WANTED_SCORE = 0.8  # minimum score in the longest games


def mirrored(game: str, number: int) -> tuple[str, ...]:
    """Returns the opening of a pair: random moves of the first player, mirrored by the second."""
    chance = random.Random(number)
    rules_of = registry.game(game)
    position, moves = rules_of.start(), list[str]()
    for _ in range(number % (MOST_OPENING_MOVES + 1)):
        moves.append(chance.choice(position.moves()))
        position = position.play(moves[-1])
        moves.append(rules_of.write_move(int(solving.strategy_move(position.state))))
        position = position.play(moves[-1])
    return tuple(moves)


def play(rounds: int, opponent: str, pairs: int) -> tuple[Tally, int]:
    """Plays a match; returns its result, and the number of losses of the engine as second
    player."""
    game, records = f"adjacency:rounds={rounds}", list[Record]()
    openings = tuple(mirrored(game, number) for number in range(pairs))
    match = Match(game, ENGINE, opponent, 2 * pairs, openings=openings)
    tally = measure(match, lambda record, _: records.append(record), campaign=Campaign(0))
    return tally, sum(record.o == ENGINE and record.result == "x" for record in records)


def run(quick: bool) -> Report:
    """Plays the matches, one per processor at a time."""
    columns = ("opponent", "rounds", "pairs", "won", "drawn", "lost", "score", "Elo", "lost as o")
    table = Table(f"{ENGINE}, Adjacency 8×8", columns)
    report = Report([table])
    for opponent in OPPONENTS:
        for rounds in ROUNDS:
            tally, lost = play(rounds, opponent, QUICK_PAIRS if quick else PAIRS)
            _report(report, table, opponent, rounds, tally=tally, lost=lost)
    return report


def _report(
    report: Report, table: Table, opponent: str, rounds: int, *, tally: Tally, lost: int
) -> None:
    """Adds a row and checks the promise."""
    found, single = tally.as_dict(), tally.single
    elo = f"{found['elo']:+.0f} ± {found['pair_error']:.0f}"
    if found["elo_bound"] == "lower":
        elo = f"≥ {found['elo']:+.0f}"
    counts = (single.wins, single.draws, single.losses)
    score = f"{100 * single.score:.1f} %"
    table.add(opponent, rounds, tally.paired.units, *counts, score, elo, lost)
    faults = {
        techniques: n for techniques, n in tally.terminations.items() if techniques != "rules"
    }
    report.expect_equal(f"{rounds} rounds, {opponent}: faults", str(faults or "none"), "none")
    report.expect_equal(f"{rounds} rounds, {opponent}: games lost as second player", lost, 0)
    if rounds == LONGEST:
        what = f"{rounds} rounds, {opponent}: score"
        report.expect_least(what, round(single.score, 3), WANTED_SCORE)
