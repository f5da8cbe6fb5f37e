"""Adapters of OpenSpiel's bots; importing this module loads OpenSpiel."""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from papan.adapters.bots import OpenSpielPlayer
from papan.adapters.openspiel import OpenSpielState, load_like
from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.players.base import Choice

#: Upper limit of the seeds of OpenSpiel's generators.
_SEEDS = 2**31


class Bot(Protocol):
    """Chooses moves for a player."""

    def choose(self, position: Position, simulations: int, deadline: float | None) -> Choice:
        """Returns a legal move after a number of simulations, or at the deadline
        (`time.monotonic`)."""


def bot(player: OpenSpielPlayer, game: Game, seed: int) -> Bot:
    """Returns the bot of a player for one game."""
    owner = load_like(game)
    owner.new_initial_state().legal_actions()  # compiling must not count as thinking time
    if player.bot == "random":
        return UniformBot(owner, seed % _SEEDS)
    return TimedMcts(owner, player.exploration, seed % _SEEDS)


def state_of(owner: Any, position: Position) -> OpenSpielState:
    """Returns a position as an OpenSpiel state."""
    state: OpenSpielState = owner.new_initial_state()
    state.set_position(position)
    return state


class UniformBot:
    """The uniform random bot, one instance per side."""

    def __init__(self, owner: Any, seed: int) -> None:
        self._owner = owner
        self._bots = [pyspiel.make_uniform_random_bot(side, seed + side) for side in (0, 1)]

    def choose(self, position: Position, simulations: int, deadline: float | None) -> Choice:
        """Returns a random legal move."""
        state = state_of(self._owner, position)
        action = self._bots[SIDES.index(position.side)].step(state)
        return Choice(state.actions.text(action))


class TimeIsUp(Exception):
    """Ends a search between two simulations."""


class TimedMcts(mcts.MCTSBot):  # type: ignore[misc]  # it has no types
    """Monte Carlo tree search with a deadline."""

    def __init__(self, owner: Any, exploration: float, seed: int) -> None:
        chance = np.random.RandomState(seed)
        rollouts = mcts.RandomRolloutEvaluator(random_state=chance)
        super().__init__(owner, exploration, 1, rollouts, random_state=chance)
        self._owner = owner
        self._deadline: float | None = None
        self._root: Any = None

    def choose(self, position: Position, simulations: int, deadline: float | None) -> Choice:
        """Returns the move with the most simulations."""
        # The first simulation creates the root, the second one its children.
        self.max_simulations, self._deadline = max(2, simulations), deadline
        try:
            root = self.mcts_search(state_of(self._owner, position))
        except TimeIsUp:
            root = self._root
        best = root.best_child()
        move = self._owner.new_initial_state().actions.text(best.action)
        value = float(best.total_reward / best.explore_count) if best.explore_count else None
        return Choice(move, value, nodes=root.explore_count)

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        """Descends the tree once; every simulation starts here, so the deadline is checked here."""
        self._root = root
        late = self._deadline is not None and time.monotonic() > self._deadline
        if late and root.children:
            raise TimeIsUp
        return super()._apply_tree_policy(root, state)
