"""Players that search. Each algorithm is a player with the same options.

pvs:depth=3,slots=1024       engine:threads=2,lmr=4       mysearch.py:time=0.5
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from papan.core.game import Game, Position
from papan.core.spec import option, options_of
from papan.engine import LARGEST_SOLVED
from papan.learn import choice
from papan.learn.choice import evaluation_named
from papan.players.base import Choice, Player
from papan.rules import solving
from papan.rules.operations import MAX_PLY, Evaluation
from papan.search import registry
from papan.search.algorithm import Algorithm, search
from papan.search.limits import MARGIN, Limit, tightest
from papan.search.mcts.options import LEAVES
from papan.search.result import SearchResult
from papan.solve.solve import cheap_solution

if TYPE_CHECKING:
    from papan.search.mcts.algorithm import Mcts


@dataclass
class SearchPlayer(Player):
    """Plays the best move that a search algorithm finds.

    `player_of` creates the subclass for an algorithm, with the algorithm's options as fields.
    """

    #: Name of the algorithm, or path of its file.
    algorithm: ClassVar[str]
    #: Options of the algorithm that the player sets itself.
    managed: ClassVar[tuple[str, ...]] = ()

    depth: int = option(0, "option.depth", low=0, high=MAX_PLY)
    time: float = option(0.0, "option.time", low=0.0)
    nodes: int = option(0, "option.nodes", low=0)
    evaluation: str = option("", "option.evaluation")

    @cached_property
    def searching(self) -> Algorithm:
        """The algorithm with the player's options, created on first use."""
        return self.make_algorithm()

    def make_algorithm(self, **options: Any) -> Algorithm:
        """Returns the algorithm with the player's options; keyword arguments override them."""
        cls = registry.algorithm_class(self.algorithm)
        own = {name: getattr(self, name) for name in options_of(cls) if hasattr(self, name)}
        return cls(**{**own, **options})

    @property
    def own_limit(self) -> Limit:
        """Limit set by the options; 0 sets none."""
        return Limit(self.depth or None, self.time or None, self.nodes or None)

    def evaluation_for(self, game: Game) -> Evaluation:
        """Returns the evaluation of unfinished games."""
        return evaluation_named(game, self.evaluation)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.searching.forget()  # results of earlier games must not influence this one
        # Compile now, so that compiling does not count as thinking time.
        self.searching.prepare(game.start(), self.evaluation_for(game))

    def choose(self, position: Position, limit: Limit) -> Choice:
        return choice_of(self.find(position, limit))

    def find(self, position: Position, limit: Limit) -> SearchResult:
        """Searches within the given limit and the player's own limit."""
        return search(
            position,
            tightest(limit, self.own_limit),
            algorithm=self.searching,
            evaluation=self.evaluation_for(position.game),
        )


def choice_of(result: SearchResult) -> Choice:
    """Returns a search's result as a player's choice."""
    assert result.move is not None
    return Choice(result.move, result.value, result.depth, result.nodes, result.pv)


@functools.cache
def player_of(name: str) -> type[SearchPlayer]:
    """Returns the class of the player that searches with an algorithm.

    Args:
        name: name of the algorithm, or path of the file that defines it.

    Raises:
        InvalidSpec: the algorithm is unknown, or the file does not define exactly one.
        InvalidGame: the file cannot be run.
    """
    base = _BASES.get(name, SearchPlayer)
    own = {each.name for each in dataclasses.fields(base)}
    fields: list[tuple[str, Any, Any]] = [
        (each.name, each.type, field(default=each.default, metadata=each.metadata))
        for each in dataclasses.fields(registry.algorithm_class(name))
        if "option" in each.metadata and each.name not in own and each.name not in base.managed
    ]
    namespace = {
        "name": name,
        "algorithm": name,
        "__doc__": base.__doc__,
        "__module__": __name__,
        # Other processes cannot import the class by its name.
        "__reduce__": lambda player: (_restore, (name, vars(player))),
    }
    return dataclasses.make_dataclass("AlgorithmPlayer", fields, bases=(base,), namespace=namespace)


