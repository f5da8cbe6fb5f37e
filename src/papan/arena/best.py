"""The player `best`: the engine, or Monte Carlo tree search with or without learned values.

Which one is the strongest depends on the game, its trained evaluation and the time per move. The
candidates play in turn: each one plays the winner of the match before. The game's levels (`papan
levels`) have the results. Without them, short matches decide, which are cached in the cache folder.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from papan.arena.measure import Match, measure
from papan.arena.pairs import Seats
from papan.arena.score import Tally
from papan.arena.suite import suite_of
from papan.campaign import Campaign, never
from papan.core.game import Game, Position
from papan.core.spec import option
from papan.jit.code_cache import cache_folder
from papan.learn import choice
from papan.learn.ntuple import LEARNED
from papan.learn.weights import name_of, rules_digest
from papan.play.referee import Conditions
from papan.players import registry
from papan.players.base import Choice, Player
from papan.players.level_file import (
    CANDIDATES,
    Comparison,
    evaluation_digest,
    usable_levels,
)
from papan.search.limits import Limit, tightest
from papan.stats.elo import score_error
from papan.whole_files import write_whole

#: Short match: seconds per move, number of game pairs, and maximum length of a game in plies.
SHORT_SECONDS, SHORT_PAIRS = 0.02, 3
_MOST_PLIES = 300


@dataclass
class BestPlayer(Player):
    """Plays as the strongest of the candidates at the time per move."""

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
        comparisons = comparisons_of(game)
        for name in {best_at(comparisons, one.seconds) for one in comparisons}:
            self._player(name, game)

    def choose(self, position: Position, limit: Limit) -> Choice:
        limit = tightest(limit, Limit(seconds=self.time or None)).or_default()
        name = best_at(comparisons_of(position.game), limit.seconds)
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


def candidates_of(game: Game) -> tuple[str, ...]:
    """Returns the specs of the candidates for the strongest player of a game."""
    is_learned = isinstance(choice.strongest(game), LEARNED)
    return CANDIDATES if is_learned else CANDIDATES[:-1]


def best_at(comparisons: Sequence[Comparison], seconds: float | None) -> str:
    """Returns the spec of the strongest player at a time per move: the winner of the last match at
    the time with the smallest ratio to it."""
    target = math.log(seconds or 1.0)
    distances = [abs(math.log(one.seconds) - target) for one in comparisons]
    near = [one for one, far in zip(comparisons, distances, strict=True) if far == min(distances)]
    return near[-1].winner


def comparisons_of(game: Game) -> tuple[Comparison, ...]:
    """Returns comparisons of the candidates with the current evaluation of a game.

    If there are none, short matches are played first.
    """
    return known_comparisons(game) or _short(game)


def known_comparisons(game: Game) -> tuple[Comparison, ...]:
    """Returns the comparisons of `comparisons_of` that need no match: those of the game's levels,
    or the cached result of an earlier match."""
    digest = evaluation_digest(game)
    levels = usable_levels(game)
    known = () if levels is None else levels.best
    if current := tuple(one for one in known if one.evaluation == digest):
        return current
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(_cached(game).read_text(encoding="utf-8"))
        return tuple(Comparison(**facts) for facts in kept)
    return ()


def _cached(game: Game) -> Path:
    """Returns the file of the result of a short match."""
    # The folder depends on the version of the searches: another version may play differently.
    name = f"best-{name_of(game)}-{_rules(game)}-{evaluation_digest(game)}.json"
    return cache_folder() / name


@functools.lru_cache(maxsize=64)
def _rules(game: Game) -> str:
    """Returns `rules_digest`, which takes seconds for slow rules and is needed for each move."""
    return rules_digest(game)


def _short(game: Game) -> tuple[Comparison, ...]:
    """Returns the results of short matches, and stores them in the cache folder."""
    comparisons, path = tuple(compare_all(game, SHORT_SECONDS, SHORT_PAIRS)), _cached(game)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps([asdict(one) for one in comparisons]))
    return comparisons


def compare_all(
    game: Game,
    seconds: float,
    pairs: int,
    *,
    seed: int = 0,
    stop: Callable[[], bool] = never,
) -> Iterator[Comparison]:
    """Yields the results of the matches of all candidates: each one plays the winner so far.

    Args:
        game, seconds, pairs, seed, stop: see `compare`. A stop also ends the row of matches.
    """
    best, *others = candidates_of(game)
    for other in others:
        comparison = compare(game, (best, other), seconds, pairs, seed=seed, stop=stop)
        best = comparison.winner
        yield comparison
        if stop():
            return


def compare(
    game: Game,
    players: tuple[str, str],
    seconds: float,
    pairs: int,
    *,
    seed: int = 0,
    stop: Callable[[], bool] = never,
) -> Comparison:
    """Returns the result of a match between two candidates.

    Args:
        game: the game.
        players: specs of the players.
        seconds: processor time per move.
        pairs: number of game pairs, at least 1.
        seed: seed of the random openings.
        stop: polled between pairs; True ends the match.
    """
    openings = suite_of(game, seed, pairs)
    # Processor time, so that a busy machine does not decide games.
    conditions = Conditions(most_plies=_MOST_PLIES, processor=True)
    limit, tally = Limit(seconds=seconds), Tally()
    match = Match(game.spec, *players, 2 * pairs, limit, seed, openings, conditions=conditions)
    campaign = Campaign(stop=lambda: tally.games > 0 and stop())
    # Separate seats, because a player may start this match in the middle of a pair.
    measure(match, tally=tally, campaign=campaign, seats=Seats(game))
    counts = tally.counts
    score, error = round(counts.score, 4), round(score_error(counts), 4)
    return Comparison(seconds, counts.games, score, error, evaluation_digest(game), *players)
