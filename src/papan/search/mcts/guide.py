"""Uses of an evaluation in Monte-Carlo tree search: each is a technique with a type.

    leaf     Playouts · Judged · Blended      what a leaf of the tree is worth
    prior    NoPrior · OnePly                    what is thought of a move before it is tried

A technique that does nothing is compiled to nothing.

Sources: Gelly & Silver, "Combining online and offline knowledge in UCT", ICML 2007, section 6
(prior knowledge as so many visits); Winands & Björnsson, "Evaluation function based Monte-Carlo
LOA", ACG 2009 (leaves that are valued by an evaluation).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from papan.rules.dispatch import helper, operation
from papan.rules.operations import Evaluation, State, evaluate, unit


class Playouts(NamedTuple):
    """A leaf is worth the score of a random game from it."""


class Judged(NamedTuple):
    """A leaf is worth what the evaluation says, of its best child where these have priors."""


class Blended(NamedTuple):
    """A leaf is worth some of both.

    Attributes:
        share: the evaluation's part (0 … 1); the rest is the random game's.
    """

    share: float


class NoPrior(NamedTuple):
    """Nothing is known of a move before it is tried; each is tried once before any is twice."""


class OnePly(NamedTuple):
    """A move begins with the evaluation of the position after it.

    Attributes:
        visits: how many simulations that counts for.
    """

    visits: float


@operation
def prior_visits(prior: Any) -> float:
    """The number of simulations that the prior of a node counts for; 0 where there is none."""


@prior_visits.register(NoPrior)
def _(prior: NoPrior) -> float:
    return 0.0


@prior_visits.register(OnePly)
def _(prior: OnePly) -> float:
    return prior.visits


@operation
def expected_score(evaluation: Evaluation, lead: float, scale: float) -> float:
    """The score (0 … 1) that a lead in points stands for, where `scale` points count as three wins
    in four games. Learned evaluations, which are winning chances, register theirs."""


@expected_score.register(tuple)
def _(evaluation: Evaluation, lead: float, scale: float) -> float:
    return 0.5 + 0.5 * lead / (abs(lead) + scale)


@helper
def estimate(evaluation: Evaluation, state: State, scale: float) -> float:
    """The score to expect of an unfinished game, side to move's view: ½ for an even one, never
    quite 1."""
    return expected_score(evaluation, evaluate(evaluation, state) / unit(evaluation), scale)
