"""Ways to choose among the moves of a node; each is a technique with its own type.

    selection   Ucb1 · Puct · Rave               the move that a simulation follows
    team        SingleThread · VirtualLoss       threads that search one tree

A simulation follows the move with the largest average + exploration · growth · spread. `growth`
depends on the visits of the node, and `spread` on those of the move.

Sources: Auer, Cesa-Bianchi & Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002
(UCB1); Rosin, "Multi-armed bandits with episode context", 2011, and Silver et al., "Mastering the
game of Go without human knowledge", 2017 (PUCT); Gelly & Silver, "Monte-Carlo tree search and rapid
action value estimation in computer Go", 2011 (RAVE); Chaslot, Winands & van den Herik, "Parallel
Monte-Carlo tree search", CG 2008 (virtual loss).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from papan.rules.dispatch import operation
from papan.search.alphabeta.techniques import SingleThread
from papan.search.mcts.tree import HOPELESS, OPEN, Tree

Array = np.ndarray[Any, Any]


class Ucb1(NamedTuple):
    """Upper confidence bounds: each move is explored in proportion to its uncertainty."""


class Puct(NamedTuple):
    """Upper confidence bounds that favour moves with good priors.

    Attributes:
        temperature: difference of two expected scores that makes a move e times as probable.
    """

    temperature: float


#: What is known of a node from simulations in which the same side played its move later.
LATER = np.dtype(
    [
        ("score", np.float32),  # their mean score
        ("share", np.float32),  # its weight in the node's average
        ("plays", np.float32),  # their number, and one won simulation at the start
        ("move", np.int32),  # the move into the node
    ]
)

#: Visits of a node after which its moves are known well enough, as a multiple of `equivalence`.
_LEARNING = 10.0


class Rave(NamedTuple):
    """UCB1 whose averages include simulations in which the same side played a move later.

    Attributes:
        equivalence: number of visits at which both averages have about the same weight.
        later: record array of `LATER` for each node.
        played: int64: for each move, twice the number of the simulation that played it last, plus
            the side.
        clock: int64, one number: twice the number of the current simulation.
    """

    equivalence: float
    later: Any
    played: Array
    clock: Array


def new_rave(equivalence: float, nodes: int, moves: int) -> Rave:
    """Returns the technique for a tree of `nodes` and move codes below `moves`."""
    later = np.zeros(nodes, LATER).view(np.recarray)
    return Rave(equivalence, later, np.zeros(moves, np.int64), np.zeros(1, np.int64))


def for_thread(selection: Any) -> Any:
    """Returns the technique for another thread, with its own notes of the current simulation."""
    if isinstance(selection, Rave):
        played, clock = np.zeros_like(selection.played), np.zeros_like(selection.clock)
        return selection._replace(played=played, clock=clock)
    return selection


@operation
def growth(selection: Any, visits: int) -> float:
    """The factor of the exploration term for a node with this number of visits."""


@operation
def spread_after(selection: Any, spread: float, visits: int, weight: float) -> float:
    """The new spread of a move after its visit number `visits`; `weight` includes its prior's."""


@operation
def average_of(selection: Any, tree: Tree, index: int, weight: float) -> float:
    """The average of a node with visits; `weight` is their number and that of its prior."""


@operation
def begin_children(selection: Any, tree: Tree, first: int, count: int) -> None:
    """Prepares new siblings."""


@operation
def begin_noting(selection: Any) -> None:
    """Starts a new simulation."""


@operation
def note_move(selection: Any, side: int, move: int) -> None:
    """Notes a move of the current simulation."""


@operation
def learn_siblings(selection: Any, tree: Tree, parent: int, side: int, score: float) -> None:
    """Learns from a simulation with this score for `side`, which moves in the node `parent`."""


# --- upper confidence bounds ----------------------------------------------------------------------


@growth.register(tuple)
def _(selection: Any, visits: int) -> float:
    return math.sqrt(math.log(max(visits, 1)))


