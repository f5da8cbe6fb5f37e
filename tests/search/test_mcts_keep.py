"""The part of a tree that the next search of the same game starts with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import papan
from papan.core.game import Position
from papan.search.algorithm import Task, search
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.mcts.tree import ROOT, Tree, best_child

SPECS = ["connect_four", "kalah:seeds=6"]


def searched(position: Position, simulations: int = 2000, **options: Any) -> Mcts:
    algorithm = Mcts(simulations=simulations, memory=8.0, **options)
    search(position, algorithm=algorithm)
    return algorithm


def later(position: Position, tree: Tree) -> tuple[int, Position]:
    """Returns the node and position at the side's next turn, by the best moves."""
    index, at = best_child(tree, ROOT), position
    at = at.after(int(tree.nodes[index].move))
    while at.side != position.side:
        index = best_child(tree, index)
        at = at.after(int(tree.nodes[index].move))
    return index, at


def described(tree: Tree, index: int, depth: int) -> Any:
    """Returns moves, visits and totals of the nodes below one."""
    first, count = int(tree.nodes[index].first), int(tree.nodes[index].count)
    fields = ("move", "visits", "total", "status", "again")
    return [
        (
            *(tree.nodes[child][name].item() for name in fields),
            float(tree.appeal[child].average),
            described(tree, child, depth - 1) if depth > 0 else None,
        )
        for child in range(first, first + count)
    ]


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_below_the_position_stays(spec: str) -> None:
    start = papan.game(spec).start()
    algorithm = searched(start)
    index, position = later(start, algorithm.tree)
    below, visits = described(algorithm.tree, index, 3), int(algorithm.tree.nodes[index].visits)
    task = Task(position, position.game.default_evaluation, Limit(nodes=1), Stop())
    algorithm.begin(task)
    assert described(algorithm.tree, ROOT, 3) == below
    assert algorithm.tree.nodes[ROOT].visits == visits > 0
    assert algorithm.nodes(task) == 0
    used = int(algorithm.tree.head.used)
    reached = {ROOT}
    for node in range(used):
        first = int(algorithm.tree.nodes[node].first)
        reached |= set(range(first, first + int(algorithm.tree.nodes[node].count)))
    assert reached == set(range(used))


@pytest.mark.parametrize("spec", SPECS)
def test_the_root_scores_from_the_view_of_its_own_side(spec: str) -> None:
    start = papan.game(spec).start()
    algorithm = searched(start)
    _, position = later(start, algorithm.tree)
    fresh = searched(position, simulations=4000)
    search(position, algorithm=algorithm)
    assert np.isclose(algorithm.score_rate, fresh.score_rate, atol=0.1)


def test_another_game_starts_with_an_empty_tree() -> None:
    start = papan.game("connect_four").start()
    algorithm = searched(start)
    other = start.play(*[start.moves()[-1]] * 3)
    algorithm.forget()
    result = search(other, algorithm=algorithm)
    assert algorithm.tree.nodes[ROOT].visits == result.nodes


def test_the_same_position_is_searched_from_the_beginning() -> None:
    start = papan.game("connect_four").start()
    algorithm = searched(start)
    first = described(algorithm.tree, ROOT, 2)
    search(start, algorithm=algorithm)
    assert described(algorithm.tree, ROOT, 2) == first


def test_nothing_is_kept_on_request() -> None:
    start = papan.game("connect_four").start()
    algorithm = searched(start, keep=False)
    _, position = later(start, algorithm.tree)
    result = search(position, algorithm=algorithm)
    assert algorithm.tree.nodes[ROOT].visits == result.nodes
