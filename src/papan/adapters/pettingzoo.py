"""PettingZoo: a game as an environment with two agents that act in turn (AEC).

    from papan.adapters import pettingzoo
    env = pettingzoo.env("adjacency:rounds=8", render_mode="ansi")

`player_0` is `x`, `player_1` is `o`. An observation is a dictionary with planes of numbers
(`papan.adapters.observation`) and the mask of legal actions, which is 0 for the agent not to move.
At the end the reward is 1 for the winner and −1 for the loser. An illegal action loses the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from papan.adapters.observation import RENDER_MODES, View
from papan.core.game import Game, Outcome
from papan.core.notation import SIDES
from papan.errors import IllegalMove

AGENTS = ("player_0", "player_1")


def env(game: Game | str = "adjacency", *, render_mode: str | None = None) -> TurnsEnv:
    """Returns an environment for a game or its spec; it needs no wrapper."""
    return TurnsEnv(game, render_mode=render_mode)


class TurnsEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]  # it has no types
    """A game with two agents.

    Args:
        game: a game or its spec.
        render_mode: `ansi`, `rgb_array` or None.
    """

    metadata = {
        "name": "papan_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(self, game: Game | str = "adjacency", *, render_mode: str | None = None) -> None:
        super().__init__()
        self.view = View.of(game, render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        count = len(self.view.actions)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}
        self.observation_spaces = {agent: self._observation_space() for agent in AGENTS}
        self.position = self.view.game.start()
        self.last_move: str | None = None

    def _observation_space(self) -> spaces.Dict:
        shape, count = self.view.planes.shape, len(self.view.actions)
        planes = spaces.Box(0.0, 1.0, shape, np.float32)
        return spaces.Dict({"observation": planes, "action_mask": spaces.MultiBinary(count)})

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        Args:
            seed: ignored, because the games have no chance; part of the interface.
            options: `position`: position line to start from.
        """
        self.position = self.view.game.position((options or {}).get("position", ""))
        self.last_move = None
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, self.position.outcome() is not None)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self._agent_to_move()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Returns the observation of an agent, whether or not it is to move."""
        side = SIDES[AGENTS.index(agent)]
        mask = self.view.mask(self.position, side)
        if self.terminations[agent]:  # after an illegal action the position has legal moves
            mask[:] = 0
        return {"observation": self.view.observe(self.position, side), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, f"the game continues: expected an action of {agent}"
        try:
            self.position = self.view.actions.after(self.position, action)
        except IllegalMove as error:
            self.infos[agent]["illegal"] = str(error)
            self._end(Outcome.of_winner(1 - AGENTS.index(agent)))
        else:
            self.last_move = self.view.actions.text(action)
            outcome = self.position.outcome()
            if outcome is not None:
                self._end(outcome)
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        if not self.terminations[agent]:
            self.agent_selection = self._agent_to_move()

    def render(self) -> Any:
        """Returns the board as text or pixels, or None, depending on `render_mode`."""
        return self.view.render(self.position, self.last_move)

    def close(self) -> None:
        """Does nothing; part of the interface."""

    def _agent_to_move(self) -> str:
        return AGENTS[SIDES.index(self.position.side)]

    def _end(self, outcome: Outcome) -> None:
        for agent, side in zip(AGENTS, SIDES, strict=True):
            self.rewards[agent] = 2 * outcome.points(side) - 1
            self.terminations[agent] = True
        self._accumulate_rewards()
