"""Players that do not search: random moves, the first legal move, and moves of a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from papan.core.game import Game, Position
from papan.errors import InvalidSpec, PapanError
from papan.players.base import Choice, Player
from papan.search.limits import Limit


@dataclass
class RandomPlayer(Player):
    """Plays a random legal move, each with the same probability."""

    name = "random"

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(position.game.write_move(self.random.choice(position.codes())))


@dataclass
class FirstMove(Player):
    """Plays the first legal move: the simplest deterministic player."""

    name = "first"

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(position.game.write_move(position.codes()[0]))


#: Shows a position and returns the person's reply. After an invalid reply it is called again with
#: the same position and the error.
Asker = Callable[[Position, PapanError | None], str]


@dataclass
class HumanPlayer(Player):
    """Asks a person until the reply is a legal move.

    The asker may raise `papan.errors.Resigned`. Without an asker, `new_game` raises an error:
    matches and tournaments have no person to ask.

    Attributes:
        asker: function that gets moves from the person.
    """

    name = "human"

    asker: Asker | None = field(default=None, repr=False, compare=False)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._asker()

    def choose(self, position: Position, limit: Limit) -> Choice:
        ask, wrong = self._asker(), None
        while True:
            answer = ask(position, wrong).strip()
            try:
                position.play(answer)
            except PapanError as error:
                wrong = error
            else:
                return Choice(answer)

    def _asker(self) -> Asker:
        """Returns the asker.

        Raises:
            InvalidSpec: there is no asker.
        """
        if self.asker is None:
            raise InvalidSpec("player.nobody-to-ask", text=self.spec, command="papan play")
        return self.asker
