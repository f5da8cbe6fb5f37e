"""Options of Monte-Carlo tree search, for the algorithm and for the player."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.spec import option
from papan.search.limits import LARGEST_MB

#: No search runs more simulations: visits are counted in 31 bits.
MOST_SIMULATIONS = 2**31 - 1

#: The factor of the exploration term of UCB1 that won matches against 0.1, 0.2, 0.35, 0.7, 1 and
#: √2 on two games (3,000 to 5,000 simulations a move; docs/algorithms/mcts.md).
EXPLORATION = 0.5


#: Where the evaluation values the leaves: the part of that factor that is used, since its values
#: differ less than the results of random games, and the simulations that a prior counts for.
JUDGED_PART, JUDGED_PRIOR = 0.2, 5.0

#: Values of leaves by name.
LEAVES = ("playouts", "evaluation", "both")


@dataclass
class MctsOptions:
    """The options of the algorithm, and of the player that hands them to it.

    Attributes:
        simulations: number to end after; 0: when the limit says so.
        exploration: the factor of the exploration term of UCB1, √2 in the original; where the
            evaluation alone values leaves, a fifth of it is used.
        expand: a leaf of the tree gets children when it has been visited so often.
        cutoff: number of plies after which a playout is valued by the evaluation; −1: it goes on
            to the end of the game. (Even where random games are long and 99 in 100 end in
            repetition, whole ones win more games than those cut off, at equal time too.)
        scale: the evaluation's lead, in points, that counts as three wins in four games.
        solver: whether proven wins, draws and losses are carried up the tree.
        leaf: what a leaf of the tree is worth: `playouts`, what the `evaluation` says, or `both`,
            half and half; empty: the evaluation's word if it was learnt, else playouts.
        prior: number of simulations that the evaluation of a move counts for before the move is
            tried; 0 for no priors; −1: as many as won matches, where the evaluation values leaves.
        memory: room for the tree in MB; when it is full, simulations go on from its leaves.
    """

    simulations: int = option(0, "option.simulations", low=0, high=MOST_SIMULATIONS)
    exploration: float = option(EXPLORATION, "option.exploration", low=0.0, high=100.0)
    expand: int = option(1, "option.expand", low=1, high=1_000_000)
    cutoff: int = option(-1, "option.cutoff", low=-1, high=1_000_000)
    scale: float = option(8.0, "option.scale", low=0.001, high=1e6)
    solver: bool = option(True, "option.solver")
    leaf: str = option("", "option.leaf", choices=("", *LEAVES))
    prior: float = option(-1.0, "option.prior", low=-1.0, high=1e6)
    memory: float = option(256.0, "option.memory", low=0.01, high=float(LARGEST_MB))
