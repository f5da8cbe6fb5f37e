"""Papan: a workbench for adversarial search on two-player board games.

>>> import papan
>>> position = papan.game("adjacency:rounds=8").start()
>>> position.play("c4").side
'o'
"""

from papan.games.base import Game, Outcome, Position
from papan.games.registry import game

__all__ = ["Game", "Outcome", "Position", "game"]
