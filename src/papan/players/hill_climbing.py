"""Hill climbing: a look one ply ahead at an objective, after both course reports on Adjacency."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from papan.core.game import Game, Position
from papan.core.spec import option
from papan.players.base import Choice, Player
from papan.players.objective import evaluation_of, move_values, value_now
from papan.search.limits import Limit

Gains = Mapping[int, float]  # legal move → by how much it betters the objective


def best(gains: Gains, random: Random) -> int:
    """One of the moves of the greatest gain, all with the same probability."""
    most = max(gains.values())
    return random.choice([move for move, gain in gains.items() if gain == most])


def sideways(gains: Gains, random: Random) -> int:
    """One of the best moves that do not worsen the objective; any best one if all of them do."""
    level = {move: gain for move, gain in gains.items() if gain >= 0}
    return best(level or gains, random)


def stochastic(gains: Gains, random: Random) -> int:
    """One of the moves that better the objective, the more likely the more they do; any move if
    none does."""
    uphill = {move: gain for move, gain in gains.items() if gain > 0}
    if not uphill:
        return random.choice(list(gains))
    return random.choices(list(uphill), list(uphill.values()))[0]


VARIANTS: Mapping[str, Callable[[Gains, Random], int]] = {
    "sideways": sideways,
    "steepest": best,
    "stochastic": stochastic,
}


@dataclass
class HillClimbingPlayer(Player):
    """Plays the move after which the objective looks best at once.

    The objective is the game's evaluation, own − opponent's. In Adjacency `sideways` is the first
    report's local search (own score after − own score before, never a loss, ties at random) and
    `steepest` the second one's (best successor by own − opponent). Each move there gains 1 + 2 for
    each piece it turns, so that both rank moves alike and differ in name only. `stochastic` is what
    both reports argue against.

    Attributes:
        variant: how a move is chosen among those that are looked at.
        evaluation: the name of the objective; empty for the game's default.
    """

    name = "hill-climbing"

    variant: str = option("sideways", "option.variant", choices=tuple(VARIANTS))
    evaluation: str = option("", "option.evaluation")

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        evaluation_of(game, self.evaluation)

    def choose(self, position: Position, limit: Limit) -> Choice:
        evaluation = evaluation_of(position.game, self.evaluation)
        values = move_values(position, evaluation)
        now = value_now(position, evaluation)
        gains = {code: value - now for code, value in values.items()}
        code = VARIANTS[self.variant](gains, self.random)
        return Choice(position.game.write_move(code), values[code], depth=1, nodes=len(values))
