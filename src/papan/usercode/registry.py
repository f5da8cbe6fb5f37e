"""Games by name: built-in games, games of installed packages, the gallery, and files.

Players are found in the same way (`papan.players.registry`).

A package adds a game with an entry point of the group `papan.games` that names a `Game` class. The
name of a gallery game is its file name, and the name of a game in any other file is the path.
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
    """Returns the entry points of a group by name, in alphabetical order."""
    points = sorted(metadata.entry_points(group=group), key=lambda point: point.name)
    return {point.name: point for point in points}


def installed_class(group: str, name: str, unknown: str, known: Iterable[str] = ()) -> type[Any]:
    """Returns the class of an entry point.

    Raises:
        InvalidSpec: The group does not have the name; the message `unknown` lists the names in
            `known`, or those of the group.
    """
    points = installed(group)
    if name not in points:
        raise spec.unknown(unknown, name, dict.fromkeys(known) or points)
    loaded: type[Any] = points[name].load()
    return loaded


def names() -> list[str]:
    """Returns the names of all installed games, in alphabetical order.

    Examples:
        >>> papan.game_names()
        ['adjacency', 'corners', 'platforms']
    """
    return list(installed(GROUP))


def game_class(name: str) -> type[Game]:
    """Returns the class of a game.

    Raises:
        InvalidSpec: No game has this name.
        InvalidGame: The file has no game.
    """
    if loader.split(name):
        return loader.load(name)
    if name in installed(GROUP):
        return installed_class(GROUP, name, "spec.unknown-game")
    if (file := _in_gallery(name)) is not None:
        return loader.load(str(file), file.stem)
    raise spec.unknown("spec.unknown-game", name, {**installed(GROUP), **gallery()})


def _in_gallery(name: str) -> Path | None:
    """Returns the file of a gallery game; words in the name may be joined by `-` or `_`."""
    return gallery().get(name.replace("-", "_"))


def game(text: str) -> Game:
    """Returns the game of a spec: `game("adjacency:rounds=8")`.

    Raises:
        InvalidSpec: A name or option is unknown, or a value is not allowed.
        InvalidGame: A file has no game, or its rules violate an invariant.
        UsageError: The spec is not a text.

    Examples:
        >>> papan.game("platforms:size=4").spec
        'platforms:size=4'
    """
    if not isinstance(text, str):
        raise refuse("text", text, "@argument.text")
    in_file = loader.split(text)
    if in_file:
        return loader.build(*in_file)
    name, options = spec.split(text)
    # Gallery games need no smoke test: the tests of the package check them.
    return spec.build(game_class(name), name, options)


def known_game(text: str) -> Game:
    """Returns the game of a spec that the user did not type, from a data file, a store or a
    program.

    Loading a game file runs it, so this function loads none. A game file is accepted only if this
    process loaded it before, because the user named it. All code that reads specs from data uses
    this function.

    Raises:
        InvalidSpec: As `game`; or the spec names a file that was not loaded.
    """
    in_file = loader.split(text)
    if in_file and not loader.is_loaded(in_file[0]):
        raise InvalidSpec("spec.file-not-named", text=in_file[0])
    return game(text)
