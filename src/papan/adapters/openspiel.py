"""OpenSpiel: registers Papan's games under names such as `papan_adjacency`.

    import pyspiel
    import papan.adapters.openspiel
    game = pyspiel.load_game("papan_platforms(size=4,level=2)")

Importing this module registers every installed game with its options as parameters. `register` adds
a game from a file, and `load` takes a spec. Sizes that are not plain numbers are written in full:
`papan_adjacency(size=5x5)`. A win returns 1, a loss −1. The observation tensor consists of the
planes of `papan.adapters.observation`.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from papan.adapters.bots import OpenSpielPlayer
from papan.adapters.observation import Actions, actions_of, planes_of
from papan.core import spec
from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.players.base import Choice
from papan.usercode import loader, registry

PREFIX = "papan_"


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A position with OpenSpiel's interface; each action changes it, and copies are independent.

    Attributes:
        position: the current position.
    """

    def __init__(self, owner: Any) -> None:
        super().__init__(owner)
        self.position: Position = owner.game.start()
        self._legal: list[int] | None = None

    @property
    def actions(self) -> Actions:
        """The actions of the game's moves."""
        return actions_of(self.position.game)

    def set_position(self, position: Position) -> None:
        """Continues from another position of the same game, without the moves that led to it."""
        self.position, self._legal = position, None

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return SIDES.index(self.position.side)

    def is_terminal(self) -> bool:
        return not self._actions_here()

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        outcome = self.position.outcome()
        assert outcome is not None
        return [2 * outcome.points(side) - 1 for side in SIDES]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._actions_here())

    def _apply_action(self, action: int) -> None:
        self.set_position(self.position.after(self.actions.codes[action]))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.actions.text(action)

    def _actions_here(self) -> list[int]:
        if self._legal is None:
            self._legal = self.actions.legal(self.position)
        return self._legal

    def __str__(self) -> str:
        return str(self.position)


class PlanesObserver:
    """An OpenSpiel observer: a tensor, named views of it, and a method to fill it."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observations of {game.spec} have no parameters; found {params}")
        self._planes = planes_of(game)
        self.tensor: NDArray[np.float32] = np.zeros(self._planes.shape, np.float32).ravel()
        self.dict = {"observation": self.tensor.reshape(self._planes.shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fills the tensor from the view of a player."""
        planes = self.dict["observation"]
        planes[:] = 0
        self._planes.write(state.position, SIDES[player], planes)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Returns the position line, which contains the whole observation."""
        return str(state.position)


def register(name: str) -> str:
    """Registers a game, installed or in a file, with OpenSpiel; returns its name there.

    Raises:
        InvalidSpec: no installed game has that name.
        InvalidGame: the file does not contain a game.
    """
    return _register(registry.game_class(name))


@functools.cache
def _register(game_class: type[Game]) -> str:
    stem = re.sub(r".*/|\.py$", "", game_class.name)
    short = PREFIX + re.sub(r"\W", "_", stem)
    game_type = _type_of(game_class, short)

    class Registered(pyspiel.Game):  # type: ignore[misc]  # it has no types
        """A game with its options."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            chosen = dict(params or {})
            self.game = _with_options(game_class, chosen)
            super().__init__(game_type, _facts_of(self.game), chosen)

        def new_initial_state(self, state: None = None) -> OpenSpielState:
            return OpenSpielState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (
                iig_obs_type.public_info and not iig_obs_type.perfect_recall
            ):
                return PlanesObserver(self.game, params)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

        def __reduce__(self) -> tuple[Any, ...]:
            """Pickles the game as a Papan game, so that a process without this registration can
            load it."""
            if loader.split(self.game.name):
                return load, (self.game.spec,)
            return load_like, (self.game,)

    pyspiel.register_game(game_type, Registered)
    return short


def load(text: str) -> Any:
    """Returns the OpenSpiel game of a spec, for example `load("adjacency:rounds=8")`.

    Raises:
        UsageError: the spec is invalid.
    """
    return load_like(registry.game(text))


def load_like(game: Game) -> Any:
    """Returns the OpenSpiel form of a game."""
    declared = spec.options_of(type(game))
    params = {key: _not_a_number(getattr(game, key), facts) for key, facts in declared.items()}
    return pyspiel.load_game(_register(type(game)), params)


def _with_options(game_class: type[Game], params: Mapping[str, Any]) -> Game:
    """Returns the game with options from OpenSpiel parameters."""
    declared = spec.options_of(game_class)
    values = {
        key: facts["parse"](params[key]) if facts["parse"] else params[key]
        for key, facts in declared.items()
        if key in params
    }
    return game_class(**values)


def _not_a_number(value: Any, facts: Mapping[str, Any]) -> Any:
    """Returns an option's value as an OpenSpiel parameter.

    OpenSpiel would parse a text such as the size `8` as a number, so it is written in an equivalent
    longer form: `8x8`.
    """
    longer = f"{value}x{value}"
    looks_so = isinstance(value, str) and value.isdigit() and facts["parse"]
    return longer if looks_so and facts["parse"](longer) == value else value


def _type_of(game_class: type[Game], short: str) -> Any:
    kind = pyspiel.GameType
    declared = spec.options_of(game_class)
    return kind(
        short_name=short,
        long_name=f"Papan: {game_class.title}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            key: _not_a_number(facts["default"], facts) for key, facts in declared.items()
        },
    )


def _facts_of(game: Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=len(actions_of(game)),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=game.max_plies,
    )


# --- bots

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


for _name in registry.names():
    register(_name)
