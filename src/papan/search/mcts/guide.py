"""Uses of an evaluation in Monte Carlo tree search; each is a technique with its own type.

    leaf     Playouts · Judged · Blended         the value of a leaf of the tree
    prior    NoPrior · OnePly                    the initial value of a move

A technique without effect compiles to no code.

Sources: Gelly & Silver, "Combining online and offline knowledge in UCT", ICML 2007, section 6
(prior knowledge as a number of visits); Winands & Björnsson, "Evaluation function based Monte-Carlo
LOA", ACG 2009 (leaves evaluated by an evaluation function).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from papan.rules.dispatch import helper, operation
from papan.rules.operations import Evaluation, State, evaluate, unit


class Playouts(NamedTuple):
    """The value of a leaf is the score of a random game from it."""


class Judged(NamedTuple):
    """The value of a leaf is its evaluation, or that of its best child if children have priors."""


class Blended(NamedTuple):
    """The value of a leaf is a mixture of evaluation and playout.

    Attributes:
        share: weight of the evaluation (0 … 1); the playout has the rest.
    """

    share: float


class NoPrior(NamedTuple):
    """Moves have no initial value; each is tried once before any is tried twice."""


class OnePly(NamedTuple):
    """A move starts with the evaluation of the position after it.

    Attributes:
        visits: number of simulations that the evaluation counts for.
    """

    visits: float


@operation
def prior_visits(prior: Any) -> float:
    """The number of simulations that a node's prior counts for; 0 without priors."""


@prior_visits.register(NoPrior)
def _(prior: NoPrior) -> float:
    return 0.0


@prior_visits.register(OnePly)
def _(prior: OnePly) -> float:
    return prior.visits


@operation
def expected_score(evaluation: Evaluation, lead: float, scale: float) -> float:
    """The score (0 … 1) for a lead in points; a lead of `scale` points gives ¾.

    Learned evaluations, whose values are winning chances, register their own.
    """


@expected_score.register(tuple)
def _(evaluation: Evaluation, lead: float, scale: float) -> float:
    return 0.5 + 0.5 * lead / (abs(lead) + scale)


@helper
def estimate(evaluation: Evaluation, state: State, scale: float) -> float:
    """Returns the expected score of an unfinished game, side to move's view: ½ if it is even.

    The score is always below 1.
    """
    return expected_score(evaluation, evaluate(evaluation, state) / unit(evaluation), scale)
