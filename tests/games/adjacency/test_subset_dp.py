"""Adjacency played until the board is full, solved over sets of empty squares."""

import pytest

import papan
from papan.errors import Unsolved
from papan.search.limits import Limit
from papan.solve.solve import can_begin, certainly_solves, cheap_solution, solve
from reference import adjacency, truth
from reference.full_board import solve_full_board
from support import reached

FAST = 22  # empty squares; more of them take seconds
FULL = [case for case in truth.adjacency_values() if case.group in ("full_games", "endgames")]


def empties(line: str) -> int:
    """Number of empty squares of a board."""
    return sum(int(sign) for sign in line.split()[0] if sign.isdigit())


@pytest.mark.parametrize(
    "case",
    [
        case if empties(case.line) <= FAST else pytest.param(case, marks=pytest.mark.long)
        for case in FULL
    ],
    ids=str,
)
def test_known_full_boards_have_their_value_and_all_best_moves(case: truth.ValueCase) -> None:
    solution = solve(papan.game(case.spec).position(case.line))
    assert solution.proven
    assert solution.value == case.value
    assert solution.plies == empties(case.line)
    assert case.best_moves is not None
    assert set(solution.moves) == set(case.best_moves)


def test_the_known_full_boards_have_up_to_28_empty_squares() -> None:
    assert {empties(case.line) for case in FULL} >= {8, 16, 20, 24, 28}


@pytest.mark.parametrize("spec", ["adjacency:size=4", "adjacency:size=4x5", "adjacency:size=5"])
@pytest.mark.parametrize("seed", range(6))
def test_random_endings_are_solved_as_the_slow_program_solves_them(spec: str, seed: int) -> None:
    board = papan.game(spec).board.mask
    count = int(board).bit_count() - 8
    position = reached(spec, seed, max(0, count - 1 - seed))
    left = empties(str(position))
    line = " ".join([*str(position).split()[:2], str(left)])
    expected = solve_full_board(adjacency.parse(line))
    solution = solve(papan.game(spec).position(line), every=True)
    assert solution.value == expected.value == max(solution.values.values())
    assert solution.moves == expected.best_moves


def test_what_needs_more_memory_is_refused_before_it_is_asked_for() -> None:
    position = papan.game("adjacency:size=6").start()
    with pytest.raises(Unsolved, match="with 64 MB of memory, but needs 256 MB"):
        solve(position, memory_mb=64)
    with pytest.raises(Unsolved, match="memory"):
        solve(papan.game("adjacency").start())


def test_a_position_is_cheap_if_its_sets_are_few_enough() -> None:
    position = papan.game("adjacency:size=4x5").start()  # 12 empty squares
    assert can_begin(position, 4096)
    assert certainly_solves(position, 4096)
    assert not can_begin(position, 4095)
    assert cheap_solution(position, seconds=30, nodes=4095) is None
    found = cheap_solution(position, seconds=30, nodes=4096)
    assert found is not None
    assert found.value == solve(position).value


def test_a_node_limit_that_cannot_suffice_is_reported_at_once() -> None:
    position = papan.game("adjacency:size=6").start()
    with pytest.raises(Unsolved, match="within 1000 nodes"):
        solve(position, limit=Limit(nodes=1000))
