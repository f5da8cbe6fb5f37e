"""Papan: a workbench for adversarial search on two-player board games.

>>> import papan
>>> position = papan.game("adjacency:rounds=8").start()
>>> position.play("c4").side
'o'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.core.game import Game, Outcome, Position
    from papan.core.registry import game
    from papan.tree_figure import tree
else:
    # Loaded when first asked for: the command line starts without numpy.
    _PLACES = {
        "Game": "papan.core.game",
        "Outcome": "papan.core.game",
        "Position": "papan.core.game",
        "game": "papan.core.registry",
        "tree": "papan.tree_figure",
    }

    def __getattr__(name):
        from importlib import import_module

        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import_module("papan.figures.board")  # from now on positions draw themselves in notebooks
        return getattr(import_module(_PLACES[name]), name)


__all__ = ["Game", "Outcome", "Position", "game", "tree"]
