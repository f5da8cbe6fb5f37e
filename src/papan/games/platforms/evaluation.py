"""Evaluations of unfinished games of Platforms, side to move's view."""

from __future__ import annotations

from typing import NamedTuple

from papan.games.platforms.rules import PlatformsState
from papan.kernel.vocabulary import evaluate


class Undecided(NamedTuple):
    """Nothing is known of an unfinished game: 0, as in the source's paper."""


@evaluate.register(Undecided)
def _(evaluation: Undecided, state: PlatformsState) -> int:
    return 0
