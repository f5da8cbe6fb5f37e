"""A ladder of all players that kept games know: rated game by game, in the order of arrival."""

from __future__ import annotations

from collections.abc import Iterable

from papan.errors import UsageError
from papan.records.model import UNFINISHED, Record
from papan.stats import Standing, play_ladder

_SCORES = {"x": 1.0, "draw": 0.5, "o": 0.0}


def ladders(records: Iterable[Record]) -> dict[str, dict[str, Standing]]:
    """For each game its players, the best first: by the skill that they have almost surely.

    Games broken off, and games of players against themselves, say nothing and are left out.

    Raises:
        UsageError: the library that rates is not installed.
    """
    games: dict[str, list[tuple[str, str, float]]] = {}
    for record in records:
        if record.result != UNFINISHED and record.x != record.o:
            games.setdefault(record.game, []).append((record.x, record.o, _SCORES[record.result]))
    try:
        found = {game: play_ladder(played) for game, played in sorted(games.items())}
    except ModuleNotFoundError:
        raise UsageError("ladder.missing", text="papan[ladder]") from None
    return {game: _sorted(standings) for game, standings in found.items()}


def _sorted(standings: dict[str, Standing]) -> dict[str, Standing]:
    order = sorted(standings.items(), key=lambda item: (-item[1].cautious, item[0]))
    return dict(order)
