"""The genetic players of both course reports on Adjacency, generalised to every game."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from papan.core.game import Game, Position
from papan.core.spec import option
from papan.errors import InvalidSpec
from papan.learn.choice import evaluation_named
from papan.players.base import Choice, Player
from papan.rules import operations as rules
from papan.rules.operations import MAX_PLY, Evaluation, repetition_is_forbidden
from papan.search.algorithm import in_points
from papan.search.limits import Limit, thread_clock, tightest

if TYPE_CHECKING:
    from papan.players.genetic.local_search import LocalSearchModel
    from papan.players.genetic.reservation_tree import ReservationTreeModel

    Model = LocalSearchModel | ReservationTreeModel

LOCAL_SEARCH = "local-search"
RESERVATION_TREE = "reservation-tree"

#: Model → module and class. Imported on first use, because the modules load numba.
MODELS = {
    LOCAL_SEARCH: ("papan.players.genetic.local_search", "LocalSearchModel"),
    RESERVATION_TREE: ("papan.players.genetic.reservation_tree", "ReservationTreeModel"),
}


@dataclass
class GeneticPlayer(Player):
    """Breeds lines of play and plays the first move of the best line.

    Model `local-search` (variant 1):

    - A chromosome is a sequence of the player's own moves; local search plays the other side.
    - Fitness is own − opponent + 65 at the end of the line.
    - Parents are drawn by roulette.
    - The first move of the best chromosome is played.

    Model `reservation-tree` (variant 2, after Hong, Huang & Lin, 2001):

    - A chromosome is a sequence of moves of both sides.
    - All chromosomes of a generation form a tree with minimax values.
    - Fitness is the number of levels over which a leaf's value rises unchanged.
    - The fitter half of parents and children survives.
    - The best child of the root is played.

    Both use one-point crossover. A gene that is illegal at its place is replaced by a random legal
    move, so that the played move is always legal. With `repair=no`, such a chromosome of model 1
    gets fitness 0 instead, as in the source. Lines ignore draws by repetition. The sources give no
    numbers; the defaults are ours.

    Attributes:
        model: `local-search` or `reservation-tree`.
        population: number of chromosomes in a generation.
        generations: number of generations after the first, random one.
        mutation: probability that one gene of a child is replaced by a random move.
        crossover: number of genes from the first parent; 0 for half of them, rounded down.
        depth: number of genes: own moves in model 1, moves of both sides in model 2.
        time: time limit in seconds; 0 for none.
        repair: True replaces illegal genes (model 2 always does).
        evaluation: name of the objective; empty for the game's default.
    """

    name = "genetic"

    model: str = option(LOCAL_SEARCH, "option.model", choices=tuple(MODELS))
    population: int = option(100, "option.population", low=1, high=2000)
    generations: int = option(50, "option.generations", low=0, high=1_000_000)
    mutation: float = option(0.1, "option.mutation", low=0.0, high=1.0)
    crossover: int = option(0, "option.crossover", low=0, high=MAX_PLY)
    depth: int = option(8, "option.genes", low=1, high=MAX_PLY)
    time: float = option(0.0, "option.time", low=0.0)
    repair: bool = option(True, "option.repair")
    evaluation: str = option("", "option.evaluation")

    def new_game(self, game: Game, seed: int) -> None:
        # The place of a gene decides whose move it is, so turns must alternate.
        if not rules.turns_alternate(game.start_state()):
            raise InvalidSpec("spec.needs-turns", text=self.spec, game=game.name)
        if repetition_is_forbidden(game.start_state()):
            raise InvalidSpec("spec.needs-free-moves", text=self.spec, game=game.name)
        super().new_game(game, seed)
        # Compile now, so that compiling does not count as thinking time.
        self._start(game.start(), self.depth, 2).advance()
        self.random.seed(seed)

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns a move; a depth limit bounds the length of a line, a node limit the
        chromosomes."""
        model, tried = self.breed(position, limit)
        code, value = model.answer()
        points = in_points(model.evaluation, position.state, value)
        return Choice(position.game.write_move(code), points, nodes=tried)

    def breed(
        self, position: Position, limit: Limit, evaluation: Evaluation | None = None
    ) -> tuple[Model, int]:
        """Returns the last generation and the total number of chromosomes."""
        now = thread_clock() if limit.processor else time.perf_counter
        began = now()
        limit = tightest(limit, Limit(seconds=self.time or None))
        population = min(self.population, limit.nodes or self.population)
        model = self._start(position, self._genes(position, limit), population, evaluation)
        tried = population
        for _ in range(self.generations):
            late = limit.seconds and now() - began >= limit.seconds
            if late or (limit.nodes and tried + population > limit.nodes):
                break
            model.advance()
            tried += population
        return model, tried

    def _genes(self, position: Position, limit: Limit) -> int:
        """Returns the number of genes that the options, the game and the limit allow."""
        plies = min(limit.depth or MAX_PLY, rules.max_plies_left(position.state))
        turns = (plies + 1) // 2 if self.model == LOCAL_SEARCH else plies
        return max(1, min(self.depth, turns))

    def _start(
        self,
        position: Position,
        genes: int,
        population: int,
        evaluation: Evaluation | None = None,
    ) -> Model:
        import numpy as np

        from papan.players.genetic.breeding import Breeding

        cut = min(self.crossover or genes // 2, genes)
        chance = np.array([self.random.getrandbits(64)], dtype=np.uint64)
        breeding = Breeding(float(self.mutation), cut, int(self.repair), chance)
        evaluation = evaluation or evaluation_named(position.game, self.evaluation)
        module, name = MODELS[self.model]
        model: type[Model] = getattr(import_module(module), name)
        return model(position, evaluation, (population, genes), breeding)
