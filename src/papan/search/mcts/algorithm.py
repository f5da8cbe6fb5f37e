"""Monte Carlo tree search as an algorithm: options, limits and reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from papan.core.game import Position
from papan.core.spec import option
from papan.rules.operations import MAX_PLY, Evaluation, largest_move, remembers
from papan.search.algorithm import Algorithm, Task
from papan.search.alphabeta.techniques import SingleThread
from papan.search.limits import Limit
from papan.search.mcts import keep
from papan.search.mcts.guide import prior_visits
from papan.search.mcts.options import (
    MOST_SIMULATIONS,
    RAVE_EXPAND,
    USUAL_RAVE,
    MctsOptions,
)
from papan.search.mcts.selection import Puct, Rave, Ucb1, VirtualLoss, new_rave
from papan.search.mcts.settings import (
    Settings,
    exploration_of,
    gains_by_rave,
    leaf_of,
    policy_of,
    prior_of,
    uses_puct,
)
from papan.search.mcts.threads import TreeThreads
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
from papan.search.result import SearchResult, winning_chance
from papan.search.workspace import Workspace

#: Simulations before the first report; each further report doubles the number.
FIRST_BATCH = 256
#: Simulations without another limit; a depth limit alone limits only the tree.
DEFAULT_SIMULATIONS = 10_000
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
    #: Root and evaluation of the last search.
    _searched: tuple[Position, Evaluation] | None = field(
        init=False, repr=False, compare=False, default=None
    )
    _rave: Rave | None = field(init=False, repr=False, compare=False, default=None)
    _threads: TreeThreads | None = field(init=False, repr=False, compare=False, default=None)

    @property
    def tree(self) -> Tree:
        """The tree; created on first use and reused by later searches."""
        if self._tree is None:
            self._tree = new_tree(self.memory)
        return self._tree

    def try_out(self, task: Task) -> None:
        trial = replace(self, memory=_SMALL)  # the tree of the last search stays
        trial._clear(task)
        trial._simulate(task, 1)
        if self.keep:
            keep.prepare(trial.tree, task.position)

    def forget(self) -> None:
        self._searched = None

    def begin(self, task: Task) -> None:
        if not self._keeps(task):
            self._clear(task)
        self._searched = task.position, task.evaluation
        self._threads = None
        if self.threads > 1:
            share = -(-int(task.workspace.node_limit) // self.threads)
            self._threads = TreeThreads(task.position, self.tree, self.threads, share)
            task.workspace.node_limit = share

    def nodes(self, task: Task) -> int:
        """Returns the number of simulations so far."""
        helped = self._threads.helpers.nodes() if self._threads else 0
        return super().nodes(task) + helped

    def _keeps(self, task: Task) -> bool:
        """Returns whether the tree of the last search was kept as far as it fits."""
        if not self.keep or self._searched is None or self._searched[1] != task.evaluation:
            return False
        arrays = (self._rave.later,) if self._rave else ()
        return keep.keep_below(self.tree, self._searched[0], task.position, arrays)

    def _clear(self, task: Task) -> None:
        visits = prior_visits(prior_of(self, task.evaluation))
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
            self._simulate(task, min(batch, most - self.nodes(task)))
            if self.tree.nodes[ROOT].count == 0:
                return
            yield self._result(task)
            batch = self.nodes(task)
            if task.stopped or batch >= most or self.proven:
                return

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
        simulations = self.nodes(task)
        return {
            "simulations": simulations,
            "simulations_per_second": round(simulations / max(task.seconds, 1e-9)),
            "tree_nodes": int(self.tree.head.used),
            "score_rate": round(self.score_rate, 4),
        }

    def _simulate(self, task: Task, most: int) -> None:
        root, share = (task.state, task.key), -(-most // self.threads)

        def run(tree: Tree, settings: Settings, workspace: Workspace) -> None:
            simulate(*root, tree, task.evaluation, settings, share, workspace)

        settings = self.settings(task)
        if self._threads is None:
            run(self.tree, settings, task.workspace)
        else:
            self._threads.simulate(self.tree, settings, run, task.workspace)

    def settings(self, task: Task) -> Settings:
        """Returns the settings of the kernels."""
        leaf, prior = leaf_of(self, task.evaluation), prior_of(self, task.evaluation)
        gains = gains_by_rave(self, task.position, leaf)
        expand = (RAVE_EXPAND if gains else 1) if self.expand < 0 else self.expand
        return Settings(
            exploration=0.0 if gains else exploration_of(self, leaf),
            # With priors, a leaf has been evaluated before its first visit.
            expand=expand - (1 if prior_visits(prior) > 0 else 0),
            depth=min(task.limit.depth or MAX_PLY, MAX_PLY),
            cutoff=_cutoff(self.cutoff, task.position, task.workspace),
            scale=float(self.scale),
            solver=int(self.solver),
            urgency=float(self.urgency),
            leaf=leaf,
            prior=prior,
            policy=policy_of(self),
            selection=(
                Puct(float(self.temperature))
                if uses_puct(self, leaf)
                else self._by_bounds(task, USUAL_RAVE if gains else self.rave)
            ),
            team=VirtualLoss() if self.threads > 1 else SingleThread(),
        )

    def _by_bounds(self, task: Task, rave: float) -> Any:
        """Returns the technique that chooses among moves without priors."""
        if rave <= 0:
            return Ucb1()
        sizes = self.tree.nodes.size, int(largest_move(task.state)) + 1
        if self._rave is None or (self._rave.later.size, self._rave.played.size) != sizes:
            self._rave = new_rave(float(rave), *sizes)
        return self._rave

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
