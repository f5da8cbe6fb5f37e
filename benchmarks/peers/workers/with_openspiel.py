"""OpenSpiel: alpha–beta and Monte Carlo tree search in Python, and tree search in C++.

The Python searches play Adjacency, the C++ search plays OpenSpiel's C++ games. The Python package
does not include the C++ alpha–beta.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

import pyspiel
from open_spiel.python.algorithms import mcts, minimax

from benchmarks.peers.workers import board
from benchmarks.peers.workers.tasks import FIRST_DEPTH, Peer, answer, visited

KIND = pyspiel.GameType
TYPE = KIND(
    short_name="plain_adjacency",
    long_name="Adjacency in plain Python",
    dynamics=KIND.Dynamics.SEQUENTIAL,
    chance_mode=KIND.ChanceMode.DETERMINISTIC,
    information=KIND.Information.PERFECT_INFORMATION,
    utility=KIND.Utility.ZERO_SUM,
    reward_model=KIND.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
FACTS = pyspiel.GameInfo(
    num_distinct_actions=64,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=board.PLIES,
)


class Game(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """Adjacency with the interface of OpenSpiel."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(TYPE, FACTS, dict(params or {}))

    def new_initial_state(self) -> State:
        return State(self)


class State(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A position; actions are numbers of squares."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.pieces = [board.FIRST, board.SECOND]
        self.empty = board.EMPTY
        self.left = board.PLIES
        self.side = 0

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.left == 0 else self.side

    def _legal_actions(self, player: int) -> list[int]:
        return [move.bit_length() - 1 for move in board.moves(self.empty)]

    def _apply_action(self, action: int) -> None:
        move = 1 << action
        flipped = board.NEIGHBOURS[move] & self.pieces[1 - self.side]
        self.pieces[self.side] |= move | flipped
        self.pieces[1 - self.side] ^= flipped
        self.empty ^= move
        self.left -= 1
        self.side = 1 - self.side

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return self.left == 0

    def lead(self) -> int:
        """Returns the pieces of the first player minus those of the second."""
        return self.pieces[0].bit_count() - self.pieces[1].bit_count()

    def returns(self) -> list[float]:
        sign = float((self.lead() > 0) - (self.lead() < 0)) if self.left == 0 else 0.0
        return [sign, -sign]

    def __str__(self) -> str:
        return f"{self.pieces} {self.side} {self.left}"


pyspiel.register_game(TYPE, Game)


def search(depth: int) -> float:
    """Returns the value of the start position."""
    game = pyspiel.load_game(TYPE.short_name)
    value, _ = minimax.alpha_beta_search(
        game, value_function=lambda state: state.lead(), maximum_depth=depth, maximizing_player_id=0
    )
    return float(value)


def simulate_in_python(count: int) -> None:
    """Runs simulations of the search in Python, on the Python game."""
    game = pyspiel.load_game(TYPE.short_name)
    searcher = mcts.MCTSBot(game, 1.4, count, mcts.RandomRolloutEvaluator())
    searcher.step(game.new_initial_state())


def simulate_in_cpp(name: str, count: int) -> None:
    """Runs simulations of the search in C++, on a C++ game."""
    game = pyspiel.load_game(name)
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    searcher = pyspiel.MCTSBot(game, rollouts, 1.4, count, 1000, False, 1, False)
    searcher.step(game.new_initial_state())


def random_game(name: str) -> int:
    """Plays a random game from Python; returns its number of moves."""
    state = pyspiel.load_game(name).new_initial_state()
    made = 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        made += 1
    return made


def peer() -> Peer:
    """Returns the tasks of OpenSpiel."""
    cpp = {"connect_four": "Connect Four", "othello": "Othello"}
    return Peer(
        f"OpenSpiel {version('open_spiel')}",
        {"OpenSpiel, Python": search},
        {"OpenSpiel, Python": lambda depth: visited(State, "_apply_action", lambda: search(depth))},
        {
            ("OpenSpiel, Python", "Adjacency"): simulate_in_python,
            **{
                ("OpenSpiel, C++", title): partial(simulate_in_cpp, name)
                for name, title in cpp.items()
            },
        },
        {
            ("OpenSpiel, Python game", "Adjacency"): partial(random_game, TYPE.short_name),
            **{
                ("OpenSpiel, C++ game", title): partial(random_game, name)
                for name, title in cpp.items()
            },
        },
    )


if __name__ == "__main__":
    answer(peer, lambda: search(FIRST_DEPTH))