def _restore(name: str, state: dict[str, Any]) -> SearchPlayer:
    """Restores a player from a pickle or a copy."""
    cls = player_of(name)
    player = cls.__new__(cls)
    vars(player).update(state)
    return player


@dataclass
class MinimaxPlayer(SearchPlayer):
    """Minimax with alpha–beta pruning to a fixed depth, at most five seconds a move.

    This is the player of the first course report on Adjacency; the second report uses depth 7. Both
    evaluate a position by piece difference, the game's default evaluation.

    Attributes:
        evaluation: name of the evaluation of the leaves; empty for the game's default.
    """

    name = "minimax"
    algorithm = "alphabeta"

    depth: int = option(6, "option.depth", low=1, high=MAX_PLY)
    time: float = option(5.0, "option.time", low=0.0)


#: Time limit for proving again a result that replaced a sure one, in seconds: at most half of the
#: arbiter's margin.
KEEPING_SECONDS = MARGIN / 2


@dataclass
class EnginePlayer(SearchPlayer):
    """The engine with the game's strongest evaluation.

    A trained evaluation counts as the strongest only if it was measured to be stronger than the
    game's own.

    Some games have a move that secures a result without search, such as the mirror strategy of the
    second player on an even Adjacency board. The engine deviates from this move only if the search
    proved a better result. A later search with less time may not find that result again. Therefore
    the engine proves it again at each later move, if necessary in `KEEPING_SECONDS` beyond its
    limit.
    """

    sure: bool = option(True, "option.sure")
    evaluation: str = option("", "option.engine-evaluation")

    #: Proven value in points that replaced a sure result in this game; None if there is none.
    _proven: float | None = field(default=None, init=False, repr=False, compare=False)

    def evaluation_for(self, game: Game) -> Evaluation:
        if not self.evaluation:
            return choice.strongest(game)
        return super().evaluation_for(game)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._proven = None

    def choose(self, position: Position, limit: Limit) -> Choice:
        result = self.find(position, limit)
        secured = self._secure_choice(position, result) if self.sure else None
        return secured or choice_of(result)

    def _secure_choice(self, position: Position, result: SearchResult) -> Choice | None:
        return secured_by_rule(position, result) or self._keep_proven_value(position, result)

    def _keep_proven_value(self, position: Position, result: SearchResult) -> Choice | None:
        """Returns a move that keeps the proven value; None if this search already found one."""
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
class MctsPlayer(SearchPlayer):
    """Monte Carlo tree search, seeded at the start of each game.

    A depth limit bounds the tree; a node limit counts simulations. With a named evaluation, the
    leaves are evaluated instead of played out, and each move gets a prior.
    """

    managed = ("seed",)

    evaluation: str = option("", "option.mcts-evaluation")

    #: Option of the algorithm; `player_of` adds it as a field.
    leaf: ClassVar[str]

    @cached_property
    def searching(self) -> Mcts:
        judged = not self.leaf and self.evaluation not in ("", choice.NONE)
        algorithm = self.make_algorithm(**({"leaf": LEAVES[1]} if judged else {}))
        return cast("Mcts", algorithm)

    def new_game(self, game: Game, seed: int) -> None:
        self.searching.seed = seed
        super().new_game(game, seed)


#: Algorithms with a special player class.
_BASES: dict[str, type[SearchPlayer]] = {"engine": EnginePlayer, "mcts": MctsPlayer}


def secured_by_rule(position: Position, result: SearchResult) -> Choice | None:
    """Returns the game's sure move; None if there is none or the search proved a better result."""
    code = int(solving.strategy_move(position.state))
    value = int(solving.strategy_value(position.state))
    if code < 0 or (result.proven and result.value > value):
        return None
    move = position.game.write_move(code)
    return Choice(move, value, result.depth, result.nodes, (move,))
