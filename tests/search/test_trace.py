"""Recorded searches are the real ones, step by step."""

from itertools import pairwise

import numpy as np
import pytest

import papan
from papan.errors import InvalidLimit, InvalidSpec, UsageError
from papan.search.result import Bound
from papan.search.trace import trace
from papan.search.trace.number_tree import trace_numbers
from papan.search.trace.record import Ending
from reference import truth
from reference.splitmix import random_moves, replay
from support import SPECS, at_length, find, middles, reached, thoroughly

TREES = ["minimax", "alphabeta", "memory", "pvs", "mtdf", "engine"]
#: By default the plainest and the one with every technique.
FIRST = ["minimax", "engine"]
#: Where all is traced; what compiles the searches of other games too is for a thorough run.
SMALL = "adjacency:size=4"
CHANGING = {"algorithm", "seconds", "nps", "simulations_per_second"}


def facts(result):
    return {key: value for key, value in result.as_dict().items() if key not in CHANGING}


def nodes_of(made):
    return [node for each in made.passes for node in each.root.walk()]


@pytest.mark.parametrize("spec", [SMALL, *at_length(*(spec for spec in SPECS if spec != SMALL))])
@pytest.mark.parametrize("name", [*FIRST, *thoroughly(*TREES[1:-1])])
def test_a_trace_finds_what_the_compiled_search_of_that_name_finds(spec, name):
    depth = 2 if len(papan.game(spec).board.squares) > 16 else 4
    if spec == SMALL:
        depth = 3
    for position, _ in middles(spec, 4):
        made = trace(position, depth, name)
        assert facts(made.result) == facts(find(name, position, depth))
        assert made.nodes == made.result.nodes


@pytest.mark.parametrize(
    ("spec", "depth"), [(SMALL, 5), *thoroughly(("platforms:size=3,level=2", 6))]
)
@pytest.mark.parametrize("name", [*FIRST, *thoroughly(*TREES[1:-1])])
def test_that_holds_for_deep_searches_too(name, spec, depth):
    depth -= spec == SMALL and name == "minimax"
    for position, _ in middles(spec, 3):
        made = trace(position, depth, name)
        assert facts(made.result) == facts(find(name, position, depth))
        assert made.nodes == made.result.nodes


@pytest.mark.parametrize(
    "options", ["slots=2", "slots=16,replacement=deep", "replacement=frequency"]
)
def test_a_small_table_forgets_the_same_in_a_trace(options):
    for position, _ in middles(SMALL, 4):
        made = trace(position, 4, f"mtdf:{options}")
        assert facts(made.result) == facts(find(f"mtdf:{options}", position, 4))


@pytest.mark.thorough
@pytest.mark.parametrize("name", TREES)
def test_draws_by_repetition_are_the_same_in_a_trace(name):
    repeated = 0
    drawn = [case for case in truth.corners_games() if case.ending == "draw"][:6]
    for case in drawn:
        moves = random_moves(truth.start("corners"), case.seed)[:-1]
        position = replay(papan.game("corners").start(), moves)
        made = trace(position, 3, name)
        assert facts(made.result) == facts(find(name, position, 3))
        repeated += sum(node.ending is Ending.REPETITION for node in nodes_of(made))
    assert repeated > 0


def test_every_node_but_the_roots_of_later_passes_is_one_that_the_search_counts():
    made = trace(reached(SMALL, 1, 3), 4, "mtdf")
    again = len(made.passes) - len({each.depth for each in made.passes})
    assert len(nodes_of(made)) == made.nodes + again


def test_a_value_is_the_best_of_those_below_unless_the_table_answered():
    for name in TREES:
        for node in nodes_of(trace(reached(SMALL, 1, 3), 3, name)):
            if node.children:
                assert node.value == max(-child.value for child in node.children)


def test_children_get_the_window_of_their_parent_turned_and_narrowed():
    made = trace(reached(SMALL, 1, 2), 3, "alphabeta")
    for node in nodes_of(made):
        alpha, beta = node.window or (0, 0)
        for child in node.children:
            if child.window is not None:
                assert child.window == (-beta, -alpha)
            alpha = max(alpha, -child.value)


def test_what_was_cut_is_all_the_moves_that_were_not_looked_at_and_the_value_says_why():
    cuts = 0
    for name in ("alphabeta", "memory", "mtdf", "pvs", "engine"):
        for node in nodes_of(trace(reached(SMALL, 2, 2), 3, name)):
            if not node.children:
                continue
            looked_at = {child.move for child in node.children}
            assert looked_at | set(node.uncut) == set(node.position.moves())
            assert not looked_at & set(node.uncut)
            if node.uncut:
                cuts += 1
                assert node.bound is Bound.LOWER
                upper = node.known[1] if node.known else node.window[1]
                assert node.value >= min(node.window[1], upper)
    assert cuts > 10


def test_minimax_cuts_nothing_and_has_no_windows():
    for node in nodes_of(trace(reached(SMALL, 1, 3), 3, "minimax")):
        assert node.uncut == () and node.window is None and node.bound is Bound.EXACT


def test_what_the_table_answers_is_what_it_knew():
    answers = [
        node
        for node in nodes_of(trace(reached(SMALL, 1, 2), 4, "mtdf"))
        if node.ending is Ending.TABLE
    ]
    assert len(answers) > 3
    for node in answers:
        lower, upper = node.known
        assert node.children == [] and node.value in (lower, upper)
        assert lower >= node.window[1] or upper <= node.window[0] or lower == upper


