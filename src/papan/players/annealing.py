"""Simulated annealing over the moves of one position, which both course reports argue against."""

from __future__ import annotations

import math
from dataclasses import dataclass

from papan.core.game import Game, Position
from papan.core.spec import option
from papan.players.base import Choice, Player
from papan.players.objective import evaluation_of, move_values
from papan.search.limits import Limit


@dataclass
class AnnealingPlayer(Player):
    """Wanders from move to move, at first nearly at random, at last only to better ones.

    The states are the legal moves, valued one ply ahead; each is every other's neighbour. From a
    random one, a random other one is proposed and taken if it is not worse, or else with
    probability exp(−loss ÷ temperature) (Kirkpatrick, Gelatt & Vecchi, "Optimization by simulated
    annealing", Science 220, 1983). The temperature falls by the factor `cooling` after each
    proposal until it is below `end`; the move held then is played.

    The defaults make 59 proposals: at 4 points a loss of two is taken three times in five, at 0.2
    hardly ever. They are ours, since the reports name no schedule.

    Attributes:
        temperature: the first temperature, in points of the objective.
        cooling: by what each temperature is multiplied to give the next.
        end: the temperature, in points, below which no proposal is made.
        evaluation: the name of the objective; empty for the game's default.
    """

    name = "annealing"

    temperature: float = option(4.0, "option.temperature", low=0.001, high=1e6)
    cooling: float = option(0.95, "option.cooling", low=0.01, high=0.999)
    end: float = option(0.2, "option.end", low=0.001, high=1e6)
    evaluation: str = option("", "option.evaluation")

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        evaluation_of(game, self.evaluation)

    def choose(self, position: Position, limit: Limit) -> Choice:
        values = move_values(position, evaluation_of(position.game, self.evaluation))
        moves = list(values)
        held = self.random.choice(moves)
        temperature = self.temperature
        while temperature >= self.end:
            proposed = self.random.choice(moves)
            if self._takes(values[proposed] - values[held], temperature):
                held = proposed
            temperature *= self.cooling
        return Choice(position.game.write_move(held), values[held], depth=1, nodes=len(moves))

    def _takes(self, gain: float, temperature: float) -> bool:
        return gain >= 0 or self.random.random() < math.exp(gain / temperature)
