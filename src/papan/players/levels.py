"""Players by strength, for people: `level:1` … `level:8`, and the names that a course grades by."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from papan.core import spec
from papan.core.game import Game, Position
from papan.core.spec import option
from papan.players import registry
from papan.players.base import Choice, Player
from papan.players.level_file import MOST_LEVELS, MeasuredLevel, Strength, usable_levels
from papan.search.limits import Limit

#: The named levels, which `papan grade` climbs, each stronger than the one before.
NAMES = ("beginner", "easy", "medium", "hard", "expert")

#: Named level → player, where the game does not name its own (`Game.levels`).
GENERAL: Mapping[str, str] = {
    "beginner": "random",
    "easy": "hill-climbing:variant=stochastic",
    "medium": "minimax:depth=2",
    "hard": "minimax:depth=4",
    "expert": "engine:depth=6",
}

#: The levels of a game of which nothing was measured: what measured ones are like on the average.
UNMEASURED = (
    Strength("mcts", 32, 0.5),
    Strength("mcts", 50, 0.3),
    Strength("mcts", 80, 0.18),
    Strength("mcts", 130, 0.11),
    Strength("mcts", 210, 0.065),
    Strength("mcts", 400, 0.04),
    Strength("mcts", 1000, 0.02),
    Strength("mcts", 4000, 0.0),
)


def spec_at(level: str, game: Game) -> str:
    """The spec of the player of a game at a named level."""
    return {**GENERAL, **game.levels}[level]


def strengths_of(game: Game) -> tuple[Strength, ...]:
    """The strengths of a game's levels, the weakest first: as measured, or else as is usual."""
    levels = usable_levels(game)
    return UNMEASURED if levels is None else tuple(level.strength for level in levels.levels)


def measured_at(game: Game, number: int) -> MeasuredLevel | None:
    """The measurement of a level (1 … 8) of a game; None if there was none."""
    levels = usable_levels(game)
    return None if levels is None else levels.levels[min(number, len(levels.levels)) - 1]


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
            self._playing = game, registry.player(self.spec_for(game))
        return self._playing[1]

    @abstractmethod
    def spec_for(self, game: Game) -> str:
        """The spec of the player of a game at this level."""


@dataclass
class LevelPlayer(Level):
    """Plays at one of eight levels, measured where `papan levels` has done so.

    A game with fewer levels has its strongest one at those above.

    Attributes:
        number: 1 … 8, the higher the stronger.
    """

    name = "level"

    number: int = option(1, "option.level-number", low=1, high=MOST_LEVELS)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The level of that number: `level:3`."""
        return spec.build(cls, cls.name, f"number={text}" if text and "=" not in text else text)

    @property
    def spec(self) -> str:
        """The canonical spec."""
        return f"{self.name}:{self.number}"

    def spec_for(self, game: Game) -> str:
        strengths = strengths_of(game)
        return strengths[min(self.number, len(strengths)) - 1].spec


class NamedLevel(Level):
    """A level that has a name in place of a number."""

    name: ClassVar[str]

    def spec_for(self, game: Game) -> str:
        return spec_at(self.name, game)


class Beginner(NamedLevel):
    """Knows the rules."""

    name = "beginner"


class Easy(NamedLevel):
    """Looks at the next move, not very carefully."""

    name = "easy"


class Medium(NamedLevel):
    """Takes what is best at once."""

    name = "medium"


class Hard(NamedLevel):
    """Thinks of the answer."""

    name = "hard"


class Expert(NamedLevel):
    """Searches with the strongest evaluation."""

    name = "expert"
