"""Finding players by name: Papan's own, those of installed packages, and all algorithms.

A package adds a player with an entry point of the group `papan.players` that names a `Player`
class. A class that is defined in a session is found by its name, in the process that has it.
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
    """The names of all players, in alphabetical order: installed ones and algorithms."""
    return sorted({*installed(GROUP), *algorithms.names()})


def player_class(name: str) -> type[Player]:
    """The class of a player.

    Raises:
        InvalidSpec: neither an installed player nor a class of this process has that name.
    """
    if name not in installed(GROUP):
        # The latest one: a notebook's cell that is run again defines its class again.
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
    """The subclasses of a class that this process has defined, the oldest first."""
    for sub in base.__subclasses__():
        yield sub
        yield from _defined_players(sub)


def player(text: str) -> Player:
    """The player that a spec names, or a file that is a bot: `player("minimax:depth=6")`,
    `player("mybot.py")`.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed; or there is no such
            file, or it cannot be run.
        UsageError: it is no text.
    """
    if not isinstance(text, str):
        raise refuse("text", text, "@argument.text")
    if (in_file := loader.split(text)) and algorithms.defines_algorithm(in_file[0]):
        path, options = in_file
        return algorithm_player(path).from_text(options)
    name, rest = spec.split(text)
    # No player has a dot or a slash in its name.
    if "." in name or os.sep in name:
        name, rest = spec.split(spec_of_file(text.strip()))
    return player_class(name).from_text(rest)


def spec_of_file(path: str) -> str:
    """The spec of the bot in a file: a Python file, or a program that speaks UGI.

    Raises:
        InvalidSpec: there is no such file, or it is no Python file and not executable.
    """
    if path.endswith(".py"):
        return f"python:{path}"
    if not Path(path).is_file():
        raise InvalidSpec("player.no-file", text=path)
    if not os.access(path, os.X_OK):
        raise InvalidSpec("player.not-executable", text=path)
    return f"ugi:{shlex.quote(path if os.sep in path else os.path.join(os.curdir, path))}"
