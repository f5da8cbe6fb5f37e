"""The player that was measured to be the strongest: the engine, or Monte-Carlo tree search.

Which of them it is depends on the game, on what was learnt for it, and on the time for a move. It
is read from the game's levels (`papan levels`); where these do not say, a short match tells, and
its result is kept in the cache folder.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from papan.arena.measure import Match, measure
from papan.arena.openings import numbered_openings
from papan.arena.pairs import Seats
from papan.arena.score import Tally
from papan.campaign import Campaign, never
from papan.core.game import Game, Position
from papan.core.spec import option
from papan.jit.code_cache import cache_folder
from papan.learn.weights import name_of, rules_digest
from papan.play.referee import Conditions
from papan.players import registry
from papan.players.base import Choice, Player
from papan.players.level_file import Comparison, evaluation_digest, usable_levels
from papan.search.limits import Limit, tightest
from papan.stats.elo import score_error
from papan.whole_files import write_whole

#: The players that are compared.
CANDIDATES = ("engine", "mcts")
#: Time for a move and game pairs of the short match, and its plies at most.
SHORT_SECONDS, SHORT_PAIRS = 0.02, 3
_MOST_PLIES = 300
#: Random moves that pairs begin with.
_OPENING_PLIES = 2
#: No move comes too late on a busy machine: time decides no game, as both have the same.
_MARGIN_SECONDS = 60.0


@dataclass
class BestPlayer(Player):
    """Lets the engine or the tree search play, whichever is measured to be the stronger at the
    time for a move."""

    name = "best"

    time: float = option(0.0, "option.time", low=0.0)

    _playing: dict[str, Player] = field(init=False, repr=False, compare=False, default_factory=dict)
    _ready: set[tuple[str, Game, int]] = field(
        init=False, repr=False, compare=False, default_factory=set
    )
    _seed: int = field(init=False, repr=False, compare=False, default=0)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._seed = seed
        self._ready.clear()
        for name in {best_at(comparison) for comparison in comparisons_of(game)}:
            self._player(name, game)

    def choose(self, position: Position, limit: Limit) -> Choice:
        limit = tightest(limit, Limit(seconds=self.time or None)).or_default()
        comparison = nearest(comparisons_of(position.game), limit.seconds)
        name = best_at(comparison)
        return self._player(name, position.game).choose(position, limit)

    def close(self) -> None:
        for player in self._playing.values():
            player.close()
        self._playing.clear()

    def _player(self, name: str, game: Game) -> Player:
        if name not in self._playing:
            self._playing[name] = registry.player(name)
        if (name, game, self._seed) not in self._ready:
            self._ready.add((name, game, self._seed))
            self._playing[name].new_game(game, self._seed)
        return self._playing[name]


def best_at(comparison: Comparison) -> str:
    """The player that a comparison found the stronger; of equals, the first."""
    return CANDIDATES[0] if comparison.score >= 0.5 else CANDIDATES[1]


def nearest(comparisons: Sequence[Comparison], seconds: float | None) -> Comparison:
    """The comparison whose time for a move is nearest, as a ratio."""
    target = math.log(seconds or 1.0)
    return min(comparisons, key=lambda comparison: abs(math.log(comparison.seconds) - target))


def comparisons_of(game: Game) -> tuple[Comparison, ...]:
    """Matches of the engine and the tree search with the evaluation that a game has
    now; measured at once, if it was not."""
    digest = evaluation_digest(game)
    levels = usable_levels(game)
    known = () if levels is None else levels.best
    current = tuple(comparison for comparison in known if comparison.evaluation == digest)
    return current or (_short(game, digest),)


def _short(game: Game, digest: str) -> Comparison:
    """The result of a short match, from the cache folder if it is there."""
    # The folder of this version of the searches: another one may play otherwise.
    path = cache_folder() / f"best-{name_of(game)}-{rules_digest(game)}-{digest}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        return Comparison(**json.loads(path.read_text(encoding="utf-8")))
    comparison = compare(game, SHORT_SECONDS, SHORT_PAIRS)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(asdict(comparison)))
    return comparison


def compare(
    game: Game,
    seconds: float,
    pairs: int,
    *,
    seed: int = 0,
    stop: Callable[[], bool] = never,
) -> Comparison:
    """Returns the result of a match between the engine and the tree search, in pairs from random
    openings.

    Args:
        game: the game.
        seconds: the time for a move.
        pairs: number of game pairs, at least 1.
        seed: makes openings repeatable.
        stop: polled between pairs; True ends the match.
    """
    openings = numbered_openings(game, _OPENING_PLIES, pairs, seed)
    conditions = Conditions(margin=_MARGIN_SECONDS, most_plies=_MOST_PLIES)
    limit, tally = Limit(seconds=seconds), Tally()
    match = Match(game.spec, *CANDIDATES, 2 * pairs, limit, seed, openings, conditions=conditions)
    campaign = Campaign(stop=lambda: tally.games > 0 and stop())
    # With seats of its own: a player may ask for this in the middle of a pair.
    measure(match, tally=tally, campaign=campaign, seats=Seats(game))
    counts = tally.counts
    score, error = round(counts.score, 4), round(score_error(counts), 4)
    return Comparison(seconds, counts.games, score, error, evaluation_digest(game))
