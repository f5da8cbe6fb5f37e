"""Local search over the moves of one position, each valued one ply ahead by an objective.

Contains hill climbing and simulated annealing, after both course reports on Adjacency.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from papan.core.game import Game, Outcome, Position
from papan.core.spec import option
from papan.learn.choice import evaluation_named
from papan.players.base import Choice, Player
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.algorithm import in_points
from papan.search.limits import Limit


def value_now(position: Position, evaluation: Evaluation) -> float:
    """Returns the value of an unfinished game in points, side to move's view."""
    value = int(rules.evaluate(evaluation, position.state))
    return in_points(evaluation, position.state, value)


def move_values(position: Position, evaluation: Evaluation) -> dict[int, float]:
    """Returns the value of the position after each legal move, in points, mover's view."""
    return {code: value_after(position, evaluation, code) for code in position.codes()}


def value_after(position: Position, evaluation: Evaluation, code: int) -> float:
    """Returns the value of the position after a legal move, in points, mover's view."""
    # Only a draw by repetition is not visible in the state, which has no history.
    if position.past and position.after(code).outcome() is Outcome.DRAW:
        return 0
    value = int(rules.evaluate_after(evaluation, position.state, code, 0))
    return in_points(evaluation, position.state, value)


#: Random-restart hill climbing: number of climbs, and number of moves sampled for each step.
_RESTARTS, _NEIGHBOURS = 3, 4

Gains = Mapping[int, float]  # legal move → change of the objective


def best(gains: Gains, random: Random) -> int:
    """Returns one of the moves with the largest gain, each with the same probability."""
    most = max(gains.values())
    return random.choice([move for move, gain in gains.items() if gain == most])


def sideways(gains: Gains, random: Random) -> int:
    """Returns one of the best moves among those without a loss; if all lose, one of the best
    moves."""
    level = {move: gain for move, gain in gains.items() if gain >= 0}
    return best(level or gains, random)


def stochastic(gains: Gains, random: Random) -> int:
    """Returns a random improving move, with a probability proportional to its gain.

    If no move improves the objective, any move is returned.
    """
    uphill = {move: gain for move, gain in gains.items() if gain > 0}
    if not uphill:
        return random.choice(list(gains))
    return random.choices(list(uphill), list(uphill.values()))[0]


def restarts(gains: Gains, random: Random) -> int:
    """Returns the best move of several climbs from random moves (random-restart hill climbing).

    Each step samples a few moves and goes to the best of them, as long as it is better than the
    current move.
    """
    moves = list(gains)

    def climb(held: int) -> int:
        while True:
            seen = random.sample(moves, min(_NEIGHBOURS, len(moves)))
            better = max(seen, key=gains.__getitem__)
            if gains[better] <= gains[held]:
                return held
            held = better

    ends = [climb(random.choice(moves)) for _ in range(_RESTARTS)]
    return max(ends, key=gains.__getitem__)


VARIANTS: Mapping[str, Callable[[Gains, Random], int]] = {
    "sideways": sideways,
    "steepest": best,
    "stochastic": stochastic,
    "restarts": restarts,
}


@dataclass
class HillClimbingPlayer(Player):
    """Plays the move with the best objective after one ply.

    The objective is the game's evaluation, own − opponent's. In Adjacency, `sideways` is the local
    search of the first report (own score after − own score before, never a loss, ties at random).
    `steepest` is the local search of the second report (best successor by own − opponent). Each
    move there gains 1 + 2 for each turned piece, so both variants rank the moves in the same way
    and differ only in name. Both reports argue against `stochastic` and `restarts`.

    Attributes:
        variant: rule that selects the move.
        evaluation: name of the objective; empty for the game's default.
    """

    name = "hill-climbing"

    variant: str = option("sideways", "option.variant", choices=tuple(VARIANTS))
    evaluation: str = option("", "option.evaluation")

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        evaluation_named(game, self.evaluation)

    def choose(self, position: Position, limit: Limit) -> Choice:
        evaluation = evaluation_named(position.game, self.evaluation)
        values = move_values(position, evaluation)
        now = value_now(position, evaluation)
        gains = {code: value - now for code, value in values.items()}
        code = VARIANTS[self.variant](gains, self.random)
        return Choice(position.game.write_move(code), values[code], depth=1, nodes=len(values))


@dataclass
class AnnealingPlayer(Player):
    """Simulated annealing over the legal moves: nearly random at first, later only improvements.

    The states are the legal moves, valued one ply ahead; every two moves are neighbours. The search
    starts at a random move. Each step proposes another random move, which is accepted if it is not
    worse, and otherwise with probability exp(−loss ÷ temperature) (Kirkpatrick, Gelatt & Vecchi,
    "Optimization by simulated annealing", Science 220, 1983). After each proposal the temperature
    is multiplied by `cooling`. When it is below `end`, the current move is played.

    The defaults make 59 proposals. A loss of two points is accepted in three of five cases at
    temperature 4, and hardly ever at 0.2. The defaults are ours, since the reports give no
    schedule.

    Attributes:
        temperature: initial temperature in points of the objective.
        cooling: factor between consecutive temperatures.
        end: final temperature in points.
        evaluation: name of the objective; empty for the game's default.
    """

    name = "annealing"

    temperature: float = option(4.0, "option.temperature", low=0.001, high=1e6)
    cooling: float = option(0.95, "option.cooling", low=0.01, high=0.999)
    end: float = option(0.2, "option.end", low=0.001, high=1e6)
    evaluation: str = option("", "option.evaluation")

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        evaluation_named(game, self.evaluation)

    def choose(self, position: Position, limit: Limit) -> Choice:
        values = move_values(position, evaluation_named(position.game, self.evaluation))
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
