"""Players that ask a search algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from papan.core.game import Game, Position
from papan.core.spec import option, options_of
from papan.engine import LARGEST_SOLVED
from papan.learn import choice
from papan.players.base import Choice, Player, evaluation_of
from papan.rules import solving
from papan.rules.operations import MAX_PLY, Evaluation
from papan.search.algorithm import Algorithm, search
from papan.search.limits import LARGEST_MB, MARGIN, Limit, tightest
from papan.search.mcts.options import LEAVES, MctsOptions
from papan.search.registry import algorithm
from papan.search.result import SearchResult
from papan.solve.solve import cheap_solution

if TYPE_CHECKING:
    from papan.search.mcts.algorithm import Mcts


@dataclass
class Searcher(Player):
    """Plays the best move that an algorithm finds."""

    #: The spec of the algorithm.
    algorithm: ClassVar[str]

    depth: int = option(0, "option.depth", low=0, high=MAX_PLY)
    time: float = option(0.0, "option.time", low=0.0)
    nodes: int = option(0, "option.nodes", low=0)

    @cached_property
    def searching(self) -> Algorithm:
        """The algorithm, made when it is first needed."""
        return algorithm(self.algorithm)

    @property
    def own_limit(self) -> Limit:
        """Limit set by the options; 0 sets none."""
        return Limit(self.depth or None, self.time or None, self.nodes or None)

    def evaluation_for(self, game: Game) -> Evaluation:
        """The evaluation of unfinished games."""
        return game.default_evaluation

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.searching.forget()  # what it plays must not hang on the games before
        # Here, because compiling must not count as thinking time.
        self.searching.prepare(game.start(), self.evaluation_for(game))

    def choose(self, position: Position, limit: Limit) -> Choice:
        evaluation = self.evaluation_for(position.game)
        limit = tightest(limit, self.own_limit)
        result = search(position, limit, algorithm=self.searching, evaluation=evaluation)
        assert result.move is not None
        return Choice(result.move, result.value, result.depth, result.nodes, result.pv)


@dataclass
class MinimaxPlayer(Searcher):
    """Minimax with alpha–beta pruning to a fixed depth, five seconds a move at the most, as in
    the first course report on Adjacency (second report: depth 7).

    Both value a position by plain piece difference, which is the game's default evaluation.

    Attributes:
        evaluation: the name of what values leaves; empty for the game's default.
    """

    name = "minimax"
    algorithm = "alphabeta"

    depth: int = option(6, "option.depth", low=1, high=MAX_PLY)
    time: float = option(5.0, "option.time", low=0.0)
    evaluation: str = option("", "option.evaluation")

    def evaluation_for(self, game: Game) -> Evaluation:
        return evaluation_of(game, self.evaluation)


@dataclass
class AlphaBetaPlayer(Searcher):
    """Plain alpha–beta, without any limit of its own."""

    name = "alphabeta"
    algorithm = "alphabeta"


#: Time to prove again what a sure result was left for, in seconds; no more than half of what an
#: arbiter takes for the machine's own.
KEEPING_SECONDS = MARGIN / 2


@dataclass
class EnginePlayer(Searcher):
    """The engine with the game's strongest evaluation: what was learnt for it, where that was
    measured to be stronger than what was written.

    Where the game knows a move that secures a result without search (as the mirror strategy
    does for the second player on an even board), the engine leaves it only for a result that is
    proven to be better. For one that is as good it stays: a later search, with less time, might
    not find again what an earlier one had proven. What it has left it for, it proves again at
    each move, if need be by `KEEPING_SECONDS` more than its time.
    """

    name = "engine"
    algorithm = "engine"

    threads: int = option(1, "option.threads", low=1, high=64)
    hash: float = option(16.0, "option.hash", low=0.001, high=float(LARGEST_MB))
    sure: bool = option(True, "option.sure")
    evaluation: str = option("", "option.engine-evaluation")

    @cached_property
    def searching(self) -> Algorithm:
        return algorithm(f"engine:threads={self.threads},hash={self.hash:g}")

    def evaluation_for(self, game: Game) -> Evaluation:
        return evaluation_of(game, self.evaluation) if self.evaluation else choice.strongest(game)

    #: The result of this game that a sure one was left for, in points; None if none was.
    _proven: float | None = field(default=None, init=False, repr=False, compare=False)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._proven = None

    def choose(self, position: Position, limit: Limit) -> Choice:
        evaluation = self.evaluation_for(position.game)
        limit = tightest(limit, self.own_limit)
        result = search(position, limit, algorithm=self.searching, evaluation=evaluation)
        assert result.move is not None
        if self.sure and (
            sure := secured_by_rule(position, result) or self._kept(position, result)
        ):
            return sure
        return Choice(result.move, result.value, result.depth, result.nodes, result.pv)

    def _kept(self, position: Position, result: SearchResult) -> Choice | None:
        """The move that keeps what is proven, where this search has not found it again."""
        if int(solving.strategy_move(position.state)) >= 0:
            self._proven = result.value
        if self._proven is None or (result.proven and result.value >= self._proven):
            return None
        solution = cheap_solution(position, seconds=KEEPING_SECONDS, nodes=LARGEST_SOLVED)
        if solution is None or solution.value < self._proven:
            return None
        plies, moves = solution.plies or 0, solution.moves[:1]
        return Choice(moves[0], solution.value, plies, solution.nodes, moves)


@dataclass
class MctsPlayer(MctsOptions, Searcher):
    """Monte-Carlo tree search, seeded by the game.

    A limit of depth bounds the tree; one of nodes counts simulations. An evaluation that is named
    values the leaves, and gives each move a prior.
    """

    name = "mcts"
    algorithm = "mcts"

    evaluation: str = option("", "option.mcts-evaluation")

    @cached_property
    def searching(self) -> Mcts:
        # Imported here, since that means loading numba.
        from papan.search.mcts.algorithm import Mcts

        options = {key: getattr(self, key) for key in options_of(MctsOptions)}
        if not self.leaf and self.evaluation not in ("", choice.NONE):
            options["leaf"] = LEAVES[1]
        return Mcts(**options)

    def evaluation_for(self, game: Game) -> Evaluation:
        return evaluation_of(game, self.evaluation)

    def new_game(self, game: Game, seed: int) -> None:
        self.searching.seed = seed
        super().new_game(game, seed)


def secured_by_rule(position: Position, result: SearchResult) -> Choice | None:
    """The game's sure move, unless the search has proven a better result."""
    code = int(solving.strategy_move(position.state))
    value = int(solving.strategy_value(position.state))
    if code < 0 or (result.proven and result.value > value):
        return None
    move = position.game.write_move(code)
    return Choice(move, value, result.depth, result.nodes, (move,))
