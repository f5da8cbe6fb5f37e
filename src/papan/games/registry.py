"""Finding games by name: Papan's own, and those of installed packages.

A package adds a game with an entry point of the group `papan.games` that names a `Game` class.
"""

from __future__ import annotations

import functools
from importlib import metadata

from papan import spec
from papan.games.base import Game

GROUP = "papan.games"


@functools.cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all games that are installed, in alphabetical order."""
    return sorted(_entry_points())


def game_class(name: str) -> type[Game]:
    """The class of a game.

    Raises:
        InvalidSpec: no installed game has that name.
    """
    points = _entry_points()
    if name not in points:
        raise spec.unknown("spec.unknown-game", name, dict.fromkeys(names()))
    loaded: type[Game] = points[name].load()
    return loaded


def game(text: str) -> Game:
    """The game that a spec names: `game("adjacency:rounds=8")`.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed.
    """
    name, options = spec.split(text)
    return spec.build(game_class(name), name, options)
