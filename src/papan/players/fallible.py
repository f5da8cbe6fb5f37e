"""A player with human-like errors: it searches, but does not always play the best move."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
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

#: Searches that can value the moves.
SEARCHES = ("mcts", "engine")
#: Maximum probability of overlooking a win in one move, even with more noise.
MOST_OVERSIGHT = 0.15
#: Approximate bytes per position in the table and per simulation in the tree, and the limits of the
#: total memory in MB.
_TABLE_BYTES, _TREE_BYTES = 32, 2000
_LEAST_ROOM, _MOST_ROOM = 0.5, 64.0
#: Number of moves that the engine compares: with much, some and almost no noise.
_MANY, _SOME, _ONE = 64, 6, 1
_MUCH_NOISE, _LITTLE_NOISE = 0.05, 0.01
#: Number of extra visits that a child of the tree counts with its parent's average score.
_PRIOR_VISITS = 1.0

#: Moves in the game's notation, each with the mover's expected score (0 … 1).
Candidates = list[tuple[str, float]]


@dataclass
class FalliblePlayer(Player):
    """Searches briefly and prefers better moves, but not always the best one.

    A move with an expected score `noise` below the best one is played 1/e times as often. So errors
    are plausible, not arbitrary. A win in one move is found in at least 85 of 100 cases.

    Attributes:
        search: name of the search that values the moves.
        nodes: simulations of `mcts` or nodes of `engine`, for each move.
        noise: temperature, in expected score; 0 always plays the best move.
        scale: lead in points that corresponds to an expected score of 3/4; used without a trained
            evaluation.
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
        # Imported here, since the module loads numba.
        from papan.search.mcts.algorithm import Mcts

        memory = _room(self.nodes * _TREE_BYTES)
        return Mcts(simulations=self.nodes, memory=memory, keep=False)

    @property
    def _lines(self) -> int:
        if self.noise <= _LITTLE_NOISE:
            return _ONE
        return _MANY if self.noise > _MUCH_NOISE else _SOME

    def _evaluation(self, game: Game) -> Evaluation:
        """Returns the evaluation of the engine; the tree search plays out positions instead."""
        return choice.strongest(game) if self.search == "engine" else game.default_evaluation

    def _candidates(self, position: Position, limit: Limit) -> Candidates:
        if len(position.codes()) == 1:
            return [(position.moves()[0], 0.5)]
        by = self._by_tree if self.search == "mcts" else self._by_lines
        return by(position, limit)

    def _by_tree(self, position: Position, limit: Limit) -> Candidates:
        """Returns the moves with the scores of their children in a tree of simulations."""
        from papan.search.mcts.algorithm import Mcts
        from papan.search.mcts.tree import OPEN, ROOT, score_of

        searching = self._searching
        assert isinstance(searching, Mcts)
        searching.seed = self.random.getrandbits(32)
        result = self._search_result(position, replace(limit, depth=None, nodes=MOST_SIMULATIONS))
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
        """Returns the moves with the values of the engine's principal variations."""
        evaluation = self._evaluation(position.game)
        # Too few nodes for depth 1 give no values at all.
        result = self._search_result(position, replace(limit, depth=None, nodes=self.nodes))
        if result.depth == 0:
            result = self._search_result(position, Limit(depth=1))
        assert result.move is not None
        lines = [(line.moves[0], line.value) for line in result.lines]
        return [
            (move, self._chance(position, evaluation, value))
            for move, value in lines or [(result.move, result.value)]
        ]

    def _search_result(self, position: Position, limit: Limit) -> SearchResult:
        """Returns the result of the player's search."""
        searching, evaluation = self._searching, self._evaluation(position.game)
        if limit.seconds is not None:
            return search(position, limit, algorithm=searching, evaluation=evaluation)
        # For so few nodes, a thread and a clock cost more time than the search itself. A user's
        # rule may hang, however, and only another thread can notice that.
        task = Task(position, evaluation, limit, Stop())
        searching.begin(task)
        results = [first_move_result(task, searching)]
        if is_users(position.game):
            run_stoppable(lambda: results.extend(searching.steps(task)), task.stop)
        else:
            results.extend(searching.steps(task))
        return results[-1]

    def _chance(self, position: Position, evaluation: Evaluation, value: float) -> float:
        """Returns the expected score (0 … 1) of a value in points."""
        if rules.is_win_distance(position.state, int(value)):
            return float(value > 0)
        learnt = winning_chance(evaluation, value)
        if learnt is not None:
            return learnt
        return 1 / (1 + math.exp(-math.log(3) * max(-100.0, min(100.0, value / self.scale))))

    def drawn(self, candidates: Candidates) -> tuple[str, float]:
        """Returns a random move; better moves are more likely."""
        best = max(candidates, key=lambda candidate: candidate[1])
        if self.noise == 0:
            return best
        weights = [math.exp((chance - best[1]) / self.noise) for _, chance in candidates]
        return self.random.choices(candidates, weights)[0]


def _room(size: float) -> float:
    """Converts bytes to MB, limited to the allowed memory."""
    return min(max(size / 1e6, _LEAST_ROOM), _MOST_ROOM)


def win_at_once(position: Position) -> str | None:
    """Returns a move that wins at once; None if there is none."""
    mover = SIDES.index(position.side)
    for code in position.codes():
        outcome = position.after(code).outcome()
        if outcome is not None and outcome.points(SIDES[mover]) == 1.0:
            return position.game.write_move(code)
    return None
