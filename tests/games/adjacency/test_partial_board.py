"""Adjacency with few rounds left."""

import numpy as np
import pytest

import papan
from papan.core.game import Position
from papan.games.adjacency.local_proofs import around
from papan.games.adjacency.partial_board import PartialBoardSolver, new_table, reaches
from papan.games.adjacency.rules import AdjacencyState
from papan.rules.bits import bit, popcount, squares
from papan.rules.operations import play
from papan.solve.base import Work
from papan.solve.solve import solve
from reference import truth
from support import find, reached

LIMITED = [c for c in truth.adjacency_values() if c.group in ("start_values", "limited_rounds")]

#: Known starts that take longer than a second: by the board's spec and the plies left.
LONG = {("adjacency:size=4x6", 14), ("adjacency:size=5", 16), ("adjacency", 10)}
#: Seven rounds from the 8×8 start have no known list of best moves, and take minutes.
UNLISTED = ("adjacency", 14)


def size_of(case: truth.ValueCase) -> tuple[str, int]:
    """The board and the plies left of a case."""
    return case.spec, int(case.line.split()[2])


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.long) if size_of(case) in LONG else case
        for case in LIMITED
        if size_of(case) != UNLISTED
    ],
    ids=str,
)
def test_known_few_rounds_have_their_value_and_all_best_moves(case: truth.ValueCase) -> None:
    solution = solve(papan.game(case.spec).position(case.line))
    assert solution.value == case.value
    assert solution.plies == size_of(case)[1]
    assert case.best_moves is not None
    assert set(solution.moves) == set(case.best_moves)


@pytest.mark.parametrize(
    ("rounds", "value"),
    [(2, 0), (3, 0), (4, 0), (5, -2), pytest.param(6, -2, marks=pytest.mark.long)],
)
def test_the_start_with_few_rounds_is_drawn_and_then_lost_by_two(rounds: int, value: int) -> None:
    position = papan.game(f"adjacency:rounds={rounds}").start()
    assert PartialBoardSolver().exact(Work(position), position.state) == value


def shortened(spec: str, seed: int, played: int, plies: int) -> Position:
    """A position of a random game with `plies` left."""
    position = reached(spec, seed, played)
    board, side, _ = str(position).split()
    return position.game.position(f"{board} {side} {plies}")


CASES = [
    ("adjacency", 30, 5),
    ("adjacency", 44, 6),
    ("adjacency", 10, 4),
    ("adjacency:size=4", 0, 7),
    ("adjacency:size=4x6", 4, 7),
    ("adjacency:size=5", 6, 8),
]


@pytest.mark.parametrize(("spec", "played", "most"), CASES)
def test_random_positions_have_the_values_of_a_search_to_the_end(
    spec: str, played: int, most: int
) -> None:
    for seed in range(12):
        position = shortened(spec, seed, played, seed % most + 1)
        solution = solve(position, every=True)
        for move in position.moves():
            child = position.play(move)
            left = child.state.plies_left
            if left:
                value = -find("alphabeta", child, left).value
            else:
                value = popcount(child.state.theirs) - popcount(child.state.mine)
            assert solution.values[move] == value, f"{position} {move}"
        assert solution.value == max(solution.values.values())
        assert solve(position).moves == solution.moves


@pytest.mark.parametrize("spec", ["adjacency:size=4x6", "adjacency:size=6"])
def test_a_verdict_holds_with_more_pieces_of_the_other_side_outside_its_zone(spec: str) -> None:
    """The argument by which one proof refutes many moves, tried with the pieces put there."""
    tried = 0
    for seed in range(40):
        position = shortened(spec, seed, 4, seed % 4 + 2)
        work = Work(position, 16)
        table = new_table(work)
        state = position.state
        for need in range(-6 + state.plies_left % 2, 8, 2):
            verdict = reaches(state, need, table, work.workspace)
            outside = squares(state.empty & ~np.uint64(verdict.zone))
            for square in outside[: popcount(state.empty) - state.plies_left]:
                more = with_piece(state, square, own=verdict.yes == 0)
                again = reaches(more, need, table, work.workspace)
                assert again.yes == verdict.yes, f"{position} need {need} square {square}"
                tried += 1
    assert tried > 300


def with_piece(state: AdjacencyState, square: int, *, own: bool) -> AdjacencyState:
    """The state with one more piece, of the mover or of the other side, that turned nothing."""
    piece = bit(square)
    mine = state.mine | piece if own else state.mine
    theirs = state.theirs if own else state.theirs | piece
    return state._replace(mine=mine, theirs=theirs, empty=state.empty & ~piece)


def test_neighbours_are_counted_for_all_squares_at_once() -> None:
    for seed in range(20):
        state = reached("adjacency", seed, 3 * seed % 50).state
        counts = around(state.theirs)
        for square in squares(state.empty):
            turned = popcount(state.theirs) - popcount(play(state, square).mine)
            at_least = [int(counts[n]) >> square & 1 for n in range(4)]
            assert at_least == [int(turned > n) for n in range(4)]
