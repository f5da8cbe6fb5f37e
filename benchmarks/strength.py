"""The strength of the engine in Adjacency, where it must never lose as second player.

Game pairs at 50 ms a move against plain alpha–beta of depth 6 on piece difference, and against
one-ply hill climbing, at 8, 12 and 28 rounds. Each pair begins with an opening in which every
move of the first player is answered by its image under a half-turn: such positions are even, and
the second player can hold them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.tools.report import Report, Table
from papan.arena.pairs import Pair, play_pairs
from papan.arena.score import Tally
from papan.campaign import Campaign
from papan.rules import solving
from papan.search.limits import Limit
from papan.usercode import registry

ENGINE = "engine:time=0.05"
OPPONENTS = ("alphabeta:depth=6", "hill-climbing:variant=steepest")
LONGEST = 28
ROUNDS = (8, 12, LONGEST)
PAIRS = 200
QUICK_PAIRS = 4
MOST_OPENING_MOVES = 3  # of the first player, each with its answer
WANTED_SCORE = 0.8  # in the longest games


def mirrored(game: str, number: int) -> tuple[str, ...]:
    """The opening of a pair: random moves of the first player, mirrored by the second."""
    chance = random.Random(number)
    rules_of = registry.game(game)
    position, moves = rules_of.start(), list[str]()
    for _ in range(number % (MOST_OPENING_MOVES + 1)):
        moves.append(chance.choice(position.moves()))
        position = position.play(moves[-1])
        moves.append(rules_of.write_move(int(solving.strategy_move(position.state))))
        position = position.play(moves[-1])
    return tuple(moves)


def pairs(rounds: int, opponent: str, count: int) -> Iterator[Pair]:
    """The pairs of one match."""
    game = f"adjacency:rounds={rounds}"
    for number in range(count):
        yield Pair(
            event="strength",
            number=number,
            game=game,
            first=ENGINE,
            second=opponent,
            opening=mirrored(game, number),
            limit=Limit(),
            seed=number,
        )


def run(quick: bool) -> Report:
    """Plays the matches, as many at a time as there are processors."""
    columns = ("opponent", "rounds", "pairs", "won", "drawn", "lost", "score", "Elo", "lost as o")
    table = Table(f"{ENGINE}, Adjacency 8×8", columns)
    report = Report([table])
    for opponent in OPPONENTS:
        for rounds in ROUNDS:
            tally, lost_as_second = Tally(), 0
            planned = pairs(rounds, opponent, QUICK_PAIRS if quick else PAIRS)
            for _, record in play_pairs(planned, Campaign(0)):
                tally.add(record)
                lost_as_second += record.o == ENGINE and record.result == "x"
            _report(report, table, opponent, rounds, tally=tally, lost=lost_as_second)
    return report


def _report(
    report: Report, table: Table, opponent: str, rounds: int, *, tally: Tally, lost: int
) -> None:
    """Adds a row, and holds it against what is promised."""
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