def test_steps_are_numbered_in_the_order_in_which_nodes_are_entered_and_left():
    made = trace(reached(SMALL, 2, 2), 3, "mtdf")
    steps = set()
    for node in nodes_of(made):
        inner = [step for child in node.children for step in (child.entered, child.left)]
        assert inner == sorted(inner)
        assert not inner or (node.entered < inner[0] and inner[-1] < node.left)
        steps |= {node.entered, node.left}
    assert steps == set(range(1, max(steps) + 1))


def test_endings_tell_leaves_from_finished_games():
    made = trace(papan.game("platforms").start(), 7, "minimax")
    endings = {node.ending for node in nodes_of(made)}
    assert endings == {Ending.NONE, Ending.OVER}
    for node in nodes_of(made):
        assert (node.ending is Ending.OVER) == (node.position.moves() == [])


@pytest.mark.parametrize("spec", ["adjacency:size=5", *thoroughly("platforms", "corners")])
def test_a_traced_mcts_is_the_compiled_one(spec):
    position = reached(spec, 3, 3)
    made = trace(position, 6, "mcts:simulations=300,seed=5")
    compiled = facts(find("mcts:simulations=300,seed=5,memory=64", position, 6))
    assert facts(made.result) == compiled


def test_the_visits_of_an_mcts_tree_add_up():
    made = trace(papan.game("adjacency:size=5").start(), 8, "mcts:simulations=250")
    root = made.passes[0].root
    assert root.visits == made.result.extra["simulations"] == 250
    for node in root.walk():
        assert sum(child.visits for child in node.children) <= node.visits
        visits = [child.visits for child in node.children]
        assert visits == sorted(visits, reverse=True) and 0 not in visits
        assert len(node.children) + len(node.uncut) in (0, len(node.position.moves()))
    assert root.children[root.best].move == made.result.move


def test_a_finished_game_is_a_tree_of_one_node():
    over = papan.game("platforms").position("000/010/000 x a3 c1")
    over = over.play("b2")
    made = trace(over, 3)
    assert [node.ending for node in nodes_of(made)] == [Ending.OVER]
    assert made.passes[0].root.value == made.result.value < 0


def test_a_trace_that_would_be_too_large_is_refused():
    start = papan.game("adjacency").start()
    with pytest.raises(InvalidLimit) as refused:
        trace(start, 3, most=50)
    assert "50" in str(refused.value) and "depth" in str(refused.value)
    visited = trace(reached(SMALL, 1, 3), 3).nodes
    assert trace(reached(SMALL, 1, 3), 3, most=visited).nodes == visited


def test_an_unknown_algorithm_is_refused_with_the_names_of_those_there_are():
    with pytest.raises(InvalidSpec) as refused:
        trace(papan.game("platforms").start(), 2, "nonsense")
    assert "nonsense" in str(refused.value) and "mtdf" in str(refused.value)


def test_several_threads_are_refused_because_their_steps_have_no_order():
    with pytest.raises(InvalidSpec) as refused:
        trace(papan.game("platforms").start(), 2, "engine:threads=2")
    assert "threads" in str(refused.value)


def test_a_null_window_that_finds_a_better_move_is_followed_by_the_whole_window():
    again = 0
    for name in ("pvs", "engine"):
        for node in nodes_of(trace(reached(SMALL, 1, 2), 4, name)):
            for first, second in pairwise(node.children):
                if first.move == second.move:
                    again += 1
                    assert first.window[1] - first.window[0] == 1
                    assert first.bound is not Bound.EXACT
                    assert second.window[0] <= first.window[0]
    assert again > 0


@pytest.mark.parametrize(
    "option", ["lines=2", "symmetry=-1", *at_length("table_on=no", "scout=no", "lmr=2")]
)
def test_a_trace_of_the_engine_shows_what_its_options_say(option):
    position = reached(SMALL, 1, 2)
    made = trace(position, 4, f"engine:{option}")
    assert facts(made.result) == facts(find(f"engine:{option}", position, 4))
    assert made.nodes == made.result.nodes


def test_json_has_finite_windows_and_plain_numbers():
    import json

    made = trace(reached(SMALL, 1, 3), 2, "mtdf")
    text = json.dumps(made.as_dict(), allow_nan=False)
    tree = json.loads(text)["passes"][-1]["tree"]
    assert tree["ply"] == 0 and {"value", "bound", "window", "children"} <= set(tree)
    assert not any(isinstance(node.value, np.generic) for node in nodes_of(made))


def test_minimax_of_given_numbers():
    root = trace_numbers([[[5, 2], [1, 3]], [[6, 2], [0, 7]]]).passes[0].root
    assert root.value == 6
    assert [-child.value for child in root.children] == [3, 6]
    assert root.best == 1


def test_alphabeta_of_given_numbers_finds_the_same_and_says_what_it_skipped():
    tree = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
    full, cut = trace_numbers(tree), trace_numbers(tree, "alphabeta")
    assert full.passes[0].root.value == cut.passes[0].root.value == 3
    assert [child.uncut for child in cut.passes[0].root.children] == [(), ("4", "6"), ()]


@pytest.mark.parametrize("seed", range(30))
def test_pruning_never_changes_the_value_of_a_random_tree(seed):
    random = np.random.default_rng(seed)

    def grown(height):
        if height == 0 or random.random() < 0.1:
            return int(random.integers(-9, 10))
        return [grown(height - 1) for _ in range(random.integers(1, 4))]

    tree = [grown(4), grown(4)]
    full, cut = trace_numbers(tree), trace_numbers(tree, "alphabeta")
    assert full.passes[0].root.value == cut.passes[0].root.value
    assert cut.nodes <= full.nodes


def test_trees_without_leaves_and_other_algorithms_are_refused():
    with pytest.raises(UsageError):
        trace_numbers([[], 1])
    with pytest.raises(UsageError):
        trace_numbers([1, 2], "mtdf")
