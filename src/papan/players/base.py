"""The promise of every player: a legal move for a position, within a limit."""

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
    """A move and its player's opinion of it.

    Attributes:
        move: in the game's notation.
        value: the player's value of the position, side to move's view; None if it has none.
        depth: the depth searched, in plies; None where that means nothing.
        nodes: positions looked at; None where not counted.
        pv: how the player expects the game to go on, `move` first.
    """

    move: str
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None
    pv: tuple[str, ...] = ()


@dataclass
class Player(ABC):
    """A participant; subclasses are dataclasses of options.

    A player gets ready when a game begins and is then asked for moves. It must not change the
    position it is given. Seeded by the same number, it plays the same game.
    """

    #: The name in specs.
    name: ClassVar[str]
    #: The games it plays, by name; empty for all.
    games: ClassVar[tuple[str, ...]] = ()

    random: random.Random = field(
        init=False, repr=False, compare=False, default_factory=random.Random
    )

    def new_game(self, game: Game, seed: int) -> None:
        """Prepares for a game: seeds the player's chance and forgets what was learnt before.

        Raises:
            InvalidSpec: the player does not play this game.
            PlayerFailure: a program that plays here did not get ready.
        """
        if self.games and game.name not in self.games:
            known = ", ".join(self.games)
            raise InvalidSpec("spec.wrong-game", text=self.spec, game=game.name, known=known)
        self.random.seed(seed)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The player that a spec describes; `text` is what stands after the first colon.

        Raises:
            InvalidSpec: it does not describe one.
        """
        return spec.build(cls, cls.name, text)

    @abstractmethod
    def choose(self, position: Position, limit: Limit) -> Choice:
        """A legal move of an unfinished game.

        `limit` is what the referee enforces. A player whose own options ask for less thinks less.

        Raises:
            PlayerTimeout: a program that plays here did not answer in time.
            PlayerCrash: it could not be started, or has ended.
            PlayerFlood: it wrote too much.
        """

    def guard(self, guards: Guards) -> None:
        """Sets what the program behind the player may take; nothing where there is none."""

    def expect(self, opening: tuple[str, ...]) -> None:
        """Tells the moves that will have led from the game's start to the first position, for
        programs that cannot be given a position; nothing where there is none."""

    def printed(self) -> str:
        """The last lines that the program behind the player has printed; empty without one."""
        return ""

    def close(self) -> None:
        """Lets go of processes and memory."""

    @property
    def spec(self) -> str:
        """The canonical spec."""
        return spec.canonical(self.name, self)

    def describe(self) -> dict[str, Any]:
        """The player for reports: its spec and all its options."""
        options = {key: getattr(self, key) for key in spec.options_of(type(self))}
        return {"player": self.spec, "options": options}
