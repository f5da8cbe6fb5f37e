"""Plain minimax finds the verified values, and visits what the oracle visits."""

import pytest

import papan
from papan.search.result import Bound
from reference import search as oracle
from reference import truth
from support import SMALL_SPECS, SPECS, Sample, find, middles

DEEP = 4  # plies of Corners that take no second
MOST_LEAVES = 10_000  # that the oracle searches in a moment

SHORT = [
    case
    for case in truth.adjacency_values()
    if truth.parse(case).plies_left <= 6 and truth.parse(case).squares.count(".") <= 24
]


def test_corners_has_the_verified_value_at_each_depth(thorough: bool) -> None:
    for case in truth.corners_values():
        assert case.depth is not None
        if case.depth > DEEP and not thorough:
            continue
        result = find("minimax", papan.game(case.spec).position(case.line), case.depth)
        assert result.value == case.value, str(case)
        assert case.best_moves is None or (result.move or "") in (case.best_moves or ("",))


def test_short_games_of_adjacency_have_their_exact_values(sample: Sample) -> None:
    for case in sample(SHORT, 2):
        position = papan.game(case.spec).position(case.line)
        result = find("minimax", position, position.state.plies_left)
        assert (result.value, result.proven) == (case.value, True), str(case)
        assert case.best_moves is None or result.move in case.best_moves


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_values_and_nodes_are_those_of_the_oracle(spec: str, depth: int) -> None:
    count = 8 if spec in SMALL_SPECS else 3
    for middle in middles(spec, count):
        if len(middle.position.moves()) ** depth > MOST_LEAVES:
            continue
        result = find("minimax", middle.position, depth)
        assert (result.value, result.nodes) == middle.minimax(depth)


@pytest.mark.parametrize("spec", SMALL_SPECS)
def test_the_first_of_the_best_moves_is_played_and_its_line_is_legal(spec: str) -> None:
    for middle in middles(spec, 6):
        values = oracle.move_values(middle.root, 2, middle.evaluate)
        result = find("minimax", middle.position, 2)
        assert result.move == oracle.best_moves(values)[0]
        assert result.pv[0] == result.move
        end = middle.position
        for move in result.pv:
            end = end.play(move)
        assert len(result.pv) == 2 or end.outcome() is not None


def test_a_finished_game_has_no_move_and_its_final_value() -> None:
    over = papan.game("platforms").position("001/000/110 x a3 c1")
    result = find("minimax", over, 4)
    assert (result.move, result.pv, result.value, result.nodes) == (None, (), -1000, 1)
    assert result.proven
    assert result.bound is Bound.EXACT
