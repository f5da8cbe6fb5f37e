"""Which moves a solver tries first: few replies where they help, and the same values either way."""

from __future__ import annotations

import pytest

import papan
from papan.solve.base import Work
from papan.solve.move_order import prefers_few_replies
from papan.solve.null_window import NullWindowSolver
from papan.solve.solve import solver_for


def solver_of(name: str) -> tuple[papan.Game, type[NullWindowSolver]]:
    game = papan.game(name)
    solver = solver_for(game.start())
    assert issubclass(solver, NullWindowSolver)
    solver.prepare(game.start())
    return game, solver


@pytest.mark.parametrize(("name", "preferred"), [("clobber", True), ("tictactoe", False)])
def test_replies_are_counted_where_their_number_differs(name: str, preferred: bool) -> None:
    assert prefers_few_replies(*solver_of(name)) is preferred


def test_a_game_with_its_own_hint_keeps_it() -> None:
    assert not prefers_few_replies(*solver_of("connect_four"))


def test_few_replies_first_give_the_same_value_with_fewer_nodes() -> None:
    game, solver = solver_of("clobber:rows=3,columns=4")
    works = [Work(game.start()) for _ in range(2)]
    roots = [solver(by).solve(work) for by, work in zip((False, True), works, strict=True)]
    assert (roots[0].value, roots[0].best) == (roots[1].value, roots[1].best)
    assert works[1].nodes < works[0].nodes
