"""PettingZoo's own conformance suite on Papan's games, and what it does not ask."""

import copy
import pickle
from importlib import import_module
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import papan
from papan.errors import InvalidSpec, UsageError

pytest.importorskip("pettingzoo", reason="needs papan[gym]")

from pettingzoo.test import api_test, performance_benchmark, seed_test

from papan.adapters import pettingzoo

GAMES = ["adjacency", "adjacency:size=5,first=o", "platforms:size=4,level=2", "corners"]

#: PettingZoo warns of observations that are dictionaries with a mask unless the environment is one
#: of its own, which it knows by name.
DICTIONARIES = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


@pytest.mark.filterwarnings(DICTIONARIES[0])
@pytest.mark.filterwarnings(DICTIONARIES[1])
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_finds_nothing_wrong(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(pettingzoo.env(game), num_cycles=400)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_environments_with_the_same_seed_go_the_same_way(game: str) -> None:
    seed_test(lambda: pettingzoo.env(game), num_cycles=200)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_can_measure_it(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Its benchmark goes on for five seconds; these go by faster.
    ticks = count()
    clock = SimpleNamespace(time=lambda: next(ticks) / 20)
    monkeypatch.setattr(import_module("pettingzoo.test.performance_benchmark"), "time", clock)
    performance_benchmark(pettingzoo.env(game))
    assert "turns per second" in capsys.readouterr().out


def play(env: pettingzoo.TurnsEnv, seed: int) -> list[dict[str, float]]:
    """Plays on by chance to the end; the rewards after each step."""
    chance = np.random.default_rng(seed)
    rewards = []
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(chance.choice(np.flatnonzero(mask))))
        rewards.append(dict(env.rewards))
    return rewards


@pytest.mark.parametrize("game", GAMES)
def test_rewards_say_who_won_and_only_at_the_end(game: str) -> None:
    env = pettingzoo.env(game)
    for seed in range(3):
        env.reset()
        *before, last = play(env, seed)
        outcome = env.position.outcome()
        assert outcome is not None
        assert {reward for rewards in before for reward in rewards.values()} <= {0.0}
        expected = {"x": [1.0, -1.0], "o": [-1.0, 1.0], None: [0.0, 0.0]}[outcome.winner]
        assert list(last.values()) == expected


@pytest.mark.parametrize("action", [0, 63, 10**6, -1])
def test_an_illegal_action_loses_the_game(action: int) -> None:
    env = pettingzoo.env("adjacency")
    env.reset(options={"position": "xx4oo/6oo/8/8/8/8/xx6/xx5x o 5"})
    assert env.agent_selection == "player_1"
    env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert "legal" in env.infos["player_1"]["illegal"]
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_goes_its_own_way(game: str, copied) -> None:
    env = pettingzoo.env(game)
    env.reset()
    for _ in range(4):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    before = str(env.position)
    twin = copied(env)
    end = play(twin, 7)
    assert str(env.position) == before
    assert not any(env.terminations.values())
    assert play(env, 7) == end
    assert env.position == twin.position


def test_it_shows_the_board_as_text_and_as_pixels() -> None:
    env = pettingzoo.env("adjacency:size=4", render_mode="ansi")
    env.reset()
    env.step(0)
    assert env.render().splitlines()[0].split() == ["4", "[x]", "·", "o", "o"]
    env = pettingzoo.env("adjacency:size=4", render_mode="rgb_array")
    env.reset()
    assert env.render().shape == (128, 128, 3)
    assert pettingzoo.env("adjacency").render() is None


def test_what_it_does_not_know_it_refuses_in_one_line() -> None:
    with pytest.raises(InvalidSpec, match="shogi"):
        pettingzoo.env("shogi")
    with pytest.raises(UsageError, match="human"):
        pettingzoo.env("corners", render_mode="human")


def test_a_game_can_be_given_as_it_is() -> None:
    env = pettingzoo.env(papan.game("platforms:size=6"))
    assert env.action_space("player_0").n == 36
