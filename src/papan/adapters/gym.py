"""Gymnasium: a game against any player as an environment with one agent.

    import gymnasium
    import papan.adapters.gym
    env = gymnasium.make("papan/Game-v0", game="platforms:size=4", opponent="mcts:simulations=50")

An observation consists of planes of numbers (`papan.adapters.observation`). The legal actions are
in `info["action_mask"]` and `env.unwrapped.action_masks()`. A step is the agent's move and the
opponent's reply. At the end the reward is 1 for a win, 0 for a draw, −1 for a loss. An illegal
action loses the game, for either side.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from papan.adapters.observation import RENDER_MODES, Observation, View
from papan.core.game import Game, Outcome
from papan.core.notation import SIDES
from papan.errors import IllegalMove, InvalidMove, PlayerFailure, UsageError
from papan.players import registry
from papan.players.base import Player
from papan.search.limits import Limit

ENV_ID = "papan/Game-v0"

#: Upper limit of the opponents' seeds.
_SEEDS = 2**31

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class GameEnv(gymnasium.Env[Observation, int]):  # type: ignore[misc]  # the checker need not have it
    """A game against a player.

    A copy made during a game continues with an opponent of the same options and random state, but
    without the data that its search keeps in memory.

    Args:
        game: a game or its spec.
        opponent: a player or its spec.
        side: `x`, `o`, or `random` to draw the side for each game.
        limit: limit of each move of the opponent.
        render_mode: `ansi`, `rgb_array` or None.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: Game | str = "adjacency",
        opponent: Player | str = "random",
        *,
        side: str = "x",
        limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.view = View.of(game, render_mode)
        self.render_mode = render_mode
        self.opponent = registry.player(opponent) if isinstance(opponent, str) else opponent
        self.limit = limit or Limit()
        self.chosen_side = _check(side)
        self.side = SIDES[0]
        self.observation_space = spaces.Box(0.0, 1.0, self.view.planes.shape, np.float32)
        self.action_space = spaces.Discrete(len(self.view.actions))
        self.position = self.view.game.start()
        self.last_move: str | None = None
        self.under_way = False
        self._seed = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game; if the opponent moves first, its first move is already played.

        Args:
            seed: seed of the opponent, and of a randomly drawn side.
            options: `position`: line of an unfinished position to start from; `side`: replaces the
                argument `side` for this game.

        Raises:
            PlayerFailure: the opponent could not start.
            UsageError: an option is not allowed, or the opponent's first move is illegal.
        """
        super().reset(seed=seed)
        options = options or {}
        side = _check(options.get("side", self.chosen_side))
        self.side = side if side in SIDES else SIDES[int(self.np_random.integers(len(SIDES)))]
        self.position = self.view.game.position(options.get("position", ""))
        if self.position.outcome() is not None:
            raise UsageError("adapter.over", text=str(self.position))
        self.last_move, self.under_way = None, True
        self._seed = int(self.np_random.integers(_SEEDS))
        self.opponent.new_game(self.view.game, self._seed)
        self._answer()
        return self.view.observe(self.position, self.side), self._info()

    def step(self, action: int) -> Step:
        """Plays the agent's action and the opponent's reply.

        Raises:
            gymnasium.error.ResetNeeded: no game is in progress.
        """
        if not self.under_way:
            raise gymnasium.error.ResetNeeded("no game is in progress; call reset() first")
        try:
            self.position = self.view.actions.after(self.position, action)
        except IllegalMove as error:
            return self._step_result({"illegal": str(error)}, lost_by=self.side)
        self.last_move = self.view.actions.text(int(action))
        try:
            self._answer()
        except (PlayerFailure, IllegalMove, InvalidMove) as error:
            return self._step_result({"opponent": str(error)}, lost_by=self.position.side)
        return self._step_result({})

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal; learners with action masks call a method of this
        name."""
        return self._mask().astype(bool)

    def render(self) -> Any:
        """Returns the board as text or pixels, or None, depending on `render_mode`."""
        return self.view.render(self.position, self.last_move)

    def close(self) -> None:
        """Releases the opponent's processes and memory."""
        self.opponent.close()

    def _answer(self) -> None:
        """Plays the opponent's moves as long as it is to move."""
        while self.position.side != self.side and self.position.outcome() is None:
            move = self.opponent.choose(self.position, self.limit).move
            self.position = self.position.play(move)
            self.last_move = move

    def _step_result(self, info: dict[str, str], lost_by: str = "") -> Step:
        """Returns the result of `step`; `lost_by` is the side that broke the rules, if any."""
        outcome = self.position.outcome()
        if lost_by:
            outcome = Outcome.of_winner(1 - SIDES.index(lost_by))
        self.under_way = outcome is None
        reward = 0.0 if outcome is None else 2 * outcome.points(self.side) - 1
        seen = self.view.observe(self.position, self.side)
        return seen, reward, not self.under_way, False, {**self._info(), **info}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        mask = self.view.mask(self.position, self.side)
        return mask if self.under_way else np.zeros_like(mask)

    def __getstate__(self) -> dict[str, Any]:
        """Returns everything except the opponent's processes and memory."""
        chance = self.opponent.random.getstate()
        return {**self.__dict__, "opponent": replace(self.opponent), "chance": chance}

    def __setstate__(self, state: dict[str, Any]) -> None:
        chance = state.pop("chance")
        self.__dict__.update(state)
        if self.under_way:
            self.opponent.new_game(self.view.game, self._seed)
        self.opponent.random.setstate(chance)


def _check(side: str) -> str:
    if side not in (*SIDES, "random"):
        raise UsageError("adapter.side", text=side)
    return side


gymnasium.register(ENV_ID, entry_point=f"{__name__}:{GameEnv.__name__}")
