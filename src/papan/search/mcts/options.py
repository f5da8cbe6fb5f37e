"""Options of Monte Carlo tree search, for the algorithm and for the player."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.spec import option
from papan.search.limits import LARGEST_MB

#: Largest number of simulations; visits are counted in 31 bits.
MOST_SIMULATIONS = 2**31 - 1

#: Factor of the exploration term of UCB1. It won matches against 0.1, 0.2, 0.35, 0.7, 1 and √2 on
#: two games (3,000 to 5,000 simulations per move; docs/algorithms/mcts.md).
EXPLORATION = 0.5


#: For leaves that are evaluated: a reduction of the exploration factor, because evaluations vary
#: less than the results of random games; and the number of simulations that a prior counts for.
JUDGED_PART, JUDGED_PRIOR = 0.2, 5.0
#: The same for PUCT, which won 18–3–9 in Othello and 27–0–13 in Breakthrough against UCB1, and was
#: level in Connect Four (docs/algorithms/mcts.md).
PUCT_PART, PUCT_PRIOR = 1.2, 1.0

#: Where RAVE gains: visits at which it has half the weight, and visits of a leaf before it gets
#: children. Hex 7×7: 47–13 against plain UCB1, Go 9×9: 30–0 (docs/algorithms/mcts.md).
USUAL_RAVE, RAVE_EXPAND = 1000.0, 10

#: Share of the evaluation in a leaf's value; the playout has the rest.
HALF = 0.5

#: Names of the ways to evaluate leaves, to choose among moves, and to play random games.
LEAVES = ("playouts", "evaluation", "both")
SELECTIONS = ("", "ucb", "puct")
POLICIES = ("any", "filtered", "decisive")


@dataclass
class MctsOptions:
    """The options of the algorithm, and of the player that passes them to it.

    Attributes:
        simulations: number of simulations; 0: until the limit is reached.
        exploration: factor of the exploration term of UCB1 (√2 in the original). Multiplied
            by 0.2 if only the evaluation evaluates leaves, by 1.2 with `puct`; 0 where RAVE is the
            default.
        expand: number of visits after which a leaf of the tree gets children; −1: 10 where RAVE is
            the default, else 1.
        cutoff: number of plies after which the evaluation ends a playout; −1: at the end of the
            game. Whole playouts win more games, even if games are long and 99 in 100 end in
            repetition.
        scale: lead in points of the evaluation that counts as an expected score of ¾.
        keep: whether a search starts with the part of the tree that the last search of the same
            game has below its root; only its own simulations count.
        selection: `ucb`, or `puct`, which needs priors. Empty: `puct` if the evaluation evaluates
            leaves and gives priors, else `ucb`.
        temperature: difference of expected scores that makes a move e times as probable in `puct`.
        rave: number of visits of a move at which the simulations in which the same side played it
            later still have about half the weight; 0: they do not count. −1: 1000 in games of
            connection, which a chain between two edges wins, and in games with a `playout_filter`,
            such as Go; else 0.
        urgency: average score of a move before its first visit, if it has no prior.
        policy: moves of random games: `any`; `filtered` by the game's `playout_filter`; `decisive`:
            a move that wins at once is played.
        threads: number of threads that search one tree.
        solver: whether proven wins, draws and losses are propagated up the tree.
        leaf: value of a leaf: `playouts`, `evaluation`, or `both`, half and half. Empty:
            `evaluation` if it was learned, else `playouts`.
        prior: number of simulations that the evaluation of a move counts for before the move is
            tried; 0: no priors. −1: the measured best number if the evaluation evaluates leaves.
        memory: size of the tree in MB; when it is full, simulations continue from its leaves.
    """

    simulations: int = option(0, "option.simulations", low=0, high=MOST_SIMULATIONS)
    exploration: float = option(EXPLORATION, "option.exploration", low=0.0, high=100.0)
    expand: int = option(-1, "option.expand", low=-1, high=1_000_000)
    cutoff: int = option(-1, "option.cutoff", low=-1, high=1_000_000)
    scale: float = option(8.0, "option.scale", low=0.001, high=1e6)
    selection: str = option("", "option.selection", choices=SELECTIONS)
    temperature: float = option(0.1, "option.prior-temperature", low=0.001, high=100.0)
    rave: float = option(-1.0, "option.rave", low=-1.0, high=1e9)
    urgency: float = option(1e9, "option.urgency", low=-1e9, high=1e9)
    policy: str = option("filtered", "option.policy", choices=POLICIES)
    threads: int = option(1, "option.threads", low=1, high=64)
    solver: bool = option(True, "option.solver")
    keep: bool = option(True, "option.keep")
    leaf: str = option("", "option.leaf", choices=("", *LEAVES))
    prior: float = option(-1.0, "option.prior", low=-1.0, high=1e6)
    memory: float = option(256.0, "option.memory", low=0.01, high=float(LARGEST_MB))
