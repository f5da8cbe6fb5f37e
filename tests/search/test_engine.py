"""The engine: what it returns, that it repeats itself, and what its options change."""

import numpy as np
import pytest

import papan
from papan.engine import Engine
from papan.rules.operations import INFINITY, quiet_gain
from papan.search.algorithm import Task, search
from papan.search.alphabeta import algorithms
from papan.search.alphabeta.techniques import (
    NoPass,
    NullMove,
    is_taken,
    new_team,
    put_back,
    quiet_bounds,
    take,
    task_of,
)
from papan.search.limits import Limit, Stop
from papan.search.registry import algorithm
from support import SMALL_SPECS, find, middles, thoroughly

#: So many nodes are enough for several iterations on every game.
NODES = 50_000


def plain(position, depth):
    """The value by the plainest algorithm."""
    return find("minimax", position, depth).value


@pytest.mark.parametrize("spec", SMALL_SPECS)
def test_one_thread_visits_the_same_nodes_each_time(spec):
    for position, _ in middles(spec, 3):
        first, second = (
            search(position, Limit(nodes=NODES), algorithm=Engine(solve=False)) for _ in range(2)
        )
        assert first.nodes == second.nodes
        assert (first.move, first.value, first.pv) == (second.move, second.value, second.pv)


@pytest.mark.parametrize("spec", SMALL_SPECS)
def test_the_principal_variation_can_be_played_and_begins_with_the_move(spec):
    for position, _ in middles(spec, 5):
        result = search(position, Limit(nodes=NODES), algorithm=algorithm("engine"))
        assert result.pv[0] == result.move
        for move in result.pv:
            position = position.play(move)


@pytest.mark.parametrize("spec", [*SMALL_SPECS[:2], *thoroughly(*SMALL_SPECS[2:])])
def test_several_lines_have_the_best_first_and_each_has_the_value_of_its_move(spec):
    depth = 3
    for position, _ in middles(spec, 4):
        count = len(position.moves())
        found = find("engine:lines=64", position, depth)
        assert len(found.lines) == count
        assert sorted(line.moves[0] for line in found.lines) == sorted(position.moves())
        values = [line.value for line in found.lines]
        assert values == sorted(values, reverse=True)
        assert values[0] == found.value == plain(position, depth)


@pytest.mark.parametrize(
    "options",
    ["aspiration=0", "order_hint=no", "killers=no", "heuristic=no", "symmetry=-1", "symmetry=16",
     "solve=no", *thoroughly("table_on=no", "scout=no", "threads=3,share=no")],
)  # fmt: skip
@pytest.mark.parametrize(
    ("spec", "depth"),
    [("adjacency:size=4", 6), ("platforms:size=4,level=2", 8), ("corners", 5)],
)
def test_no_technique_changes_a_value(options, spec, depth):
    for position, _ in middles(spec, 3):
        assert find(f"engine:{options}", position, depth).value == plain(position, depth)


@pytest.mark.thorough
def test_late_moves_searched_less_deeply_save_nodes():
    position = papan.game("adjacency").start()
    whole, reduced = (find(name, position, 6) for name in ("engine", "engine:lmr=4"))
    assert reduced.nodes < whole.nodes


def test_late_moves_are_searched_less_deeply_by_default_in_games_with_passes() -> None:
    chess, other = papan.game("chess").start(), papan.game("adjacency:size=4").start()
    for position, depth, differs in ((chess, 4, True), (other, 4, False)):
        usual, whole = (find(name, position, depth) for name in ("engine", "engine:lmr=0"))
        assert (usual.nodes < whole.nodes) == differs
        assert differs or usual.value == whole.value


def test_values_far_outside_the_window_need_no_search_except_in_check() -> None:
    chess, kind = papan.game("chess"), NullMove(2)
    start, checked = chess.start(), chess.start()
    for move in ("e2e4", "f7f6", "d1h5"):
        checked = checked.play(move)
    value, gain = chess.default_evaluation, quiet_gain(chess.default_evaluation)
    assert quiet_bounds(kind, start.state, value, 2, (-301, -300)) == (-2 * gain, gain)
    for passing, state in ((kind, checked.state), (NoPass(), start.state)):
        unknown = quiet_bounds(passing, state, value, 2, (-3001, -3000))
        assert unknown == (-INFINITY, INFINITY)
    assert quiet_bounds(kind, start.state, value, 2, (-3000, 3000)) == (-INFINITY, gain)


