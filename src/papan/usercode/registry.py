"""Finding games by name: Papan's own, those of installed packages, the gallery's, and those in
files.

Players are found the same way (`papan.players.registry`).

A package adds a game with an entry point of the group `papan.games` that names a `Game` class. A
game of the gallery is called as its file is, and the path of any other Python file is the name of
the game in it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from papan.core import spec
from papan.core.arguments import refuse
from papan.core.game import Game
from papan.errors import InvalidSpec
from papan.usercode import loader
from papan.usercode.gallery import gallery

GROUP = "papan.games"


@functools.cache
def installed(group: str) -> dict[str, metadata.EntryPoint]:
    """The entry points of a group by name, in alphabetical order."""
    points = sorted(metadata.entry_points(group=group), key=lambda point: point.name)
    return {point.name: point for point in points}


def installed_class(group: str, name: str, unknown: str, known: Iterable[str] = ()) -> type[Any]:
    """The class that an entry point names.

    Raises:
        InvalidSpec: the group has no such name; `unknown` is the message for that, which lists the
            names in `known`, or those of the group.
    """
    points = installed(group)
    if name not in points:
        raise spec.unknown(unknown, name, dict.fromkeys(known) or points)
    loaded: type[Any] = points[name].load()
    return loaded


def names() -> list[str]:
    """The names of all games that are installed, in alphabetical order."""
    return list(installed(GROUP))


def game_class(name: str) -> type[Game]:
    """The class of a game.

    Raises:
        InvalidSpec: no installed game has that name.
        InvalidGame: it is the path of a file that holds no game.
    """
    if loader.split(name):
        return loader.load(name)
    if name in installed(GROUP):
        return installed_class(GROUP, name, "spec.unknown-game")
    if (file := _in_gallery(name)) is not None:
        return loader.load(str(file), file.stem)
    raise spec.unknown("spec.unknown-game", name, {**installed(GROUP), **gallery()})


def _in_gallery(name: str) -> Path | None:
    """The file of a game of the gallery, whose words may be joined by `-` as well as by `_`."""
    return gallery().get(name.replace("-", "_"))


def game(text: str) -> Game:
    """The game that a spec names: `game("adjacency:rounds=8")`.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed.
        InvalidGame: a file holds no game, or its rules break an invariant.
        UsageError: it is no text.
    """
    if not isinstance(text, str):
        raise refuse("text", text, "@argument.text")
    in_file = loader.split(text)
    if in_file:
        return loader.build(*in_file)
    name, options = spec.split(text)
    # The gallery's games need no smoke test: each of them was tried in every way before.
    return spec.build(game_class(name), name, options)


def known_game(text: str) -> Game:
    """Returns the game of a spec that the user did not type: it comes from a data file, a store or
    a program.

    To load a game file is to run it, so this function loads none. A game file is found only if this
    process has loaded it before, because the user named it. Whatever reads a spec out of data calls
    this function.

    Raises:
        InvalidSpec: as `game`; or it names a file that was not loaded.
    """
    in_file = loader.split(text)
    if in_file and not loader.is_loaded(in_file[0]):
        raise InvalidSpec("spec.file-not-named", text=in_file[0])
    return game(text)
