"""Techniques that choose among moves, and threads that search one tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import papan
from papan.jit.interpreter import without_compiling
from papan.search.algorithm import Task, search
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.mcts.policy import winning_move
from papan.search.mcts.selection import (
    Puct,
    Rave,
    Ucb1,
    average_of,
    begin_children,
    begin_noting,
    learn_siblings,
    new_rave,
    note_move,
    spread_after,
)
from papan.search.mcts.settings import Settings
from papan.search.mcts.tree import DRAWN, ROOT, Tree, add_node, clear, new_tree, settle
from papan.search.workspace import new_workspace
from reference import search as oracle
from reference import truth
from support import gallery, thoroughly

SMALL = "adjacency:size=4,rounds=3"
#: Each technique alone.
TECHNIQUES: list[dict[str, Any]] = [
    {"rave": 200.0},
    {"selection": "puct", "leaf": "evaluation", "prior": 1.0},
    {"policy": "decisive"},
    {"threads": 2},
    *thoroughly(
        {"policy": "any"},
        {"urgency": 0.6},
        {"expand": 0},
        {"threads": 2, "rave": 200.0},
        {"threads": 2, "selection": "puct", "leaf": "evaluation", "prior": 1.0},
    ),
]


@pytest.mark.parametrize("options", TECHNIQUES)
def test_what_is_proven_with_a_technique_is_what_the_oracle_solves(options: Any) -> None:
    results = oracle.solve_moves(truth.start(SMALL), {})
    best = max(solved.value for solved in results.values())
    start = papan.game(SMALL).start()
    result = search(start, Limit(nodes=2_000_000), algorithm=Mcts(**options))
    assert result.proven
    assert np.sign(result.value) == np.sign(best)
    assert np.sign(results[result.move or ""].value) == np.sign(best)


# --- decisive moves


@pytest.mark.parametrize(
    ("spec", "line", "win"),
    [
        ("adjacency:size=4", "2oo/ooxx/oxxx/xxx1 o 1", "d1"),
        ("platforms:size=4,level=1", "0011/0001/0000/1100 o c1 a2", "b1"),
        ("corners", "8/8/8/8/8/x3o1oo/xxxx1ooo/xxxx1ooo o", "e3f3"),
        ("tictactoe", "3/3/3 x", None),
    ],
)
def test_a_decisive_move_wins_at_once(spec: str, line: str, win: str | None) -> None:
    position = papan.game(spec).position(line)
    workspace = new_workspace(position)
    move = winning_move(position.state, np.uint64(position.key), 0, workspace)
    assert (None if move < 0 else position.game.write_move(move)) == win


# --- priors


def tree_of(averages: list[float]) -> Tree:
    """A root whose children have these averages; their moves are 0, 1, 2 …"""
    tree = new_tree(0.01)
    clear(tree, 1)
    tree.nodes[ROOT].first, tree.nodes[ROOT].count = 1, len(averages)
    for move, average in enumerate(averages):
        add_node(tree, move)
        tree.appeal[move + 1].average = average
    return tree


def test_priors_grow_with_the_evaluation_and_fall_with_visits() -> None:
    tree = tree_of([0.4, 0.5, 0.5, -1e9])
    begin_children(Puct(0.1), tree, 1, 4)
    priors = [float(tree.appeal[child].spread) for child in range(1, 5)]
    assert sum(priors) == pytest.approx(1.0)
    assert priors[1] == priors[2] == pytest.approx(np.e * priors[0], rel=1e-5)
    assert priors[3] == 0.0
    spread = priors[0]
    for visits in range(1, 10):
        spread = spread_after(Puct(0.1), spread, visits, visits)
        assert spread == pytest.approx(priors[0] / (1 + visits))


# --- moves of the same side later in the simulation


def rave_of(tree: Tree) -> Rave:
    """The technique, ready for the children of the root."""
    technique = new_rave(100.0, tree.nodes.size, 10)
    begin_children(technique, tree, 1, int(tree.nodes[ROOT].count))
    return technique


def test_a_simulation_counts_for_all_moves_that_the_same_side_played_first() -> None:
    tree = tree_of([1e9] * 4)
    technique = rave_of(tree)
    begin_noting(technique)
    for side, move in ((0, 0), (1, 1), (0, 2), (0, 1), (1, 2)):
        note_move(technique, side, move)
    learn_siblings(technique, tree, ROOT, 0, 0.0)
    assert technique.later.plays[1:5].tolist() == [2, 1, 2, 1]
    assert [float(tree.appeal[child].average) for child in (1, 3)] == [0.5, 0.5]
    assert tree.appeal[2].average == tree.appeal[4].average == 1.0
    begin_noting(technique)  # earlier simulations are forgotten
    note_move(technique, 1, 0)
    learn_siblings(technique, tree, ROOT, 1, 0.5)
    assert technique.later.plays[1:5].tolist() == [3, 1, 2, 1]
    assert technique.later.score[1] == 0.5


def test_the_weight_of_later_plays_falls_with_visits() -> None:
    tree = tree_of([1e9])
    technique = rave_of(tree)
    begin_noting(technique)
    note_move(technique, 0, 0)
    learn_siblings(technique, tree, ROOT, 0, 1.0)
    averages = [average_of(technique, tree, 1, float(visits)) for visits in (1, 10, 1000, 100_000)]
    assert averages == sorted(averages, reverse=True)
    assert averages[0] > 0.9 and averages[-1] < 0.05


def test_what_is_proven_learns_no_more() -> None:
    tree = tree_of([1e9, 1e9])
    settle(tree, 1, DRAWN)
    technique = rave_of(tree)
    for _ in range(3):
        begin_noting(technique)
        note_move(technique, 0, 0)
        note_move(technique, 0, 1)
        learn_siblings(technique, tree, ROOT, 0, 1.0)
    assert (tree.appeal[1].average, tree.appeal[2].average) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("spec", "kind"), [("hex:size=4", Rave), ("go:size=5", Rave), (SMALL, Ucb1)]
)
def test_later_plays_count_in_games_of_connection_and_with_a_filter(spec: str, kind: type) -> None:
    game = papan.game(spec)
    task = Task(game.start(), game.default_evaluation, Limit(nodes=1), Stop())
    assert isinstance(Mcts(memory=1.0).settings(task).selection, kind)
    assert isinstance(Mcts(memory=1.0, rave=0.0).settings(task).selection, Ucb1)


def test_interpreted_code_notes_moves_as_compiled_code_does() -> None:
    start = papan.game(SMALL).start()
    compiled = search(start, Limit(nodes=50), algorithm=Mcts(rave=50.0))
    with without_compiling():
        interpreted = search(start, Limit(nodes=50), algorithm=Mcts(rave=50.0))
    assert (compiled.pv, compiled.value) == (interpreted.pv, interpreted.value)


def test_what_is_kept_has_the_same_later_plays() -> None:
    start = papan.game("connect_four").start()
    searching = Mcts(rave=300.0, simulations=2000, memory=8.0)
    result = search(start, algorithm=searching)
    later = start.play(*result.pv[:2])
    tree, technique = searching.tree, searching._rave
    assert technique is not None

    def later_plays(index: int) -> list[tuple[int, int]]:
        first, count = int(tree.nodes[index].first), int(tree.nodes[index].count)
        return [
            (int(tree.nodes[child].move), int(technique.later[child].plays))
            for child in range(first, first + count)
        ]

    node = ROOT
    for move in result.pv[:2]:
        first = int(tree.nodes[node].first)
        moves = [int(tree.nodes[first + i].move) for i in range(int(tree.nodes[node].count))]
        node = first + [start.game.write_move(code) for code in moves].index(move)
    before = later_plays(node)
    searching.simulations = 1
    search(later, algorithm=searching)
    kept = later_plays(ROOT)
    assert [plays[0] for plays in kept] == [plays[0] for plays in before]
    assert all(0 <= now[1] - then[1] <= 1 for now, then in zip(kept, before, strict=True))


def test_games_of_connection_learn_from_later_plays_by_default() -> None:
    def settings(spec: str, **options: Any) -> Settings:
        task = Task(gallery(spec).start(), gallery(spec).default_evaluation, Limit(), Stop())
        return Mcts(memory=0.01, **options).settings(task)

    connecting = settings("hex.py:size=4")
    assert isinstance(connecting.selection, Rave)
    assert (connecting.exploration, connecting.expand) == (0.0, 10)
    for plain in (settings("hex.py:size=4", rave=0.0), settings("gomoku.py:size=9")):
        assert (plain.selection, plain.exploration, plain.expand) == (Ucb1(), 0.5, 1)


def test_a_game_with_larger_moves_has_notes_of_its_own() -> None:
    start = gallery("onitama.py").start()
    searching, fresh = (Mcts(memory=1.0, rave=50.0) for _ in range(2))
    with without_compiling():
        search(gallery("tictactoe.py").start(), Limit(nodes=100), algorithm=searching)
        found, expected = (
            search(start, Limit(nodes=100), algorithm=each) for each in (searching, fresh)
        )
    assert (found.pv, found.value) == (expected.pv, expected.value)


# --- threads


def test_threads_share_one_tree_and_its_simulations() -> None:
    start = papan.game("connect_four").start()
    searching = Mcts(threads=2, memory=4.0)
    result = search(start, Limit(nodes=20_000), algorithm=searching)
    tree = searching.tree
    assert 10_000 <= result.nodes <= 20_000
    assert result.extra["simulations"] == result.nodes
    waiting, seen = [ROOT], set[int]()
    while waiting:
        node = waiting.pop()
        assert node not in seen
        seen.add(node)
        first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
        moves = tree.nodes.move[first : first + count].tolist()
        assert len(set(moves)) == count
        waiting += range(first, first + count)
    assert len(seen) <= tree.nodes.size


def test_threads_end_with_the_limit_of_simulations() -> None:
    start = papan.game("connect_four").start()
    result = search(start, Limit(), algorithm=Mcts(threads=2, simulations=3000, memory=4.0))
    assert 3000 <= result.extra["simulations"] <= 3001


def test_threads_go_on_with_the_tree_that_is_kept() -> None:
    start = papan.game("connect_four").start()
    searching = Mcts(threads=2, simulations=4000, memory=8.0)
    result = search(start, algorithm=searching)
    later = start.play(*result.pv[:2])
    again = search(later, algorithm=searching)
    assert searching.tree.nodes[ROOT].visits > again.extra["simulations"]
    assert again.move in later.moves()


def test_getting_ready_leaves_the_tree_of_threads_alone() -> None:
    start = papan.game("connect_four").start()
    searching = Mcts(threads=2, simulations=4000, memory=4.0)
    search(start, algorithm=searching)
    before = searching.tree.nodes.copy()
    for _ in range(10):
        searching.prepare(start, start.game.default_evaluation)
    assert np.array_equal(searching.tree.nodes, before)
