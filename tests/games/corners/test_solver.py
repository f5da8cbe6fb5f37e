"""Endings of Corners, where play can go in circles."""

import pytest

import papan
from papan.core.game import Position
from papan.errors import Unsolved
from papan.games.corners.rules import WIN
from papan.games.corners.solver import FIRST_LOOK
from papan.search.limits import Limit
from papan.solve.solve import solve
from reference import circles, corners, truth

#: Endings of random games, from which a thousand positions or so can be reached.
ENDINGS = [
    "xxxx4/xxx5/1x6/x6o/6oo/7o/6oo/5ooo x",
    "xxx5/xxx5/xx6/8/2x4o/5o1o/6oo/4oooo o",
    "xx2x3/xx1x4/xxx5/8/7o/6oo/5o1o/4oooo x",
    "xxx5/xx6/x1x2x2/1x6/7o/7o/5ooo/4oooo x",
    "xxx5/xxx5/xx6/8/3x3o/7o/4o2o/3ooooo o",
    "xxxx4/xx6/x7/x7/8/x3ooo1/5ooo/5ooo o",
    "xxx5/xxx5/xx6/8/2x4o/6oo/5ooo/4o1oo x",
]

#: `x` wins in three plies here, from where few positions can be reached.
SMALL = "xxx5/xxx5/xx6/8/2x4o/6oo/5ooo/4o1oo x"

#: And here by six of its moves.
WON = "1x2x3/xx6/xx6/2x4o/7o/6xo/5xoo/3o1ooo x"


@pytest.mark.parametrize("line", ENDINGS)
def test_endings_are_solved_as_the_slow_program_solves_them(line: str) -> None:
    root = corners.parse(line)
    followers = circles.reachable(root, 2_000)
    assert followers is not None
    results = circles.solve(followers)
    expected = {move: valued(results[root.play(move)]) for move in root.moves()}
    solution = solve(papan.game("corners").position(line), every=True)
    assert solution.values == expected
    assert solution.value == max(expected.values())
    quick = solve(papan.game("corners").position(line))
    assert (quick.value, quick.plies, quick.moves) == (
        solution.value,
        solution.plies,
        solution.moves,
    )


def valued(after: circles.Result) -> int:
    """The value of a move that leads to a position with this result."""
    return -after.outcome * (WIN - after.plies - 1)


NEAR = [
    case
    for case in truth.corners_values()
    if case.group in ("near_win", "near_stuck") and abs(case.value) > WIN - 100
]


@pytest.mark.parametrize("case", NEAR, ids=str)
def test_a_win_that_minimax_sees_is_proven_with_the_same_value(case: truth.ValueCase) -> None:
    solution = solve(papan.game("corners").position(case.line))
    assert solution.value == case.value
    assert solution.plies == WIN - abs(case.value)
    if case.best_moves is not None:
        assert set(solution.moves) == set(case.best_moves)


def test_a_side_that_cannot_move_has_lost() -> None:
    stuck = next(case for case in truth.corners_values() if case.group == "stuck")
    solution = solve(papan.game("corners").position(stuck.line))
    assert (solution.value, solution.plies, solution.moves) == (-WIN, 0, ())


def having_stood_twice(position: Position, after: str) -> Position:
    """The position with a history in which the one after a move has stood twice."""
    stood = position.play(after).key
    return Position(position.game, position.state, (stood, 1, stood, 1))


def test_a_win_through_a_position_that_stood_twice_is_none() -> None:
    fresh = papan.game("corners").position(WON)
    winning = solve(fresh).moves
    assert len(winning) == 6
    for move in winning[:2]:
        others = tuple(other for other in winning if other != move)
        assert solve(having_stood_twice(fresh, move)).moves == others


def test_a_position_that_stood_once_may_come_again() -> None:
    fresh = papan.game("corners").position(WON)
    once = Position(fresh.game, fresh.state, (fresh.play(solve(fresh).moves[0]).key, 1))
    assert solve(once).moves == solve(fresh).moves


def test_only_the_move_into_a_position_that_stood_twice_becomes_a_draw() -> None:
    """Its mirror image and the same with sides exchanged are positions of their own."""
    fresh = papan.game("corners").position(SMALL)
    values = solve(fresh, every=True).values
    best = max(values, key=lambda move: values[move])
    drawn = solve(having_stood_twice(fresh, best), every=True).values
    assert values[best] != 0
    assert {move: drawn[move] for move in drawn if drawn[move] != values[move]} == {best: 0}


def test_what_is_too_far_from_the_end_is_refused() -> None:
    with pytest.raises(Unsolved, match="cannot be solved with 16 MB"):
        solve(papan.game("corners").start(), memory_mb=16)


def test_a_node_limit_holds_for_the_search_and_for_the_graph() -> None:
    position = papan.game("corners").start()
    for nodes in (10, FIRST_LOOK // 2, 2 * FIRST_LOOK):
        with pytest.raises(Unsolved, match="nodes"):
            solve(position, limit=Limit(nodes=nodes), memory_mb=64)
