"""Players that do not search."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.game import Position
from papan.players.base import Choice, Player
from papan.search.limits import Limit


@dataclass
class RandomPlayer(Player):
    """Plays any legal move, all with the same probability."""

    name = "random"

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(position.game.write_move(self.random.choice(position.codes())))


@dataclass
class FirstMove(Player):
    """Plays the first legal move: the simplest player there is, and the same every time."""

    name = "first"

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(position.game.write_move(position.codes()[0]))
