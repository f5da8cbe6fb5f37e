"""Players by strength, for people: `beginner` … `perfect`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from papan.core.game import Game, Position
from papan.players import registry
from papan.players.base import Choice, Player
from papan.search.limits import Limit

#: The levels, each stronger than the one before.
NAMES = ("beginner", "easy", "medium", "hard", "expert", "perfect")

#: Level → player, where the game does not name its own (`Game.levels`).
GENERAL: Mapping[str, str] = {
    "beginner": "random",
    "easy": "hill-climbing:variant=stochastic",
    "medium": "minimax:depth=2",
    "hard": "minimax:depth=4",
    "expert": "engine:depth=6",
    "perfect": "engine:time=3",
}


def spec_at(level: str, game: Game) -> str:
    """The spec of the player of a game at a level."""
    return {**GENERAL, **game.levels}[level]


@dataclass
class Level(Player):
    """Lets the player of its level for the game at hand play."""

    _playing: tuple[Game, Player] | None = field(
        init=False, repr=False, compare=False, default=None
    )

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.player_for(game).new_game(game, seed)

    def choose(self, position: Position, limit: Limit) -> Choice:
        return self.player_for(position.game).choose(position, limit)

    def close(self) -> None:
        if self._playing is not None:
            self._playing[1].close()
            self._playing = None

    def player_for(self, game: Game) -> Player:
        """The player of this game at this level; the same one as long as the game is the same."""
        if self._playing is None or self._playing[0] != game:
            self.close()
            self._playing = game, registry.player(spec_at(self.name, game))
        return self._playing[1]


class Beginner(Level):
    """Knows the rules."""

    name = "beginner"


class Easy(Level):
    """Looks at the next move, not very carefully."""

    name = "easy"


class Medium(Level):
    """Takes what is best at once."""

    name = "medium"


class Hard(Level):
    """Thinks of the answer."""

    name = "hard"


class Expert(Level):
    """Searches with the strongest evaluation."""

    name = "expert"


class Perfect(Level):
    """The strongest there is in three seconds a move; perfect where the game can be solved so."""

    name = "perfect"
