"""The base class of all players: a player returns a legal move for a position, within a limit."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from papan.core import spec
from papan.core.game import Game, Position
from papan.errors import InvalidSpec
from papan.protocol.guards import Guards
from papan.search.limits import Limit


@dataclass(frozen=True)
class Choice:
    """A move, and the player's evaluation of it.

    Attributes:
        move: the move in the game's notation.
        value: value of the position in points, side to move's view; None if unknown.
        depth: searched depth in plies; None if the player does not search by depth.
        nodes: number of searched positions; None if not counted.
        pv: the expected line of play (principal variation), starting with `move`.

    Examples:
        >>> choice = papan.Choice("b2")
        >>> choice.move
        'b2'
    """

    move: str
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None
    pv: tuple[str, ...] = ()


@dataclass
class Player(ABC):
    """A participant; subclasses are dataclasses whose fields are the player's options.

    `new_game` prepares a player, then `choose` returns its moves. A player must not change the
    position. With the same seed it plays the same game.

    Examples:
        >>> class First(papan.Player):
        ...     name = "my-first"
        ...     def choose(self, position, limit):
        ...         return papan.Choice(position.moves()[0])
        >>> papan.play_game("platforms", First(), "random", seed=1).termination
        <Termination.RULES: 'rules'>
    """

    #: Name in specs.
    name: ClassVar[str]
    #: Names of the supported games; empty for all games.
    games: ClassVar[tuple[str, ...]] = ()
    #: True if the player limits its processor time itself; else its real time is limited.
    limits_processor_time: ClassVar[bool] = True

    random: random.Random = field(
        init=False, repr=False, compare=False, default_factory=random.Random
    )

    def new_game(self, game: Game, seed: int) -> None:
        """Prepares for a game: seeds the random numbers and clears results of earlier games.

        Raises:
            InvalidSpec: the player does not support the game.
            PlayerFailure: the external program did not get ready.
        """
        if self.games and game.name not in self.games:
            known = ", ".join(self.games)
            raise InvalidSpec("spec.wrong-game", text=self.spec, game=game.name, known=known)
        self.random.seed(seed)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Returns the player of a spec; `text` is the part after the first colon.

        Raises:
            InvalidSpec: the text is invalid.
        """
        return spec.build(cls, cls.name, text)

    @abstractmethod
    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns a legal move of an unfinished game.

        The referee enforces `limit`. The player's own options may set a lower limit.

        Raises:
            PlayerTimeout: an external program did not respond in time.
            PlayerCrash: an external program could not be started, or has ended.
            PlayerFlood: an external program wrote too much output.
        """

    def guard(self, guards: Guards) -> None:
        """Sets the resource limits of an external program; does nothing for other players."""

    def expect(self, opening: tuple[str, ...]) -> None:
        """Announces the moves from the game's start to the first position.

        Only programs that cannot load a position need them; other players ignore them.
        """

    def printed(self) -> str:
        """Returns the last lines on stderr of an external program; empty for other players."""
        return ""

    def close(self) -> None:
        """Releases processes and memory."""

    @property
    def spec(self) -> str:
        """Canonical spec of the player."""
        return spec.canonical(self.name, self)

    def describe(self) -> dict[str, Any]:
        """Returns the spec and all options, for reports."""
        options = {key: getattr(self, key) for key in spec.options_of(type(self))}
        return {"player": self.spec, "options": options}
