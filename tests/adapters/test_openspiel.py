"""OpenSpiel's own tests on Papan's games, and what they do not ask."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import papan
from papan.errors import InvalidSpec
from support import TESTS, reached

pytest.importorskip("pyspiel", reason="needs papan[openspiel]")

import pyspiel
from open_spiel.python.algorithms import generate_playthrough, minimax
from open_spiel.python.observation import make_observation

from papan.adapters import openspiel

GAMES = [
    "papan_adjacency",
    "papan_adjacency(size=5x5,first=o)",
    "papan_adjacency(rounds=3)",
    "papan_platforms(size=4,level=2)",
    "papan_corners",
]
OTHELLO = TESTS.parent / "examples" / "games" / "othello.py"


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_finds_nothing_wrong_in_random_games(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=name != GAMES[-1], verbose=False)


def test_openspiel_finds_nothing_wrong_in_a_game_from_a_file() -> None:
    name = openspiel.register(str(OTHELLO))
    assert name == "papan_othello"
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [*GAMES[1:4], "papan_platforms(size=3,level=1)"])
def test_a_playthrough_can_be_made_and_made_again_from_its_actions(name: str) -> None:
    text = generate_playthrough.playthrough(name, None, seed=1)
    actions = [
        int(line.removeprefix("action: "))
        for line in text.splitlines()
        if line.startswith("action: ")
    ]
    assert generate_playthrough.playthrough(name, actions, seed=2) == text
    assert "IsTerminal() = True" in text


def test_a_playthrough_of_the_longest_game_says_how_it_ends() -> None:
    text = generate_playthrough.playthrough("papan_corners", None, seed=1)
    returns = [line for line in text.splitlines() if line.startswith("Returns() = ")]
    assert returns[-1] in ("Returns() = [1, -1]", "Returns() = [-1, 1]", "Returns() = [0, 0]")


@pytest.mark.parametrize(
    "spec", ["adjacency:size=4x7,first=o", "adjacency:size=5", "platforms:level=3", "corners"]
)
def test_the_game_of_a_spec_is_that_game(spec: str) -> None:
    game = openspiel.load(spec)
    assert game.game == papan.game(spec)
    assert pyspiel.load_game(str(game)).game == game.game


def test_a_spec_that_names_no_game_is_refused() -> None:
    with pytest.raises(InvalidSpec, match="shogi"):
        openspiel.load("shogi")


@pytest.mark.parametrize("spec", ["adjacency:size=4", "platforms:size=4,level=2", "corners"])
def test_states_say_what_positions_say(spec: str) -> None:
    game = openspiel.load(spec)
    observation = make_observation(game)
    for plies in (0, 5, None):
        position = reached(spec, 3, plies)
        state = game.new_initial_state()
        state.set_position(position)
        moves = [state.action_to_string(action) for action in state.legal_actions()]
        assert moves == position.moves()
        assert state.is_terminal() == (position.outcome() is not None)
        observation.set_from(state, 1)
        seen = state.position.game.board
        assert observation.dict["observation"].shape[1:] == (seen.rows, seen.columns)
        assert observation.string_from(state, 0) == str(position)


def test_the_winner_gets_1_and_the_loser_minus_1() -> None:
    game = openspiel.load("adjacency:size=4,rounds=3")
    state = game.new_initial_state()
    for line, returns in {
        "2oo/2oo/xxo1/xx2 x 0": [-1.0, 1.0],
        "2oo/2oo/xx2/xx2 x 0": [0.0, 0.0],
        "x1oo/2oo/xx2/xx2 o 0": [1.0, -1.0],
        "x1oo/2oo/xx2/xx2 o 1": [0.0, 0.0],
    }.items():
        state.set_position(papan.game("adjacency:size=4,rounds=3").position(line))
        assert state.returns() == returns


@pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        lambda state: state.clone(),
        lambda state: pickle.loads(pickle.dumps(state)),
    ],
)
@pytest.mark.parametrize("spec", ["adjacency:size=4", "platforms:size=4,level=2", "corners"])
def test_a_copy_goes_its_own_way(spec: str, copied) -> None:
    state = openspiel.load(spec).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    before = str(state)
    twin = copied(state)
    assert (str(twin), twin.history()) == (before, state.history())
    twin.apply_action(twin.legal_actions()[-1])
    assert str(twin) != before == str(state)
    state.apply_action(state.legal_actions()[-1])
    assert state.position == twin.position


def test_a_pickled_game_is_known_in_another_process() -> None:
    pickled = pickle.dumps(openspiel.load(str(OTHELLO)))
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer).num_distinct_actions())"
    found = subprocess.run(
        [sys.executable, "-c", script], input=pickled, capture_output=True, check=False
    )
    assert (found.stdout, found.returncode) == (b"64\n", 0), found.stderr


def test_openspiels_alphabeta_finds_who_wins() -> None:
    game = openspiel.load("platforms:size=3,level=1")
    value, action = minimax.alpha_beta_search(game)
    assert value == 1.0
    assert game.new_initial_state().action_to_string(action) == "b2"


def test_observations_of_both_sides_are_the_same_board() -> None:
    game = openspiel.load("adjacency:size=4")
    state, observation = game.new_initial_state(), make_observation(game)
    observation.set_from(state, 0)
    first = np.array(observation.dict["observation"])
    observation.set_from(state, 1)
    second = observation.dict["observation"]
    assert np.array_equal(first[0], second[1])
    assert np.array_equal(first[1], second[0])
    assert first.any()
