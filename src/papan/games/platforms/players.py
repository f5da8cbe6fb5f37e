"""The program of the paper on Platforms."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.game import Game
from papan.core.spec import option
from papan.players.search import SearchPlayer
from papan.rules.operations import MAX_PLY, Evaluation


@dataclass
class PlatformsMinimaxPlayer(SearchPlayer):
    """The program of "Permainan Papan Strategi": depth-first minimax to depth 4 without pruning.

    An undecided leaf has the value 0, a win at level p of the tree 1000 − p, a loss p − 1000.
    """

    name = "platforms-minimax"
    algorithm = "minimax"
    games = ("platforms",)

    depth: int = option(4, "option.depth", low=1, high=MAX_PLY)

    def evaluation_for(self, game: Game) -> Evaluation:
        return game.evaluations["undecided"]