@spread_after.register(tuple)
def _(selection: Any, spread: float, visits: int, weight: float) -> float:
    return 1.0 / math.sqrt(weight)


@average_of.register(tuple)
def _(selection: Any, tree: Tree, index: int, weight: float) -> float:
    return tree.nodes[index].total / weight


@begin_children.register(tuple)
def _(selection: Any, tree: Tree, first: int, count: int) -> None:
    return None


@begin_noting.register(tuple)
def _(selection: Any) -> None:
    return None


@note_move.register(tuple)
def _(selection: Any, side: int, move: int) -> None:
    return None


@learn_siblings.register(tuple)
def _(selection: Any, tree: Tree, parent: int, side: int, score: float) -> None:
    return None


# --- priors: the spread is prior / (1 + visits) ---------------------------------------------------


@growth.register(Puct)
def _(selection: Puct, visits: int) -> float:
    return math.sqrt(max(visits, 1))


@spread_after.register(Puct)
def _(selection: Puct, spread: float, visits: int, weight: float) -> float:
    return spread * visits / (visits + 1)


@begin_children.register(Puct)
def _(selection: Puct, tree: Tree, first: int, count: int) -> None:
    best = HOPELESS
    for child in range(first, first + count):
        best = max(best, tree.appeal[child].average)
    total = 0.0
    for child in range(first, first + count):
        spread = math.exp((tree.appeal[child].average - best) / selection.temperature)
        tree.appeal[child].spread = spread
        total += spread
    for child in range(first, first + count):
        tree.appeal[child].spread = tree.appeal[child].spread / total


# --- moves of the same side later in the simulation -----------------------------------------------


@average_of.register(Rave)
def _(selection: Rave, tree: Tree, index: int, weight: float) -> float:
    average, later = tree.nodes[index].total / weight, selection.later[index]
    later.share = math.sqrt(selection.equivalence / (3.0 * weight + selection.equivalence))
    return average + later.share * (later.score - average)


@begin_children.register(Rave)
def _(selection: Rave, tree: Tree, first: int, count: int) -> None:
    for child in range(first, first + count):
        later = selection.later[child]
        later.score, later.share, later.plays = 1.0, 1.0, 1.0
        later.move = tree.nodes[child].move
        if tree.nodes[child].status == OPEN:
            tree.appeal[child].average = tree.appeal[child].spread = 1.0


@begin_noting.register(Rave)
def _(selection: Rave) -> None:
    selection.clock[0] += 2


@note_move.register(Rave)
def _(selection: Rave, side: int, move: int) -> None:
    if selection.played[move] < selection.clock[0]:  # the first side to play it counts
        selection.played[move] = selection.clock[0] + side


@learn_siblings.register(Rave)
def _(selection: Rave, tree: Tree, parent: int, side: int, score: float) -> None:
    node, mark = tree.nodes[parent], selection.clock[0] + side
    if node.visits > _LEARNING * selection.equivalence:
        return
    for child in range(node.first, node.first + node.count):
        later = selection.later[child]
        # Without a branch, because half of the moves are played later.
        hit = np.float32(selection.played[later.move] == mark)
        later.plays += hit
        change = hit * (np.float32(score) - later.score) / later.plays
        later.score += change
        if tree.appeal[child].spread > 0.0:  # not proven
            tree.appeal[child].average += later.share * change


# --- threads --------------------------------------------------------------------------------------


class VirtualLoss(NamedTuple):
    """Several threads: a simulation counts as lost until its score is known.

    So other threads choose other moves meanwhile.
    """


@operation
def counts_early(team: Any) -> bool:
    """Returns whether a visit counts as soon as a simulation follows a move."""


@counts_early.register(SingleThread)
def _(team: SingleThread) -> bool:
    return False


@counts_early.register(VirtualLoss)
def _(team: VirtualLoss) -> bool:
    return True
