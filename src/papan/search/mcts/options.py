"""What can be chosen about Monte-Carlo tree search, for the algorithm and for the player."""

from __future__ import annotations

from dataclasses import dataclass

from papan.search.limits import LARGEST_MB
from papan.search.workspace import HISTORY
from papan.spec import option

#: No search runs more simulations: visits are counted in 31 bits.
MOST_SIMULATIONS = 2**31 - 1

#: Plies of a playout in games with a repetition rule. Random games of that kind seldom end
#: otherwise (99 in 100 of Corners do not), so that played to the end they tell nothing.
REPETITIVE_CUTOFF = 8


@dataclass
class MctsOptions:
    """The options of the algorithm, and of the player that hands them to it.

    Attributes:
        simulations: end after so many; 0: when the limit says so.
        exploration: the factor of the exploration term of UCB1, 1.414 in the original.
        expand: a leaf of the tree gets children when it has been visited so often.
        cutoff: after so many plies a playout is valued by the evaluation; −1: by the game, never
            if every game ends by itself, after `REPETITIVE_CUTOFF` plies otherwise.
        scale: the evaluation's lead, in points, that counts as three wins in four games.
        solver: whether proven wins, draws and losses are carried up the tree.
        memory: room for the tree in MB; when it is full, simulations go on from its leaves.
    """

    simulations: int = option(0, "option.simulations", low=0, high=MOST_SIMULATIONS)
    exploration: float = option(1.414, "option.exploration", low=0.0, high=100.0)
    expand: int = option(1, "option.expand", low=1, high=1_000_000)
    cutoff: int = option(-1, "option.cutoff", low=-1, high=HISTORY)
    scale: float = option(8.0, "option.scale", low=0.001, high=1e6)
    solver: bool = option(True, "option.solver")
    memory: float = option(256.0, "option.memory", low=0.01, high=float(LARGEST_MB))
