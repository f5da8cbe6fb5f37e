"""Gymnasium's own conformance check on Papan's games, and what it does not ask."""

import copy
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import papan
from papan.core.game import Position
from papan.errors import PlayerCrash, UsageError
from papan.players.base import Choice
from papan.players.simple import FirstMove
from papan.search.limits import Limit

pytest.importorskip("gymnasium", reason="needs papan[gym]")

import gymnasium
from gymnasium.utils.env_checker import check_env

from papan.adapters import gym

GAMES = ["adjacency", "adjacency:size=5,first=o", "platforms:size=4,level=2", "corners"]
OPPONENTS = ["random", "mcts:simulations=20,memory=1", "engine:depth=2,hash=1"]


@pytest.mark.parametrize("side", ["x", "o", "random"])
@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_finds_nothing_wrong(game: str, side: str) -> None:
    check_env(gymnasium.make(gym.ENV_ID, game=game, side=side).unwrapped)


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_gymnasium_finds_nothing_wrong_whoever_the_opponent_is(opponent: str) -> None:
    env = gymnasium.make(gym.ENV_ID, game="platforms:size=4", opponent=opponent, side="o")
    check_env(env.unwrapped)


def play(env: gym.GameEnv, seed: int) -> tuple[list[str], float]:
    """Plays on by chance to the end; the positions on the way, and the last reward."""
    chance = np.random.default_rng(seed)
    seen, reward, over = [], 0.0, False
    while not over:
        action = int(chance.choice(np.flatnonzero(env.action_masks())))
        _, reward, over, cut, info = env.step(action)
        assert not cut
        assert info["action_mask"].any() != over
        seen.append(str(env.position))
    return seen, float(reward)


@pytest.mark.parametrize("side", ["x", "o"])
@pytest.mark.parametrize("game", GAMES)
def test_the_reward_at_the_end_is_the_outcome_for_the_agent(game: str, side: str) -> None:
    env = gym.GameEnv(game, side=side)
    for seed in range(2):
        env.reset(seed=seed)
        _, reward = play(env, seed)
        outcome = env.position.outcome()
        assert outcome is not None
        assert reward == 2 * outcome.points(side) - 1


def test_the_same_seed_is_the_same_game() -> None:
    env = gym.GameEnv("corners", "random", side="random")
    games = []
    for _ in range(2):
        env.reset(seed=5)
        games.append((env.side, play(env, 1)))
    assert games[0] == games[1]
    sides = {env.side for _ in range(20) if env.reset()}
    assert sides == {"x", "o"}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(
    ("game", "opponent"),
    [*((game, "random") for game in GAMES), ("platforms:size=4", "engine:depth=2,hash=1")],
)
def test_a_copy_goes_its_own_way(game: str, opponent: str, copied) -> None:
    env = gym.GameEnv(game, opponent)
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    before = str(env.position)
    twin = copied(env)
    end = play(twin, 7)
    assert str(env.position) == before
    assert play(env, 7) == end


def test_a_copy_of_what_was_not_begun_can_begin() -> None:
    twin = copy.deepcopy(gym.GameEnv("platforms"))
    with pytest.raises(gymnasium.error.ResetNeeded):
        twin.step(0)
    _, info = twin.reset(seed=1)
    assert info["action_mask"].sum() == 3


def test_an_illegal_action_loses_the_game() -> None:
    env = gym.GameEnv("adjacency")
    env.reset(seed=1)
    own = env.view.actions.action("a1")
    _, reward, over, _, info = env.step(own)
    assert (reward, over) == (-1.0, True)
    assert "'a1'" in info["illegal"]
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(5)


@dataclass
class Crashing(FirstMove):
    """Ends at its second move."""

    moves = 0

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.moves += 1
        if self.moves == 2:
            raise PlayerCrash("it fell over")
        return super().choose(position, limit)


@dataclass
class Cheating(FirstMove):
    """Plays where its own pieces are."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice("h8")


@pytest.mark.parametrize("opponent", [Crashing(), Cheating()])
def test_an_opponent_that_fails_loses_the_game(opponent: FirstMove) -> None:
    env = gym.GameEnv("adjacency", opponent)
    env.reset(seed=1)
    for _ in range(2):
        action = int(np.flatnonzero(env.action_masks())[0])
        _, reward, over, _, info = env.step(action)
        if over:
            break
    assert (reward, over) == (1.0, True)
    assert info["opponent"]


def test_a_game_can_begin_anywhere_but_at_its_end() -> None:
    env = gym.GameEnv("adjacency:size=4,rounds=3")
    env.reset(options={"position": "2oo/2oo/xxo1/xx2 x 2", "side": "o"}, seed=1)
    assert env.position.side == env.side == "o"
    with pytest.raises(UsageError, match="end of a game"):
        env.reset(options={"position": "2oo/2oo/xxo1/xx2 x 0"})
    with pytest.raises(UsageError, match="'y'"):
        env.reset(options={"side": "y"})


def test_it_shows_the_board_as_text_and_as_pixels() -> None:
    env = gymnasium.make(gym.ENV_ID, game="adjacency:size=4", render_mode="ansi")
    env.reset(seed=1)
    assert env.render().splitlines()[0].split() == ["4", "·", "·", "o", "o"]
    env = gymnasium.make(gym.ENV_ID, game="adjacency:size=4", render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (128, 128, 3)


def test_closing_lets_go_of_the_opponent() -> None:
    closed = []

    class Closing(FirstMove):
        def close(self) -> None:
            closed.append(self)

    env = gym.GameEnv(papan.game("platforms"), Closing())
    env.close()
    assert len(closed) == 1