def test_a_limit_of_nodes_also_ends_the_second_ply() -> None:
    start = papan.game("amazons").start()
    result = search(start, Limit(nodes=3000), algorithm=Engine())
    assert 3000 <= result.nodes < 6000  # a child of the start has about 2,000 moves


@pytest.mark.thorough
def test_symmetry_and_table_save_nodes_at_a_symmetric_start():
    position = papan.game("adjacency:size=4").start()
    nodes = [find(f"engine:{options}", position, 8).nodes for options in
             ("symmetry=16", "symmetry=-1", "symmetry=-1,table_on=no")]  # fmt: skip
    assert nodes == sorted(nodes)
    assert len(set(nodes)) == 3


def test_a_longer_search_with_the_same_engine_uses_what_it_knows():
    engine = algorithm("engine:solve=no")
    position = papan.game("adjacency").start()
    first = search(position, Limit(depth=6), algorithm=engine)
    again = search(position, Limit(depth=6), algorithm=engine)
    assert again.value == first.value
    assert again.nodes < first.nodes / 2


def test_near_the_end_the_engine_solves_and_says_that_it_is_proven():
    position = papan.game("adjacency:size=4").position("xox1/1oxo/2o1/1xo1 x 7")
    result = search(position, Limit(seconds=5), algorithm=algorithm("engine"))
    assert result.proven
    assert result.value == plain(position, 7)


def test_the_only_legal_move_is_played_at_once():
    position = papan.game("adjacency:size=4").position("xoxo/xoxo/xoxo/oxo1 x 1")
    result = search(position, Limit(seconds=30), algorithm=algorithm("engine"))
    assert result.move == "d1"
    assert result.seconds < 5


def test_a_task_is_taken_by_the_first_thread_until_it_is_put_back():
    team = new_team()
    one, other = task_of(team, np.uint64(77), 5), task_of(team, np.uint64(77), 6)
    assert one != other
    take(team, one)
    assert is_taken(team, one)
    assert not is_taken(team, other)
    put_back(team, other)
    assert is_taken(team, one)
    put_back(team, one)
    assert not team.busy.any()


def test_searches_of_little_depth_are_not_shared():
    team = new_team()
    task = task_of(team, np.uint64(77), 2)
    take(team, task)
    assert not is_taken(team, task)
    assert not team.busy.any()


def test_after_a_search_of_several_threads_nothing_is_left_taken():
    engine = Engine(threads=3)
    search(papan.game("adjacency").start(), Limit(depth=7), algorithm=engine)
    assert not engine._team.busy.any()


@pytest.mark.parametrize(
    ("options", "limits", "megabytes"),
    [
        ({}, [Limit(depth=9), Limit(nodes=10**9), Limit(seconds=0.1)], [16, 16, 16]),
        ({}, [Limit(seconds=1.0), Limit(seconds=100.0), Limit(seconds=0.1)], [64, 128, 128]),
        ({"hash": 1}, [Limit(depth=9), Limit(seconds=100.0)], [1, 1]),
    ],
)
def test_a_longer_search_has_a_larger_table_that_no_later_one_makes_smaller(
    monkeypatch, options, limits, megabytes
):
    monkeypatch.setattr(algorithms, "memory_of_machine", lambda: 8 * 2**30)
    position, engine = papan.game("tictactoe").start(), Engine(**options)
    for limit, size in zip(limits, megabytes, strict=True):
        engine.begin(Task(position, position.game.default_evaluation, limit, Stop()))
        assert size / 2 < engine.table.slots.nbytes / 2**20 <= size


def test_a_little_more_time_does_not_empty_the_table() -> None:
    position, engine = papan.game("tictactoe").start(), Engine()
    tables = []
    for seconds in (0.30, 0.31):
        engine.begin(
            Task(position, position.game.default_evaluation, Limit(seconds=seconds), Stop())
        )
        tables.append(engine.table.slots)
    assert tables[0] is tables[1]
