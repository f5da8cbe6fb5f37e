"""Learned evaluations: folded, compiled and plain ones agree, and keep the symmetries."""

from random import Random
from typing import Any

import numpy as np
import pytest

from papan.core.game import Game
from papan.jit.compiler import kernel
from papan.learn.features import features_of
from papan.learn.ntuple import LEARNED, LearnedPlaces, LearnedSets, Network, clamp_value, note
from papan.learn.survey import exchange_sides, survey
from papan.rules.operations import evaluate, symmetry_count, transform
from papan.usercode.registry import game


@kernel
def compiled_value(evaluation: Any, state: Any) -> int:
    return evaluate(evaluation, state)


@kernel
def compiled_note(reader: Any, state: Any, noted: Any) -> int:
    return note(reader, state, noted)


def network_of(rules: Game) -> Network:
    facts = survey(rules)
    return Network(rules, facts, features_of(rules.board, facts))


def some_weights(network: Network) -> Any:
    shape = (network.rows, network.features.weights)
    return np.random.default_rng(1).integers(-30, 30, shape)


def states(rules: Game, games: int = 3) -> list[Any]:
    chance = Random(2)
    walks = [rules.start().random_walk(chance, 60) for _ in range(games)]
    return [position.state for walk in walks for _, position in walk]


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("tictactoe", LearnedSets),
        pytest.param("breakthrough", LearnedSets, marks=pytest.mark.thorough),
        pytest.param("minichess", LearnedPlaces, marks=pytest.mark.thorough),
        ("kalah", LearnedPlaces),
        ("connect_four", LearnedSets),
        pytest.param("othello", LearnedSets, marks=pytest.mark.thorough),
        pytest.param("isolation", LearnedPlaces, marks=pytest.mark.thorough),
        pytest.param("hex:size=5", LearnedSets, marks=pytest.mark.thorough),
        pytest.param("gomoku", LearnedPlaces, marks=pytest.mark.long),
        pytest.param("dots_and_boxes", LearnedPlaces, marks=pytest.mark.thorough),
    ],
)
def test_folded_tables_add_up_to_the_entries_of_a_position(spec: str, kind: type) -> None:
    rules = game(spec)
    network = network_of(rules)
    weights = some_weights(network)
    evaluation, reader = network.evaluation(weights, 0, 256, 1), network.reader()
    assert type(evaluation) is kind
    entries = network.entries(weights)
    noted = np.zeros(len(network.features.tuples), dtype=np.int32)
    for state in states(rules):
        row = note(reader, state, noted)
        expected = clamp_value(int(entries[row, noted].sum()), 0, network.limit)
        assert evaluate(evaluation, state) == expected
        assert compiled_value(evaluation, state) == expected
        again = np.zeros_like(noted)
        assert compiled_note(reader, state, again) == row
        assert (again == noted).all()


@pytest.mark.parametrize("spec", ["connect_four", "tictactoe", "dots_and_boxes:rows=2,columns=2"])
def test_mirrored_positions_have_the_same_value(spec: str) -> None:
    rules = game(spec)
    network = network_of(rules)
    assert network.facts.mirrors
    evaluation = network.evaluation(some_weights(network), 1, 256, 1)
    for state in states(rules, games=2):
        values = {
            evaluate(evaluation, transform(state, index))
            for index in range(int(symmetry_count(state)))
        }
        assert len(values) == 1


def test_a_position_with_the_sides_exchanged_has_the_same_value() -> None:
    rules = game("breakthrough")
    network = network_of(rules)
    evaluation = network.evaluation(some_weights(network), 0, 256, 1)
    exchange = network.facts.exchange
    assert exchange is not None
    for state in states(rules, games=2):
        image = exchange_sides(state, network.facts.places, exchange)
        assert evaluate(evaluation, image) == evaluate(evaluation, state)


def test_evaluations_are_told_apart_by_their_digest() -> None:
    network = network_of(game("tictactoe"))
    one, same, other = (network.evaluation(some_weights(network), 0, 256, d) for d in (1, 1, 2))
    assert one == same and hash(one) == hash(same)
    assert one != other
    assert isinstance(one, LEARNED)


def test_values_stay_below_those_of_wins() -> None:
    network = network_of(game("tictactoe"))
    evaluation = network.evaluation(np.full_like(some_weights(network), 30_000), 0, 256, 1)
    assert evaluate(evaluation, game("tictactoe").start_state()) == network.limit < 10_000 - 128
