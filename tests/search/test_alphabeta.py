"""Alpha–beta finds minimax's values in the nodes that theory and other programs say."""

import numpy as np
import pytest

import papan
from papan.rules.operations import INFINITY
from papan.search.alphabeta.negamax import bounded_value
from papan.search.alphabeta.techniques import Techniques
from papan.search.workspace import new_workspace
from reference import search as oracle
from reference import truth
from support import SMALL_SPECS, SPECS, Sample, find, middles

MOST_SETS = 14  # empties of an endgame that is searched to its end
MOST_GAMES = 5_000_000  # lines of play that a search to the end may have
MOST_LEAVES = 100_000  # of the whole tree, where the oracle prunes
LONG = 100_000_000  # nodes

MEASURED = [
    pytest.param(case, id=str(case), marks=[pytest.mark.long] if case.nodes > LONG else [])
    for case in truth.adjacency_alpha_beta()
]
ADJACENCY = [
    case
    for case in truth.adjacency_values()
    if truth.parse(case).plies_left <= 6 or truth.parse(case).squares.count(".") <= MOST_SETS
]
PLATFORMS = [
    case
    for case in truth.platforms_solved()
    if case.complete_games is not None and case.complete_games <= MOST_GAMES
]


@pytest.mark.parametrize("case", MEASURED)
def test_adjacency_takes_as_many_nodes_as_several_programs_count(case: truth.AlphaBetaCase) -> None:
    result = find("alphabeta", papan.game(case.spec).position(case.line), case.depth)
    assert (result.value, result.nodes) == (case.value, case.nodes)


def test_adjacency_has_its_exact_values(sample: Sample) -> None:
    for case in sample(ADJACENCY, 2):
        position = papan.game(case.spec).position(case.line)
        result = find("alphabeta", position, position.state.plies_left)
        assert (result.value, result.proven) == (case.value, True), str(case)
        assert case.best_moves is None or result.move in case.best_moves


@pytest.mark.thorough
def test_platforms_is_won_or_lost_in_the_verified_number_of_plies(sample: Sample) -> None:
    for case in sample(PLATFORMS, 2):
        result = find("alphabeta", papan.game(case.spec).position(case.line), case.plies)
        assert (result.value, result.proven) == (case.value, True), str(case)
        assert result.move in case.best_moves
        assert len(result.pv) == case.plies


@pytest.mark.thorough
def test_corners_has_the_verified_value_at_each_depth(sample: Sample) -> None:
    for case in sample(truth.corners_values(), 3):
        assert case.depth is not None
        result = find("alphabeta", papan.game(case.spec).position(case.line), case.depth)
        assert result.value == case.value, str(case)
        assert case.best_moves is None or (result.move or "") in (case.best_moves or ("",))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_value_and_move_are_those_of_minimax(spec: str, depth: int) -> None:
    for position, _ in middles(spec, 6):
        expected = find("minimax", position, depth)
        result = find("alphabeta", position, depth)
        assert (result.value, result.move) == (expected.value, expected.move)
        assert result.nodes <= expected.nodes


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_nodes_are_those_of_the_oracle(spec: str, depth: int) -> None:
    count = 8 if spec in SMALL_SPECS else 3
    for middle in middles(spec, count):
        if len(middle.position.moves()) ** depth > MOST_LEAVES:
            continue
        result = find("alphabeta", middle.position, depth)
        assert (result.value, result.nodes) == middle.alphabeta(depth)


@pytest.mark.parametrize("spec", SMALL_SPECS)
@pytest.mark.parametrize("distance", [-3, -1, 0, 1, 3])
def test_a_value_outside_the_window_is_the_oracles_bound(spec: str, distance: int) -> None:
    for middle in middles(spec, 4):
        beta = middle.minimax(2).value + distance
        expected = oracle.alphabeta(middle.root, 2, middle.evaluate, beta - 1, beta)
        workspace = new_workspace(middle.position)
        workspace.nodes = 1
        value = bounded_value(
            middle.position.state,
            np.uint64(middle.position.key),
            middle.position.game.default_evaluation,
            2,
            (beta - 1, beta),
            Techniques(),
            workspace,
        )
        assert (value, workspace.nodes) == expected
        assert abs(value) < INFINITY
