"""Local search over the moves of one position, valued one ply ahead by an objective.

Hill climbing and simulated annealing, after both course reports on Adjacency.
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
    """The value of an unfinished game in points, side to move's view."""
    value = int(rules.evaluate(evaluation, position.state))
    return in_points(evaluation, position.state, value)


def move_values(position: Position, evaluation: Evaluation) -> dict[int, float]:
    """Each legal move with the value, in points, of the position after it, mover's view."""
    return {code: _value_after(position, evaluation, code) for code in position.codes()}


def _value_after(position: Position, evaluation: Evaluation, code: int) -> float:
    # A draw by repetition is the one ending that the state alone does not show.
    if position.past and position.after(code).outcome() is Outcome.DRAW:
        return 0
    value = int(rules.evaluate_after(evaluation, position.state, code, 0))
    return in_points(evaluation, position.state, value)


#: Climbs of random-restart hill climbing, and moves that each looks at before a step.
_RESTARTS, _NEIGHBOURS = 3, 4

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


def restarts(gains: Gains, random: Random) -> int:
    """The best move of several climbs from random moves.

    A climb looks at a few random moves at a time and goes to the best of them as long as that is
    better than the move held (random-restart hill climbing).
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
    """Plays the move after which the objective looks best at once.

    The objective is the game's evaluation, own − opponent's. In Adjacency `sideways` is the first
    report's local search (own score after − own score before, never a loss, ties at random) and
    `steepest` the second one's (best successor by own − opponent). Each move there gains 1 + 2 for
    each piece it turns, so that both rank moves alike and differ in name only. `stochastic` and
    `restarts` are what both reports argue against.

    Attributes:
        variant: how a move is chosen among those that are looked at.
        evaluation: the name of the objective; empty for the game's default.
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
