"""The settings of the kernels, and the techniques that the options select."""

from __future__ import annotations

from typing import Any, NamedTuple

from papan.core.game import Position
from papan.rules.dispatch import is_replaced
from papan.rules.operations import Evaluation
from papan.rules.walk import playout_filter
from papan.search.alphabeta.techniques import SingleThread
from papan.search.mcts.guide import Blended, Judged, NoPrior, OnePly, Playouts
from papan.search.mcts.options import (
    HALF,
    JUDGED_PART,
    JUDGED_PRIOR,
    LEAVES,
    POLICIES,
    PUCT_PART,
    PUCT_PRIOR,
    MctsOptions,
)
from papan.search.mcts.policy import AnyMove, Decisive, Filtered
from papan.search.mcts.selection import Ucb1
from papan.search.mcts.tree import URGENT
from papan.search.result import knows_chances


class Settings(NamedTuple):
    """Settings of the kernels.

    Attributes:
        exploration: factor of the exploration term of UCB1.
        expand: number of visits after which a leaf gets children.
        depth: largest ply of a node of the tree.
        cutoff: plies after which the evaluation ends a playout.
        scale: lead in points of the evaluation that counts as an expected score of ¾.
        solver: 1 to propagate proven values up the tree.
        urgency: average of a move before its first visit.
        leaf: the technique that evaluates leaves (`papan.search.mcts.guide`).
        prior: the technique of the initial value of a move (`papan.search.mcts.guide`).
        policy: the technique that chooses the moves of random games (`papan.search.mcts.policy`).
        selection, team: techniques of `papan.search.mcts.selection`.
    """

    exploration: float
    expand: int
    depth: int
    cutoff: int
    scale: float
    solver: int
    urgency: float = URGENT
    leaf: Any = Playouts()
    prior: Any = NoPrior()
    policy: Any = Filtered()
    selection: Any = Ucb1()
    team: Any = SingleThread()


def leaf_of(options: MctsOptions, evaluation: Evaluation) -> Any:
    """Returns the technique that evaluates leaves."""
    name = options.leaf or LEAVES[1 if knows_chances(evaluation) else 0]
    return dict(zip(LEAVES, (Playouts(), Judged(), Blended(HALF)), strict=True))[name]


def prior_of(options: MctsOptions, evaluation: Evaluation) -> Any:
    """Returns the technique for the initial value of a move."""
    leaf = leaf_of(options, evaluation)
    judged = PUCT_PRIOR if uses_puct(options, leaf) else JUDGED_PRIOR
    usual = 0.0 if isinstance(leaf, Playouts) else judged
    visits = usual if options.prior < 0 else options.prior
    return OnePly(float(visits)) if visits > 0 else NoPrior()


def uses_puct(options: MctsOptions, leaf: Any) -> bool:
    """Returns whether moves are explored by their priors."""
    usual = not options.selection and isinstance(leaf, Judged) and options.prior != 0
    return usual or options.selection == "puct"


def exploration_of(options: MctsOptions, leaf: Any) -> float:
    """Returns the factor of the exploration term."""
    if uses_puct(options, leaf):
        return float(options.exploration) * PUCT_PART
    return float(options.exploration) * (JUDGED_PART if isinstance(leaf, Judged) else 1.0)


def gains_by_rave(options: MctsOptions, position: Position, leaf: Any) -> bool:
    """Returns whether RAVE is the default, with the measured best options.

    Where stones stay on their places, a move is good sooner or later. This is likely in games of
    connection, and in those whose random games need a filter.
    """
    usual = options.rave < 0 and options.selection in ("", "ucb") and isinstance(leaf, Playouts)
    connects = any(True for _ in position.game.board.own_edges())
    return usual and (connects or is_replaced(playout_filter, position.state))


def policy_of(options: MctsOptions) -> Any:
    """Returns the technique that chooses the moves of random games."""
    return dict(zip(POLICIES, (AnyMove(), Filtered(), Decisive()), strict=True))[options.policy]
