"""Solving games whose end may be far: what is near is proven, what is not is said in one line."""

from random import Random

import pytest

import papan
from papan.core.game import Position
from papan.errors import Unsolved
from papan.rules.operations import WIN
from papan.search.limits import Limit
from papan.solve.base import Work
from papan.solve.null_window import NullWindowSolver
from papan.solve.solve import solve, solver_for
from reference import extra_turns as oracle
from support import GALLERY, thoroughly

KALAH = f"{GALLERY}/kalah.py"
ROW_OF_FOUR = f"{GALLERY}/connect_four.py"
SIGN = {"x": 1, "o": -1}


def late(games: int, before: int) -> list[tuple[Position, oracle.Mancala]]:
    """Positions some moves before the end of random games of Kalah."""
    found = []
    for seed in range(games):
        chance, line = Random(seed), [(papan.game(KALAH).start(), oracle.Mancala())]
        while not line[-1][1].over():
            position, plain = line[-1]
            move = chance.choice(plain.moves())
            line.append((position.play(plain.name(move)), plain.play(move)))
        found.append(line[-1 - before])
    return found


def valued(plain: oracle.Boxes | oracle.Mancala, ply: int) -> int:
    """A leaf's value to `x` as a solver has it."""
    return plain.result() * (WIN - ply)


@pytest.mark.parametrize("before", [3, *thoroughly(4)])
def test_endings_of_a_game_with_extra_turns_and_no_near_bound_have_their_exact_values(
    before: int,
) -> None:
    for position, plain in late(4, before):
        assert solver_for(position).method == "deepening"
        solution = solve(position, every=True)
        expected = {
            plain.name(move): SIGN[position.side] * oracle.minimax(plain.play(move), 60, valued, 1)
            for move in plain.moves()
        }
        assert solution.values == expected, position
        assert solution.value == max(expected.values())
        assert solution.plies == (WIN - abs(solution.value) if solution.value else None)


@pytest.mark.thorough
def test_it_proves_what_a_search_to_the_end_proves() -> None:
    start = papan.game(ROW_OF_FOUR).start()
    for seed in range(4):
        position = list(start.random_walk(Random(seed)))[-9][1]
        near, whole = solve(position), NullWindowSolver().solve(Work(position))
        assert (near.value, near.plies) == (whole.value, whole.plies)
        assert near.moves == tuple(map(start.game.write_move, whole.best))


def test_what_cannot_be_proven_is_said_in_one_line_with_what_is_known() -> None:
    position = papan.game(ROW_OF_FOUR).start()
    with pytest.raises(Unsolved) as caught:
        solve(position, limit=Limit(nodes=20_000))
    line = str(caught.value)
    assert str(position) in line and "20000 nodes" in line and "\n" not in line
    assert "the side to move has no forced win within" in line
