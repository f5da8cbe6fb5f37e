"""Players that do not search: any move, the first move, the move of a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from papan.core.game import Game, Position
from papan.errors import InvalidSpec, PapanError
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


#: Shows a position and returns what the person answers. The error says what was wrong with the
#: answer before, if there was one; then the same position is asked about again.
Asker = Callable[[Position, PapanError | None], str]


@dataclass
class HumanPlayer(Player):
    """Asks a person until the answer is a legal move.

    An asker may raise `papan.errors.Resigned` instead of answering. Without one
    it plays no game: the spec `human` means something only where people can be reached, which
    matches and tournaments cannot promise.

    Attributes:
        asker: reaches the person.
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
        """The asker.

        Raises:
            InvalidSpec: there is none.
        """
        if self.asker is None:
            raise InvalidSpec("player.nobody-to-ask", text=self.spec, command="papan play")
        return self.asker
