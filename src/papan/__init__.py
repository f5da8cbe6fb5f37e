"""Papan: a workbench for adversarial search on two-player board games.

>>> import papan
>>> position = papan.game("adjacency:rounds=8").start().play("c4", "d5")
>>> papan.analyse(position, depth=2).move in position.moves()
True

`__all__` lists the public names. Each is loaded on first use, so that `import papan` is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.core.game import Game, Outcome, Position
    from papan.errors import IllegalMove, PapanError, UsageError
    from papan.figures.board import board_svg
    from papan.players.base import Choice, Player
    from papan.players.registry import names as player_names
    from papan.players.registry import player
    from papan.records.store import Store
    from papan.search.limits import Limit
    from papan.search.registry import names as algorithm_names
    from papan.search.result import SearchResult
    from papan.session import (
        analyse,
        divide,
        move_values,
        perft,
        play_game,
        play_match,
        random_games,
        solve,
        tablebase,
        train,
        tree,
        tune,
        values,
    )
    from papan.solve.base import Solution
    from papan.testing import check_game, check_player
    from papan.usercode.registry import game
    from papan.usercode.registry import names as game_names
    from papan.web.export.site import export
else:
    import sys
    from types import ModuleType

    #: Name → module, followed by the name in the module if it differs.
    _PLACES = {
        "Choice": "papan.players.base",
        "Game": "papan.core.game",
        "IllegalMove": "papan.errors",
        "Limit": "papan.search.limits",
        "Outcome": "papan.core.game",
        "PapanError": "papan.errors",
        "Player": "papan.players.base",
        "Position": "papan.core.game",
        "SearchResult": "papan.search.result",
        "Solution": "papan.solve.base",
        "Store": "papan.records.store",
        "UsageError": "papan.errors",
        "algorithm_names": "papan.search.registry:names",
        "analyse": "papan.session",
        "board_svg": "papan.figures.board",
        "check_game": "papan.testing",
        "check_player": "papan.testing",
        "database": "papan.session:tablebase",  # the former name
        "divide": "papan.session",
        "export": "papan.web.export.site",
        "game": "papan.usercode.registry",
        "game_names": "papan.usercode.registry:names",
        "move_values": "papan.session",
        "perft": "papan.session",
        "play_game": "papan.session",
        "play_match": "papan.session",
        "player": "papan.players.registry",
        "player_names": "papan.players.registry:names",
        "random_games": "papan.session",
        "solve": "papan.session",
        "tablebase": "papan.session",
        "train": "papan.session",
        "tree": "papan.session",
        "tune": "papan.session",
        "values": "papan.session",
    }

    def __getattr__(name):
        from importlib import import_module

        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        place, _, there = _PLACES[name].partition(":")
        if place != "papan.errors":
            import_module("papan.figures.board")  # registers pictures of positions
        found = globals()[name] = getattr(import_module(place), there or name)
        return found

    def __dir__():
        return sorted({*globals(), *_PLACES})

    class _Package(ModuleType):
        """The package. The functions `solve` and `tablebase` have the same names as subpackages;
        both `papan.solve(…)` and `from papan.solve import …` work."""

        def __setattr__(self, name, value):
            # The import of a subpackage sets its module as an attribute, which would hide the
            # function.
            if not (name in _PLACES and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Package


__all__ = [
    "Choice",
    "Game",
    "IllegalMove",
    "Limit",
    "Outcome",
    "PapanError",
    "Player",
    "Position",
    "SearchResult",
    "Solution",
    "Store",
    "UsageError",
    "algorithm_names",
    "analyse",
    "board_svg",
    "check_game",
    "check_player",
    "divide",
    "export",
    "game",
    "game_names",
    "move_values",
    "perft",
    "play_game",
    "play_match",
    "player",
    "player_names",
    "random_games",
    "solve",
    "tablebase",
    "train",
    "tree",
    "tune",
    "values",
]
