"""Search algorithms by name, or by the path of the file that one is defined in."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from papan.core import spec
from papan.errors import InvalidSpec
from papan.usercode import loader

if TYPE_CHECKING:
    from papan.search.algorithm import Algorithm

#: Where each algorithm lives: name → module and class. Imported when asked for, since importing
#: a search means loading numba.
_PLACES = {
    "minimax": ("papan.search.alphabeta.minimax", "Minimax"),
    "alphabeta": ("papan.search.alphabeta.algorithms", "AlphaBeta"),
    "memory": ("papan.search.alphabeta.algorithms", "Memory"),
    "mtdf": ("papan.search.alphabeta.algorithms", "Mtdf"),
    "pvs": ("papan.search.alphabeta.algorithms", "Pvs"),
    "engine": ("papan.engine", "Engine"),
    "mcts": ("papan.search.mcts.algorithm", "Mcts"),
}

#: Options of commands that players of the same names take as their own.
_LIMITS = ("depth", "nodes", "time")


def names() -> list[str]:
    """The names of all algorithms."""
    return list(_PLACES)


def algorithm(text: str) -> Algorithm:
    """The algorithm that a spec names: `algorithm("alphabeta")`.

    The path of a Python file is the name of the algorithm in it, as with games.

    Raises:
        InvalidSpec: unknown name or option, a value that is not allowed, or a file without an
            algorithm.
        InvalidGame: a file that cannot be run.
    """
    in_file = loader.split(text)
    name, options = in_file or spec.split(text)
    if in_file:
        found = loader.load_class(name, _algorithm_of)
        found.name = name
    elif name in _PLACES:
        module, attribute = _PLACES[name]
        found = getattr(import_module(module), attribute)
    else:
        raise spec.unknown("spec.unknown-algorithm", name, _PLACES)
    for part in options.split(","):
        option = part.partition("=")[0].strip()
        if option in _LIMITS and option not in spec.options_of(found):
            raise InvalidSpec("spec.limit-option", name=name, text=option)
    made: Algorithm = spec.build(found, name, options)
    return made


def _algorithm_of(module: ModuleType, path: Path) -> type[Algorithm]:
    """The one algorithm that is defined in a module."""
    from papan.search.algorithm import Algorithm

    found = {
        item
        for item in vars(module).values()
        if isinstance(item, type)
        and issubclass(item, Algorithm)
        and item.__module__ == module.__name__
    }
    if len(found) != 1:
        raise InvalidSpec("spec.no-algorithm", text=path.name, found=len(found))
    return found.pop()
