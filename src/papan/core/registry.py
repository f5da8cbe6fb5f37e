"""Finding games by name: Papan's own, those of installed packages, and those in files.

A package adds a game with an entry point of the group `papan.games` that names a `Game` class. The
path of a Python file is the name of the game in it.
"""

from __future__ import annotations

import functools
from importlib import metadata

from papan.core import loader, spec
from papan.core.game import Game

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
        InvalidGame: it is the path of a file that holds no game.
    """
    if loader.split(name):
        return loader.load(name)
    points = _entry_points()
    if name not in points:
        raise spec.unknown("spec.unknown-game", name, dict.fromkeys(names()))
    loaded: type[Game] = points[name].load()
    return loaded


def game(text: str) -> Game:
    """The game that a spec names: `game("adjacency:rounds=8")`.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed.
        InvalidGame: a file holds no game, or its rules break a promise.
        MissingOperation: its state lacks an operation.
    """
    in_file = loader.split(text)
    name, options = in_file or spec.split(text)
    found = spec.build(game_class(name), name, options)
    if in_file:
        _rehearse(found)
    return found


@functools.cache
def _rehearse(found: Game) -> None:
    """Rehearses a game once in this process, however often it is asked for."""
    loader.rehearse(found)
