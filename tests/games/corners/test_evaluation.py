"""The homework's two heuristics, against the same written out in plain Python."""

import pytest

import papan
from papan.core.game import Position, by_side
from papan.games.corners.evaluation import CornerDistance, CornerStuck, MatchedDestinations
from papan.rules.bits import squares
from papan.rules.operations import evaluate, transform
from support import reached, thoroughly

GOALS = {
    "x": [(row, column) for row in (0, 1, 2) for column in (0, 1, 2)],
    "o": [(row, column) for row in (5, 6, 7) for column in (5, 6, 7)],
}
FAR = {"x": (0, 0), "o": (7, 7)}  # the far corner of the goal
LINES = {"x": (0, 1), "o": (7, 6)}  # the outer and the second row, or column, of the goal


def pieces(position: Position) -> dict[str, list[tuple[int, int]]]:
    """Row and column of each side's pieces, in row-major order."""
    sides = zip("xo", by_side(position.state), strict=True)
    return {side: [divmod(square, 8) for square in squares(bits)] for side, bits in sides}


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def matched(side: str, found: list[tuple[int, int]]) -> int:
    return sum(map(distance, found, GOALS[side]))


def is_stuck(lines: list[int], side: str) -> list[bool]:
    """The conditions of SOURCES.md for rows, or columns: overfull outer line, overfull second."""
    outer, second = (lines.count(line) for line in LINES[side])
    return [
        outer > 3,
        second > 6
        or (second > 5 and outer >= 1)
        or (second > 4 and outer >= 2)
        or (second > 3 and outer >= 3),
    ]


def burden(side: str, found: list[tuple[int, int]]) -> int:
    steps = sum(distance(piece, FAR[side]) for piece in found)
    home = FAR["o" if side == "x" else "x"]
    stuck = is_stuck([row for row, _ in found], side) + is_stuck([c for _, c in found], side)
    return steps + found.count(home) + 100 * sum(stuck)


def difference(measure, position: Position) -> int:
    other = "o" if position.side == "x" else "x"
    found = pieces(position)
    return measure(other, found[other]) - measure(position.side, found[position.side])


CROWDED = [
    "xxxx4/ooo5/ooo5/ooo5/8/8/xxxxx3/8 x",  # four in the outer row
    "x7/xxxxxx2/ooo5/ooo5/ooo5/8/8/6xx x",  # six in the second, one in the outer
    "xx6/xxxxx3/ooo5/ooo5/ooo5/8/8/6xx x",  # five and two
    "xxx5/xxxx4/ooo5/ooo5/ooo5/8/8/6xx x",  # four and three
    "8/xxxxxxx1/ooo5/ooo5/ooo5/8/8/6xx o",  # seven
    "xxx5/xxx5/xxx5/8/8/6oo/7o/oooooo2 o",  # six in the outer row and four in the outer column
    "8/8/xxx4o/xxx4o/xxx4o/7o/6oo/5ooo o",
]


@pytest.mark.parametrize("line", CROWDED)
def test_crowded_lines_cost_what_the_source_says(line: str) -> None:
    position = papan.game("corners").position(line)
    value = evaluate(CornerStuck(), position.state)
    plain = evaluate(CornerDistance(), position.state)
    assert value == difference(burden, position)
    assert abs(value - plain) > 90  # so there is a penalty in each case


@pytest.mark.parametrize("seed", range(8))
def test_both_heuristics_agree_with_their_description_in_random_games(
    seed: int, thorough: bool
) -> None:
    for plies in range(seed, 120, 7 if thorough else 35):
        position = reached("corners", seed, plies)
        assert evaluate(MatchedDestinations(), position.state) == difference(matched, position)
        assert evaluate(CornerStuck(), position.state) == difference(burden, position)


def test_matched_destinations_tell_rows_from_columns() -> None:
    """Which is why no search may take mirror images for one position under it."""
    states = [reached("corners", seed, 60).state for seed in range(10)]
    values = [evaluate(MatchedDestinations(), state) for state in states]
    mirrored = [evaluate(MatchedDestinations(), transform(state, 1)) for state in states]
    assert values != mirrored


@pytest.mark.parametrize("name", ["stuck", *thoroughly("matched")])
def test_the_engine_finds_the_values_of_minimax_under_either_heuristic(name: str) -> None:
    from papan.search.algorithm import search
    from papan.search.limits import Limit
    from papan.search.registry import algorithm

    for seed in range(3):
        position = reached("corners", seed, 40)
        evaluation = position.game.evaluations[name]
        values = {
            search(position, Limit(depth=3), algorithm=algorithm(spec), evaluation=evaluation).value
            for spec in ("minimax", "alphabeta", "engine")
        }
        assert len(values) == 1, (name, str(position))
