"""A player that errs as people do: it weighs its moves by a search, and does not always take the
best of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.core.spec import option
from papan.engine import Engine
from papan.learn import choice
from papan.players.base import Choice, Player
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.algorithm import Task, first_move_result, search
from papan.search.limits import Limit, Stop, run_stoppable
from papan.search.mcts.options import MOST_SIMULATIONS
from papan.search.result import SearchResult, winning_chance
from papan.usercode.loader import is_users

if TYPE_CHECKING:
    from papan.search.mcts.algorithm import Mcts

#: The searches that a fallible player may ask.
SEARCHES = ("mcts", "engine")
#: A win in one move is overlooked no more often than this, however great the noise.
MOST_OVERSIGHT = 0.15
#: Room for a position in the table and for a simulation in the tree, in bytes, roughly; and for
#: all of them, in MB.
_TABLE_BYTES, _TREE_BYTES = 32, 2000
_LEAST_ROOM, _MOST_ROOM = 0.5, 64.0
#: Number of moves that the engine compares: with much noise, with some, and with next to none.
_MANY, _SOME, _ONE = 64, 6, 1
_MUCH_NOISE, _LITTLE_NOISE = 0.05, 0.01
#: A child of the tree counts as if it had also been visited so often with the parent's average.
_PRIOR_VISITS = 1.0

#: Moves in the game's notation, each with its chance: the mover's expected score, 0 … 1.
Candidates = list[tuple[str, float]]


@dataclass
class FalliblePlayer(Player):
    """Searches a little, and prefers what looks better without always taking it.

    A move whose expected score is lower by `noise` than that of the best one is played 1/e times
    as often: errors are plausible ones, never any move whatever. A win in one move is seen in at
    least 85 of 100 cases.

    Attributes:
        search: what weighs the moves.
        nodes: simulations of `mcts`, or positions of `engine`, for each move.
        noise: the temperature, in expected score; 0 takes the best move.
        scale: the lead that counts as three wins in four games, where an evaluation has points.
    """

    name = "fallible"

    search: str = option("mcts", "option.search", choices=SEARCHES)
    nodes: int = option(500, "option.level-nodes", low=1, high=MOST_SIMULATIONS)
    noise: float = option(0.05, "option.noise", low=0.0, high=1.0)
    scale: float = option(8.0, "option.scale", low=0.001, high=1e6)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._searching.forget()
        self._searching.prepare(game.start(), self._evaluation(game))

    def choose(self, position: Position, limit: Limit) -> Choice:
        overlooks = self.random.random() < min(self.noise, MOST_OVERSIGHT)
        if not overlooks and (win := win_at_once(position)) is not None:
            return Choice(win)
        move, chance = self.drawn(self._candidates(position, limit))
        return Choice(move, round(chance, 4))

    @cached_property
    def _searching(self) -> Mcts | Engine:
        if self.search == "engine":
            return Engine(hash=_room(self.nodes * _TABLE_BYTES), lines=self._lines)
        # Imported here, since that means loading numba.
        from papan.search.mcts.algorithm import Mcts

        return Mcts(simulations=self.nodes, memory=_room(self.nodes * _TREE_BYTES))

    @property
    def _lines(self) -> int:
        if self.noise <= _LITTLE_NOISE:
            return _ONE
        return _MANY if self.noise > _MUCH_NOISE else _SOME

    def _evaluation(self, game: Game) -> Evaluation:
        """The evaluation of the engine; the tree search plays positions to the end."""
        return choice.strongest(game) if self.search == "engine" else game.default_evaluation

    def _candidates(self, position: Position, limit: Limit) -> Candidates:
        if len(position.codes()) == 1:
            return [(position.moves()[0], 0.5)]
        by = self._by_tree if self.search == "mcts" else self._by_lines
        return by(position, limit)

    def _by_tree(self, position: Position, limit: Limit) -> Candidates:
        """The moves by their children in a tree of simulations."""
        from papan.search.mcts.algorithm import Mcts
        from papan.search.mcts.tree import OPEN, ROOT, score_of

        searching = self._searching
        assert isinstance(searching, Mcts)
        searching.seed = self.random.getrandbits(32)
        result = self._search_result(position, Limit(None, limit.seconds, MOST_SIMULATIONS))
        assert result.move is not None
        nodes, mean = searching.tree.nodes, searching.score_rate
        first, count = int(nodes[ROOT].first), int(nodes[ROOT].count)
        if self.noise == 0 or not count:
            return [(result.move, mean)]
        candidates = []
        for child in nodes[first : first + count]:
            prior = _PRIOR_VISITS * mean
            guess = (float(child.total) + prior) / (int(child.visits) + _PRIOR_VISITS)
            status = int(child.status)
            chance = guess if status == OPEN else score_of(status)
            candidates.append((position.game.write_move(int(child.move)), chance))
        return candidates

    def _by_lines(self, position: Position, limit: Limit) -> Candidates:
        """The moves by the engine's principal variations."""
        evaluation = self._evaluation(position.game)
        # With too few nodes for one ply nothing is known.
        result = self._search_result(position, Limit(None, limit.seconds, self.nodes))
        if result.depth == 0:
            result = self._search_result(position, Limit(depth=1))
        assert result.move is not None
        lines = [(line.moves[0], line.value) for line in result.lines]
        return [
            (move, self._chance(position, evaluation, value))
            for move, value in lines or [(result.move, result.value)]
        ]

    def _search_result(self, position: Position, limit: Limit) -> SearchResult:
        """The result of a search."""
        searching, evaluation = self._searching, self._evaluation(position.game)
        if limit.seconds is not None:
            return search(position, limit, algorithm=searching, evaluation=evaluation)
        # So few nodes need neither a thread nor a look at the clock, which take longer than they:
        # unless a rule may hang, which is seen from another thread only.
        task = Task(position, evaluation, limit, Stop())
        searching.begin(task)
        results = [first_move_result(task, searching)]
        if is_users(position.game):
            run_stoppable(lambda: results.extend(searching.steps(task)), task.stop)
        else:
            results.extend(searching.steps(task))
        return results[-1]

    def _chance(self, position: Position, evaluation: Evaluation, value: float) -> float:
        """The expected score (0 … 1) that a value in points stands for."""
        if rules.is_win_distance(position.state, int(value)):
            return float(value > 0)
        learnt = winning_chance(evaluation, value)
        if learnt is not None:
            return learnt
        return 1 / (1 + math.exp(-math.log(3) * max(-100.0, min(100.0, value / self.scale))))

    def drawn(self, candidates: Candidates) -> tuple[str, float]:
        """One of the moves, the likelier the better it looks."""
        best = max(candidates, key=lambda candidate: candidate[1])
        if self.noise == 0:
            return best
        weights = [math.exp((chance - best[1]) / self.noise) for _, chance in candidates]
        return self.random.choices(candidates, weights)[0]


def _room(size: float) -> float:
    """Room for so many bytes, in MB."""
    return min(max(size / 1e6, _LEAST_ROOM), _MOST_ROOM)


def win_at_once(position: Position) -> str | None:
    """A move that ends the game with a win for the side that makes it; None if there is none."""
    mover = SIDES.index(position.side)
    for code in position.codes():
        outcome = position.after(code).outcome()
        if outcome is not None and outcome.points(SIDES[mover]) == 1.0:
            return position.game.write_move(code)
    return None
