"""Finds players by name: built-in ones, those of installed packages, and all algorithms.

A package adds a player with an entry point of the group `papan.players` that names a `Player`
class. A class that is defined at run time is found by its name in the same process.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from papan.core import spec
from papan.core.arguments import refuse
from papan.errors import InvalidSpec
from papan.players.base import Player
from papan.search import registry as algorithms
from papan.usercode import loader
from papan.usercode.registry import installed, installed_class

GROUP = "papan.players"


def names() -> list[str]:
    """Returns the names of all players (installed ones and algorithms) in alphabetical order.

    Examples:
        >>> "genetic" in papan.player_names()
        True
    """
    return sorted({*installed(GROUP), *algorithms.names()})


def player_class(name: str) -> type[Player]:
    """Returns the class of a player.

    Raises:
        InvalidSpec: the name is unknown.
    """
    if name not in installed(GROUP):
        # The latest definition, because a notebook cell may define the same class again.
        for defined in reversed(list(_defined_players(Player))):
            if defined.__dict__.get("name") == name:
                return defined
        if name in algorithms.names():
            return algorithm_player(name)
    return installed_class(GROUP, name, "spec.unknown-player", names())


def algorithm_player(name: str) -> type[Player]:
    """Returns the class of the player that searches with an algorithm (`search.player_of`)."""
    from papan.players.search import player_of  # imports numba

    return player_of(name)


def _defined_players(base: type[Any]) -> Iterator[type[Player]]:
    """Yields the subclasses of a class in this process, oldest first."""
    for sub in base.__subclasses__():
        yield sub
        yield from _defined_players(sub)


def player(text: str) -> Player:
    """Returns the player of a spec or of a bot file: `player("minimax:depth=6")`,
    `player("bot.py")`.

    Raises:
        InvalidSpec: a name or option is unknown, a value is not allowed, or the file is missing or
            cannot be run.
        UsageError: the spec is not a string.

    Examples:
        >>> papan.player("minimax:depth=2").spec
        'minimax:depth=2'
    """
    if not isinstance(text, str):
        raise refuse("text", text, "@argument.text")
    if (in_file := loader.split(text)) and algorithms.defines_algorithm(in_file[0]):
        path, options = in_file
        return algorithm_player(path).from_text(options)
    name, rest = spec.split(text)
    # A dot or slash marks a file, because names of players have neither.
    if "." in name or os.sep in name:
        name, rest = spec.split(spec_of_file(text.strip()))
    return player_class(name).from_text(rest)


def spec_of_file(path: str) -> str:
    """Returns the spec of the bot in a file: a Python file, or a program that speaks UGI.

    Raises:
        InvalidSpec: the file does not exist, or is neither a Python file nor executable.
    """
    if path.endswith(".py"):
        return f"python:{path}"
    if not Path(path).is_file():
        raise InvalidSpec("player.no-file", text=path)
    if not os.access(path, os.X_OK):
        raise InvalidSpec("player.not-executable", text=path)
    return f"ugi:{shlex.quote(path if os.sep in path else os.path.join(os.curdir, path))}"
