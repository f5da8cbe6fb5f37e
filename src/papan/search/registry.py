"""Search algorithms by name."""

from __future__ import annotations

from importlib import import_module

from papan.core import spec
from papan.search.algorithm import Algorithm

#: Where each algorithm lives: name → module and class. Imported when asked for, since importing
#: a search means loading numba.
_PLACES = {
    "minimax": ("papan.search.minimax", "Minimax"),
    "alphabeta": ("papan.search.algorithms", "AlphaBeta"),
    "memory": ("papan.search.algorithms", "Memory"),
    "mtdf": ("papan.search.algorithms", "Mtdf"),
    "pvs": ("papan.search.algorithms", "Pvs"),
    "engine": ("papan.search.engine", "Engine"),
    "mcts": ("papan.search.mcts.algorithm", "Mcts"),
}


def names() -> list[str]:
    """The names of all algorithms."""
    return list(_PLACES)


def algorithm(text: str) -> Algorithm:
    """The algorithm that a spec names: `algorithm("alphabeta")`.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed.
    """
    name, options = spec.split(text)
    if name not in _PLACES:
        raise spec.unknown("spec.unknown-algorithm", name, _PLACES)
    module, cls = _PLACES[name]
    made: Algorithm = spec.build(getattr(import_module(module), cls), name, options)
    return made
