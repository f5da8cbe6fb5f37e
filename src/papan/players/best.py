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
from random import Random
from statistics import pvariance

from papan.core.game import Game, Position
from papan.core.spec import option
from papan.jit.code_cache import cache_folder
from papan.learn.weights import name_of, rules_digest
from papan.players import registry
from papan.players.base import Choice, Player
from papan.players.level_file import Comparison, evaluation_digest, usable_levels
from papan.search.limits import Limit, tightest
from papan.whole_files import write_whole

#: The players that are compared.
CANDIDATES = ("engine", "mcts")
#: Time for a move and game pairs of the short match, and its plies at most.
SHORT_SECONDS, SHORT_PAIRS = 0.02, 3
_MOST_PLIES = 300
#: Random moves that pairs begin with.
_OPENING_PLIES = 2
#: 95 % of a normal distribution are within so many standard deviations.
_INTERVAL = 1.96


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
    wanted = math.log(seconds or 1.0)
    return min(comparisons, key=lambda comparison: abs(math.log(comparison.seconds) - wanted))


def comparisons_of(game: Game) -> tuple[Comparison, ...]:
    """Matches of the engine and the tree search with the evaluation that a game has
    now; measured at once, if it was not."""
    digest = evaluation_digest(game)
    levels = usable_levels(game)
    known = () if levels is None else levels.best
    found = tuple(comparison for comparison in known if comparison.evaluation == digest)
    return found or (_short(game, digest),)


def _short(game: Game, digest: str) -> Comparison:
    """The result of a short match, from the cache folder if it is there."""
    # The folder of this version of the searches: another one may play otherwise.
    path = cache_folder() / f"best-{name_of(game)}-{rules_digest(game)}-{digest}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        told = json.loads(path.read_text(encoding="utf-8"))
        return Comparison(**told)
    found = compare(game, SHORT_SECONDS, SHORT_PAIRS)
    assert found is not None
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(asdict(found)))
    return found


def compare(
    game: Game,
    seconds: float,
    pairs: int,
    *,
    seed: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> Comparison | None:
    """A match between the engine and the tree search, in pairs from random openings.

    Args:
        game: what is played.
        seconds: the time for a move.
        pairs: number of game pairs.
        seed: makes openings repeatable.
        stop: asked after each pair.

    Returns:
        What the pairs played say; None if it was stopped before the first was complete.
    """
    players = [registry.player(name) for name in CANDIDATES]
    scores: list[float] = []
    try:
        for number in range(pairs):
            if scores and stop():
                break
            opening = _opening(game, Random(f"{seed} {number}"))
            scores += [_points(players, opening, seat, seed + number, seconds) for seat in (0, 1)]
    finally:
        for player in players:
            player.close()
    if not scores:
        return None
    mean = sum(scores) / len(scores)
    # Half a game more on each side, so that a score without exception has an error too.
    error = _INTERVAL * math.sqrt(pvariance([*scores, 0.0, 1.0]) / len(scores))
    digest = evaluation_digest(game)
    return Comparison(seconds, len(scores), round(mean, 4), round(error, 4), digest)


def _opening(game: Game, chance: Random) -> Position:
    steps = [position for _, position in game.start().random_walk(chance, _OPENING_PLIES)]
    return steps[-1] if steps and steps[-1].outcome() is None else game.start()


def _points(
    players: Sequence[Player], start: Position, seat: int, seed: int, seconds: float
) -> float:
    """The points of the first player in a game, in which it has side `seat`."""
    for number, player in enumerate(players):
        player.new_game(start.game, 2 * seed + number)
    position, limit = start, Limit(seconds=seconds)
    for _ in range(_MOST_PLIES):
        if (outcome := position.outcome()) is not None:
            return outcome.points("xo"[seat])
        mover = "xo".index(position.side)
        position = position.play(players[mover ^ seat].choose(position, limit).move)
    return 0.5
