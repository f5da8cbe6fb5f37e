"""Players by strength: `level:1` … `level:8`, and the named levels that grading uses."""

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

#: Named levels of `papan grade`, weakest first.
NAMES = ("beginner", "easy", "medium", "hard", "expert")

#: Named level → player, unless the game sets its own (`Game.levels`).
GENERAL: Mapping[str, str] = {
    "beginner": "random",
    "easy": "hill-climbing:variant=stochastic",
    "medium": "minimax:depth=2",
    "hard": "minimax:depth=4",
    "expert": "engine:depth=6",
}

#: Levels of a game without measured levels: averages of the measured games.
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
    """Returns the spec of a game's player at a named level."""
    return {**GENERAL, **game.levels}[level]


def strengths_of(game: Game) -> tuple[Strength, ...]:
    """Returns the strengths of a game's levels, weakest first; default strengths if not
    measured."""
    levels = usable_levels(game)
    return UNMEASURED if levels is None else tuple(level.strength for level in levels.levels)


def measured_at(game: Game, number: int) -> MeasuredLevel | None:
    """Returns the measurement of a level (1 … 8) of a game; None if not measured."""
    levels = usable_levels(game)
    return None if levels is None else levels.levels[min(number, len(levels.levels)) - 1]


@dataclass
class Level(Player):
    """A player that delegates to the player of its level in the current game."""

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
        """Returns the player of a game at this level; cached while the game stays the same."""
        if self._playing is None or self._playing[0] != game:
            self.close()
            self._playing = game, registry.player(self.spec_for(game))
        return self._playing[1]

    @abstractmethod
    def spec_for(self, game: Game) -> str:
        """Returns the spec of a game's player at this level."""


@dataclass
class LevelPlayer(Level):
    """Plays at one of eight levels, which `papan levels` measures for a game.

    If a game has fewer levels, the higher numbers play at its strongest level.

    Attributes:
        number: the level, 1 (weakest) … 8 (strongest).
    """

    name = "level"

    number: int = option(1, "option.level-number", low=1, high=MOST_LEVELS)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Returns the level with a number, for example `level:3`."""
        return spec.build(cls, cls.name, f"number={text}" if text and "=" not in text else text)

    @property
    def spec(self) -> str:
        """Canonical spec of the player."""
        return f"{self.name}:{self.number}"

    def spec_for(self, game: Game) -> str:
        strengths = strengths_of(game)
        return strengths[min(self.number, len(strengths)) - 1].spec


class NamedLevel(Level):
    """A level with a name instead of a number."""

    name: ClassVar[str]

    def spec_for(self, game: Game) -> str:
        return spec_at(self.name, game)


class Beginner(NamedLevel):
    """Makes random legal moves."""

    name = "beginner"


class Easy(NamedLevel):
    """Looks one move ahead, with random errors."""

    name = "easy"


class Medium(NamedLevel):
    """Looks one or two moves ahead."""

    name = "medium"


class Hard(NamedLevel):
    """Looks a few moves ahead."""

    name = "hard"


class Expert(NamedLevel):
    """Searches deeper, with the strongest evaluation."""

    name = "expert"
