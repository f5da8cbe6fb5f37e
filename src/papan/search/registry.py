"""Search algorithms by name, or by the path of the file that defines one."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from papan.core import spec
from papan.errors import InvalidSpec
from papan.usercode import loader

if TYPE_CHECKING:
    from papan.search.algorithm import Algorithm

#: Name → module and class. Imported only when needed, since importing a search loads numba.
_PLACES = {
    "minimax": ("papan.search.alphabeta.minimax", "Minimax"),
    "alphabeta": ("papan.search.alphabeta.algorithms", "AlphaBeta"),
    "memory": ("papan.search.alphabeta.algorithms", "Memory"),
    "mtdf": ("papan.search.alphabeta.algorithms", "Mtdf"),
    "pvs": ("papan.search.alphabeta.algorithms", "Pvs"),
    "engine": ("papan.engine", "Engine"),
    "mcts": ("papan.search.mcts.algorithm", "Mcts"),
}

#: Options that belong to the command or player, not to the algorithm.
_LIMITS = ("depth", "nodes", "time")


def names() -> list[str]:
    """Returns the names of all algorithms.

    Examples:
        >>> "pvs" in papan.algorithm_names()
        True
    """
    return list(_PLACES)


def algorithm(text: str) -> Algorithm:
    """Returns the algorithm with a spec: `algorithm("alphabeta")`.

    The path of a Python file selects the algorithm in it, as with games.

    Raises:
        InvalidSpec: the name or an option is unknown, a value is not allowed, or the file does not
            define exactly one algorithm.
        InvalidGame: the file fails when it is run.
    """
    name, options = loader.split(text) or spec.split(text)
    cls = algorithm_class(name)
    for part in options.split(","):
        option = part.partition("=")[0].strip()
        if option in _LIMITS and option not in spec.options_of(cls):
            raise InvalidSpec("spec.limit-option", name=name, text=option)
    return spec.build(cls, name, options)


def algorithm_class(name: str) -> type[Algorithm]:
    """Returns the class of an algorithm, by its name or by the path of its file.

    Raises:
        InvalidSpec: the name is unknown, or the file does not define exactly one algorithm.
        InvalidGame: the file fails when it is run.
    """
    if loader.split(name):
        cls = loader.load_class(name, _algorithm_of)
        cls.name = name
        return cls
    if name not in _PLACES:
        raise spec.unknown("spec.unknown-algorithm", name, _PLACES)
    module, attribute = _PLACES[name]
    defined: type[Algorithm] = getattr(import_module(module), attribute)
    return defined


def defines_algorithm(path: str) -> bool:
    """Returns whether a Python file defines a subclass of an algorithm; the file is only parsed."""
    try:
        tree = ast.parse(Path(path).expanduser().read_bytes())
    except (OSError, SyntaxError, ValueError):
        return False
    bases = {"Algorithm", "Remembering", *(name for _, name in _PLACES.values())}
    return any(
        ast.unparse(base).rpartition(".")[2] in bases
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    )


def _algorithm_of(module: ModuleType, path: Path) -> type[Algorithm]:
    """Returns the only algorithm that a module defines."""
    from papan.search.algorithm import Algorithm

    algorithms = {
        item
        for item in vars(module).values()
        if isinstance(item, type)
        and issubclass(item, Algorithm)
        and item.__module__ == module.__name__
    }
    if len(algorithms) != 1:
        raise InvalidSpec("spec.no-algorithm", text=path.name, found=len(algorithms))
    return algorithms.pop()
