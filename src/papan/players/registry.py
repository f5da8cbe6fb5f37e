"""Finding players by name: Papan's own, and those of installed packages.

A package adds a player with an entry point of the group `papan.players` that names a `Player`
class.
"""

from __future__ import annotations

import functools
from importlib import metadata

from papan.core import spec
from papan.players.base import Player

GROUP = "papan.players"


@functools.cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all players that are installed, in alphabetical order."""
    return sorted(_entry_points())


def player_class(name: str) -> type[Player]:
    """The class of a player.

    Raises:
        InvalidSpec: no installed player has that name.
    """
    points = _entry_points()
    if name not in points:
        raise spec.unknown("spec.unknown-player", name, dict.fromkeys(names()))
    loaded: type[Player] = points[name].load()
    return loaded


def player(text: str) -> Player:
    """The player that a spec names: `player("minimax:depth=6")`.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed.
    """
    name, rest = spec.split(text)
    return player_class(name).from_text(rest)
