"""A person, asked for moves by whoever has one at hand: a terminal, a page, a notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from papan.core.game import Game, Position
from papan.errors import InvalidSpec, PapanError
from papan.players.base import Choice, Player
from papan.search.limits import Limit

#: Shows a position and returns what the person answers. The error says what was wrong with the
#: answer before, if there was one; then the same position is asked about again.
Asker = Callable[[Position, PapanError | None], str]


@dataclass
class HumanPlayer(Player):
    """Asks a person until the answer is a legal move.

    An asker may raise `papan.play.table.Resigned` instead of answering. Without one, there is
    nobody to ask: the spec `human` means something only where people can be reached, which
    matches and tournaments cannot promise.

    Attributes:
        asker: reaches the person.
    """

    name = "human"

    asker: Asker | None = field(default=None, repr=False, compare=False)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._reached()

    def choose(self, position: Position, limit: Limit) -> Choice:
        ask, wrong = self._reached(), None
        while True:
            answer = ask(position, wrong).strip()
            try:
                position.play(answer)
            except PapanError as error:
                wrong = error
            else:
                return Choice(answer)

    def _reached(self) -> Asker:
        """The asker.

        Raises:
            InvalidSpec: there is none.
        """
        if self.asker is None:
            raise InvalidSpec("player.nobody-to-ask", text=self.spec, command="papan play")
        return self.asker
