"""Monte Carlo tree search as an algorithm: options, limits and reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Position
from papan.core.spec import option
from papan.rules.operations import MAX_PLY, Evaluation, remembers
from papan.search.algorithm import Algorithm, Task
from papan.search.limits import Limit
from papan.search.mcts import keep
from papan.search.mcts.guide import Blended, Judged, NoPrior, OnePly, Playouts, prior_visits
from papan.search.mcts.options import (
    JUDGED_PART,
    JUDGED_PRIOR,
    LEAVES,
    MOST_SIMULATIONS,
    MctsOptions,
)
from papan.search.mcts.playout import Settings
from papan.search.mcts.tree import (
    OPEN,
    ROOT,
    Tree,
    clear,
    main_line,
    mean_score,
    new_tree,
    score_of,
)
from papan.search.mcts.uct import simulate
from papan.search.result import SearchResult, knows_chances, winning_chance
from papan.search.workspace import Workspace

#: Simulations before the first report; each further report doubles the number.
FIRST_BATCH = 256
#: Simulations without another limit; a depth limit alone limits only the tree.
DEFAULT_SIMULATIONS = 10_000
#: Share of the evaluation in a leaf's value; the playout has the rest.
HALF = 0.5
#: Value of a certain win.
CERTAIN = 1000
#: Megabytes of the tree of a single simulation.
_SMALL = 1.0

_MASK = (1 << 64) - 1


@dataclass
class Mcts(MctsOptions, Algorithm):
    """UCT with proven values.

    One simulation counts as one node. A depth limit applies to the tree, not to playouts.

    Values are expected scores, side to move's view, in thousandths between loss (−1000), draw (0)
    and win (+1000), whatever the game's own unit. A value is proven if the root is proven; the
    length or margin of the win is then unknown.

    Attributes:
        seed: seed of the random generator. First searches of one position with the same seed are
            identical.
    """

    name = "mcts"
    few_nodes = 20  # a node here is a whole game

    seed: int = option(1, "option.seed", low=0, high=_MASK)

    _tree: Tree | None = field(init=False, repr=False, compare=False, default=None)
    #: Root and evaluation of the last search, and the visits that its root had at its start.
    _searched: tuple[Position, Evaluation] | None = field(
        init=False, repr=False, compare=False, default=None
    )
    _kept: int = field(init=False, repr=False, compare=False, default=0)

    @property
    def tree(self) -> Tree:
        """The tree; created on first use and reused by later searches."""
        if self._tree is None:
            self._tree = new_tree(self.memory)
        return self._tree

    def try_out(self, task: Task) -> None:
        tree, self._tree = self._tree, new_tree(_SMALL)  # the tree of the last search stays
        self._clear(task)
        self._simulate(task, 1)
        if self.keep:
            keep.prepare(self._tree)
        self._tree = tree

    def forget(self) -> None:
        self._searched = None

    def begin(self, task: Task) -> None:
        if not self._keeps(task):
            self._clear(task)
        self._kept = int(self.tree.nodes[ROOT].visits)
        self._searched = task.position, task.evaluation

    def _keeps(self, task: Task) -> bool:
        """Returns whether the tree of the last search was kept as far as it fits."""
        if not self.keep or self._searched is None or self._searched[1] != task.evaluation:
            return False
        return keep.keep_below(self.tree, self._searched[0], task.position)

    def _clear(self, task: Task) -> None:
        visits = prior_visits(self._prior(task.evaluation))
        clear(self.tree, (self.seed ^ int(task.key)) & _MASK, visits)

    def value_at(self, task: Task, depth: int) -> int:
        """Returns the value after `DEFAULT_SIMULATIONS` with a tree of that depth."""
        self.begin(task)
        self._simulate(task, DEFAULT_SIMULATIONS)
        return self.value

    def steps(self, task: Task) -> Iterator[SearchResult]:
        """Yields results after more and more simulations; an interrupted last batch counts too."""
        most = self._most(task.limit)
        batch = FIRST_BATCH
        while True:
            self._simulate(task, min(batch, most - self.simulation_count))
            if self.tree.nodes[ROOT].count == 0:
                return
            yield self._result(task)
            if task.stopped or self.simulation_count >= most or self.proven:
                return
            batch = self.simulation_count

    @property
    def simulation_count(self) -> int:
        """Number of simulations of this search so far."""
        return int(self.tree.nodes[ROOT].visits) - self._kept

    @property
    def score_rate(self) -> float:
        """Expected score of the side to move: 1 for a win, ½ for a draw, 0 for a loss."""
        root = self.tree.nodes[ROOT]
        if self.proven:
            return 1.0 - score_of(int(root.status))
        return 1.0 - mean_score(self.tree, ROOT)

    @property
    def value(self) -> int:
        """Expected score in thousandths between −1000 and +1000, side to move's view."""
        return round(CERTAIN * (2 * self.score_rate - 1))

    @property
    def proven(self) -> bool:
        """True if the root's value is certain."""
        return bool(self.tree.nodes[ROOT].status != OPEN)

    def chance(self, task: Task, value: float) -> float | None:
        """Returns the expected score itself, since `value` is not in points of the evaluation."""
        return None if winning_chance(task.evaluation, 0.0) is None else self.score_rate

    def extra(self, task: Task) -> dict[str, Any]:
        """Returns simulations, their speed, nodes of the tree, and the expected score (0 … 1)."""
        return {
            "simulations": self.simulation_count,
            "simulations_per_second": round(self.simulation_count / max(task.seconds, 1e-9)),
            "tree_nodes": int(self.tree.head.used),
            "score_rate": round(self.score_rate, 4),
        }

    def _simulate(self, task: Task, most: int) -> None:
        settings = self.settings(task)
        simulate(task.state, task.key, self.tree, task.evaluation, settings, most, task.workspace)

    def settings(self, task: Task) -> Settings:
        """Returns the settings of the kernels."""
        depth = min(task.limit.depth or MAX_PLY, MAX_PLY)
        cutoff = _cutoff(self.cutoff, task.position, task.workspace)
        leaf, prior = self._leaf(task.evaluation), self._prior(task.evaluation)
        # With priors, a leaf has been evaluated before its first visit.
        expand = self.expand - (1 if prior_visits(prior) > 0 else 0)
        solver, exploration = int(self.solver), self._exploration(leaf)
        return Settings(exploration, expand, depth, cutoff, float(self.scale), solver, leaf, prior)

    def _leaf(self, evaluation: Evaluation) -> Any:
        """Returns the technique that evaluates leaves."""
        name = self.leaf or LEAVES[1 if knows_chances(evaluation) else 0]
        return dict(zip(LEAVES, (Playouts(), Judged(), Blended(HALF)), strict=True))[name]

    def _prior(self, evaluation: Evaluation) -> Any:
        """Returns the technique for the initial value of a move."""
        usual = 0.0 if isinstance(self._leaf(evaluation), Playouts) else JUDGED_PRIOR
        visits = usual if self.prior < 0 else self.prior
        return OnePly(float(visits)) if visits > 0 else NoPrior()

    def _exploration(self, leaf: Any) -> float:
        """Returns the factor of the exploration term."""
        return float(self.exploration) * (JUDGED_PART if isinstance(leaf, Judged) else 1.0)

    def _most(self, limit: Limit) -> int:
        if limit.only_depth:
            return self.simulations or DEFAULT_SIMULATIONS
        return self.simulations or MOST_SIMULATIONS

    def _result(self, task: Task) -> SearchResult:
        write = task.position.game.write_move
        pv = tuple(write(int(self.tree.nodes[index].move)) for index in main_line(self.tree))
        deepest = int(self.tree.head.deepest)
        return task.result(self, pv, self.value, depth=deepest, proven=self.proven)


def _cutoff(plies: int, position: Position, workspace: Workspace) -> int:
    """Returns the length limit of playouts in plies; a negative `plies` means no limit of its own.

    The length of the longest game and the memory for the path also limit playouts.
    """
    longest = position.game.max_plies
    if remembers(position.state):
        # The path holds the game's past, the nodes of the tree, and the playout.
        longest = min(longest, workspace.path.size - int(workspace.root) - MAX_PLY - 1)
    return longest if plies < 0 else min(plies, longest)
