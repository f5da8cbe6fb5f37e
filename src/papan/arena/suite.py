"""Openings of the pairs of an event: given ones, or balanced random ones created when needed.

Many games are decided by who moves first, and deterministic players repeat one game. So events use
balanced random openings by default: random moves after which neither side is clearly ahead.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from statistics import fmean, median

from papan.arena.openings import BalancedOpening, Opening, balanced_openings
from papan.core.game import Game
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.usercode import registry

#: Largest number of moves of an opening, and the parts of a random game of which it takes one.
_MOST_PLIES, _PARTS = 6, 3
#: Number of random games that measure the length of a game.
_GAMES = 8
#: Search that values openings, in thousandths from −1000 (loss) to 1000 (win). Playouts work for
#: each game, and do not depend on trained evaluations, so that openings stay the same.
_SEARCH = "mcts:memory=1"
#: Playouts per opening: the standard error of its value is about 90, and 13 openings take at most
#: about a second in the slowest games of the gallery.
_LIMIT = Limit(nodes=128)
#: Number of random openings whose median advantage is the largest allowed one.
_SAMPLE = 12
#: Advantage above which an opening decides the game.
_DECIDED = 900.0


@dataclass(frozen=True)
class BalancedSuite:
    """Balanced random openings of an event; plain data, from which each process gets the same.

    An opening is balanced if its advantage is at most the median of random openings of the game.

    Attributes:
        seed: seed of the random moves.
    """

    seed: int = 0


#: Openings of the pairs of an event, used in turn; none for the game's start position.
Openings = tuple[Opening, ...] | BalancedSuite


def opening_at(openings: Openings, game: str, index: int) -> Opening:
    """Returns the opening of a pair; empty for the game's start position.

    Args:
        openings: the openings.
        game: the spec of the game.
        index: number of the pair, from 0.
    """
    if isinstance(openings, BalancedSuite):
        openings = _balanced(registry.game(game), openings.seed).until(index)
    return openings[index % len(openings)] if openings else ()


def suite_of(game: Game, seed: int, count: int) -> tuple[Opening, ...]:
    """Returns up to `count` balanced random openings of a game; none if its games are too short or
    its openings decide them.
    """
    return _balanced(game, seed).until(count - 1)[:count]


@dataclass
class _Balanced:
    """The balanced openings of a game that were found so far, and the search for more."""

    search: Iterator[BalancedOpening]
    found: list[Opening] = field(default_factory=list)

    def until(self, index: int) -> tuple[Opening, ...]:
        """Returns the openings up to an index, or all if there are fewer."""
        more = islice(self.search, max(0, index + 1 - len(self.found)))
        self.found += [opening.moves for opening in more]
        return tuple(self.found)


# Cached, because all pairs of an event take their openings from one search.
@functools.lru_cache(maxsize=16)
def _balanced(game: Game, seed: int) -> _Balanced:
    plies = _plies_of(game)
    if plies == 0:
        return _Balanced(iter(()))
    search = functools.partial(
        balanced_openings, game, plies=plies, limit=_LIMIT, seed=seed, engine=algorithm(_SEARCH)
    )
    sample = islice(search(within=_DECIDED), _SAMPLE)
    within = median([abs(opening.value) for opening in sample] or [0.0])
    return _Balanced(search(within=within))


def _plies_of(game: Game) -> int:
    """Returns the number of moves of an opening: even, so that `x` usually moves first; 0 if games
    are too short."""
    starts = (game.start().random_walk(Random(n), _MOST_PLIES * _PARTS) for n in range(_GAMES))
    length = fmean(sum(1 for _ in walk) for walk in starts)
    return int(length / _PARTS) // 2 * 2
