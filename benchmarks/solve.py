"""Exact solving: sets of empty squares compared with C++, few rounds, and whole Platforms games.

The C++ twin visits the same sets of empty squares, one at a time. Papan's time includes its
preparation and the values of all moves. Times compared with C++ are processor time, the minimum of
repetitions that alternate on one processor; all others are wall-clock times.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import cpu_seconds, in_turns, pinned, wall_seconds
from benchmarks.tools.twins import Twin
from papan.core.game import Position
from papan.games.adjacency.partial_board import PartialBoardSolver
from papan.games.adjacency.subset_dp import FullBoardSolver, settled_difference
from papan.solve.base import Work
from papan.solve.solve import prepare, solve

#: Promised maximum ratio of Papan's time to the C++ program's for 20 empty squares.
PROMISED_RATIO = 1.5


class Ending(NamedTuple):
    """A full-board ending in tests/data, its empty squares and its value."""

    line: str
    empties: int
    value: int


ENDINGS = (
    Ending("xxxxx1oo/1ox1oooo/oxx1oo1o/ooxo1x1o/oxoo3o/1xx1xox1/xxx1oo2/xx2x2x x 20", 20, 0),
    Ending("x2xx1oo/x1ox2oo/oo3x1o/oo1xxxx1/o2xooxo/2oo1oxo/xx1x1x1o/xoo3x1 x 24", 24, -8),
    Ending("6oo/xx1o1oox/x1oooooo/xx4oo/3o1x2/o3xx1o/oxo1xxx1/xooo2o1 x 28", 28, -8),
)

START = "6oo/6oo/8/8/8/8/xx6/xx6"

#: Exact values of the 8×8 start, first player's view, by rounds; seven rounds take minutes.
ROUNDS = {1: 0, 2: 0, 3: 0, 4: 0, 5: -2, 6: -2, 7: -2}
QUICK_ROUNDS = 5

#: Winner of Platforms and number of plies, by size and level; negative if the second player wins.
WHOLE_GAMES = {
    (3, 1): 7,
    (3, 2): -16,
    (3, 3): 25,
    (4, 1): -14,
    (4, 2): -30,
    (5, 1): 23,
    (4, 3): -46,
}
QUICK_GAMES = 6

#: Position 40 of the FFO endgame test suite, 20 empty squares; Black wins by 38.
FFO_40 = "o2oooox/1oooooox/ooxxooox/ooxoooxx/ooooooxx/3oooox/4o2x/8 x"


class Few(NamedTuple):
    """A problem whose moves are tried in the order of their replies, and the most nodes for it."""

    game: str
    line: str | None
    value: int
    most: int


BY_REPLIES = (
    Few("clobber:rows=4,columns=5", None, 9985, 20_000_000),
    Few("examples/games/othello.py", FFO_40, 38, 20_000_000),
)


def run(quick: bool) -> Report:
    """Solves positions and compares the results with known values."""
    report = Report()
    report.tables.append(_beside_cpp(report, quick))
    report.tables.append(_few_rounds(report, quick))
    report.tables.append(_platforms(report, quick))
    report.tables.append(_by_replies(report, quick))
    return report


def _beside_cpp(report: Report, quick: bool) -> Table:
    columns = ("empty squares", "value", "Papan ms", "C++ ms", "Papan time / C++ time")
    table = Table("Adjacency until the board is full, 8×8", columns)
    with pinned(), Twin("subset_dp") as twin:
        for ending in ENDINGS[: 1 if quick else None]:
            position = papan.game("adjacency").position(ending.line)
            prepare(position)
            repetitions = 10 if ending.empties == 20 else 1
            ours, theirs = in_turns(
                repetitions, partial(_solve, position), partial(_ask, twin, position)
            )
            what = f"{ending.empties} empty squares"
            report.expect_equal(f"Papan, {what}", ours[0][0], ending.value)
            report.expect_equal(f"C++, {what}", theirs[0][0], ending.value)
            papan_ms, cpp_ms = (1000 * min(run[1] for run in runs) for runs in (ours, theirs))
            table.add(ending.empties, ending.value, papan_ms, cpp_ms, papan_ms / cpp_ms)
            report.expect_below(f"Papan time / C++ time, {what}", papan_ms / cpp_ms, PROMISED_RATIO)
    return table


def _solve(position: Position) -> tuple[int, float]:
    work = Work(position)
    answer, seconds = cpu_seconds(lambda: FullBoardSolver().solve(work))
    return answer.value, seconds


def _ask(twin: Twin, position: Position) -> tuple[int, float]:
    state = position.state
    board = int(state.mine | state.theirs | state.empty)
    value, _, seconds = twin.ask(board, int(state.empty))
    return int(value) + settled_difference(state), float(seconds)


def _few_rounds(report: Report, quick: bool) -> Table:
    table = Table("Adjacency with few rounds, 8×8 start", ("rounds", "value", "nodes", "seconds"))
    for rounds, value in ROUNDS.items():
        if quick and rounds > QUICK_ROUNDS:
            continue
        position = papan.game("adjacency").position(f"{START} x {2 * rounds}")
        prepare(position)
        work = Work(position)
        found, seconds = wall_seconds(partial(PartialBoardSolver().exact, work, position.state))
        report.expect_equal(f"value, {rounds} rounds", found, value)
        table.add(rounds, found, work.nodes, seconds)
    return table


def _platforms(report: Report, quick: bool) -> Table:
    columns = ("size", "level", "winner", "plies", "best moves", "nodes", "seconds")
    table = Table("Whole games of Platforms", columns)
    for (size, level), known in list(WHOLE_GAMES.items())[: QUICK_GAMES if quick else None]:
        position = papan.game(f"platforms:size={size},level={level}").start()
        found = solve(position)
        plies = found.plies or 0
        signed = plies if found.outcome == "win" else -plies
        report.expect_equal(f"plies, {size}×{size} level {level}", signed, known)
        winner = "first" if found.outcome == "win" else "second"
        moves = " ".join(found.moves)
        table.add(size, level, winner, plies, moves, found.nodes, found.seconds)
    return table


def _by_replies(report: Report, quick: bool) -> Table:
    table = Table("Moves with few replies first", ("game", "value", "nodes", "seconds"))
    for problem in BY_REPLIES[: 1 if quick else None]:
        game = papan.game(problem.game)
        position = game.position(problem.line) if problem.line else game.start()
        prepare(position)
        found, seconds = wall_seconds(partial(solve, position))
        report.expect_equal(f"value, {problem.game}", found.value, problem.value)
        table.add(problem.game, found.value, found.value_nodes, seconds)
        report.expect_below(f"nodes, {problem.game}", found.value_nodes, problem.most)
    return table
