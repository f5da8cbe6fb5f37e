"""The fixed-depth searchers of the sources that play one game only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from papan.games.base import Game
from papan.kernel.vocabulary import MAX_PLY, Evaluation
from papan.players.searchers import Searcher
from papan.spec import option


@dataclass
class PlatformsMinimaxPlayer(Searcher):
    """The program of "Permainan Papan Strategi": minimax to depth 4, depth first, no pruning.

    An undecided leaf is worth 0, a win at level p of the tree 1000 − p, a loss p − 1000.
    """

    name = "platforms-minimax"
    algorithm = "minimax"
    games = ("platforms",)

    depth: int = option(4, "option.depth", low=1, high=MAX_PLY)

    def evaluation_for(self, game: Game) -> Evaluation:
        return game.evaluations["undecided"]


@dataclass
class CornersMinimaxPlayer(Searcher):
    """The program of the homework on Corners: minimax with pruning and one of two heuristics.

    Attributes:
        heuristic: `matched` sums steps to matched destinations (the evaluation `matched`);
            `corner` sums steps to the far corner, with penalties (the evaluation `stuck`).
    """

    name = "corners-minimax"
    algorithm = "alphabeta"
    games = ("corners",)

    #: The names that the evaluations of the game have.
    evaluations: ClassVar[dict[str, str]] = {"matched": "matched", "corner": "stuck"}

    depth: int = option(4, "option.depth", low=1, high=MAX_PLY)
    heuristic: str = option("matched", "option.heuristic", choices=tuple(evaluations))

    def evaluation_for(self, game: Game) -> Evaluation:
        return game.evaluations[self.evaluations[self.heuristic]]
