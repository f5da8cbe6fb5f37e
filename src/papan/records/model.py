"""A game record: all stored facts about a game, and its replay by the rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from papan.core.game import Position
from papan.errors import PapanError, RecordError
from papan.usercode import registry

#: Results in a record: the winner, `draw`, or `*` for an unfinished game.
RESULTS = ("x", "o", "draw", "*")

#: The result of a game that was interrupted or is still running.
UNFINISHED = "*"

#: Maximum number of characters of an event's name and of an id, so that databases can index them.
LONGEST_EVENT = 400
LONGEST_ID = 64

#: Maximum number of stored characters of a player's text: programs may write a lot.
LONGEST_SAYING = 2_000

#: Termination of a game that the rules ended.
BY_RULES = "rules"

#: Termination of a game that an illegal move ended.
BY_ILLEGAL_MOVE = "illegal move"


def now() -> str:
    """Returns the current time in the format of records: ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Record:
    """A finished or interrupted game.

    Attributes:
        game: the spec of the game.
        x: the player of `x`, as a player spec or a person's name.
        o: the player of `o`.
        moves: moves in the game's notation.
        result: one of `RESULTS`.
        termination: how the game ended: `rules`, `illegal move`, `time`, `crash`, …
        start: position line of the first position; empty for the game's start.
        detail: explanation if the rules did not end the game, followed by the last lines that the
            faulty program printed.
        given: the illegal move that ended the game, as the player gave it.
        exit_code: exit status of the program whose crash ended the game, −N for signal N; None if
            there is none.
        time_control: limits of the players in the format of `Conditions.time_control`, for example
            `clock=60+0.6`; empty for none.
        seconds: duration of each move; empty if not measured.
        seed: seed of the players.
        event: name of the match or tournament; empty for none.
        round: number of the game within its event, from 1; 0 for none.
        played: end of the game, ISO 8601 in UTC; empty if unknown.
        id: id in the store; empty if the game is not in a store.
    """

    game: str
    x: str
    o: str
    moves: tuple[str, ...]
    result: str
    termination: str = BY_RULES
    start: str = ""
    detail: str = ""
    given: str = ""
    exit_code: int | None = None
    time_control: str = ""
    seconds: tuple[float, ...] = field(default=(), compare=False)
    seed: int = 0
    event: str = ""
    round: int = 0
    played: str = field(default="", compare=False)
    id: str = field(default="", compare=False)

    def replay(self) -> list[Position]:
        """Returns all positions of the game, including the first one.

        The game of a game file must have been loaded before, for example by `papan.game(path)`:
        records are not trusted, so a record never causes a file to be run.

        Raises:
            RecordError: the game or the start is unknown, a move is illegal, the `given` move is
                legal, a rule in a user's file fails, or the result does not follow from the moves.
                The message names the move and its number.
        """
        try:
            position = registry.known_game(self.game).position(self.start)
        except PapanError as error:
            raise RecordError("record.start", reason=error) from None
        positions = [position]
        for ply, move in enumerate(self.moves, start=1):
            try:
                position = position.play(move)
            except PapanError as error:
                raise RecordError("record.move", ply=ply, reason=error) from None
            positions.append(position)
        self._check_result(position)
        if self.given:
            self._check_given(position)
        return positions

    def _check_result(self, final: Position) -> None:
        """Checks that the result agrees with the rules, if the rules decide the game."""
        if self.result not in RESULTS:
            raise RecordError("record.result", text=self.result, known=", ".join(RESULTS))
        outcome = final.outcome()
        if outcome is None and self.termination == BY_RULES:
            raise RecordError("record.unfinished", text=self.result)
        if outcome is not None and self.result != outcome.value:
            raise RecordError("record.other-result", text=self.result, found=outcome.value)

    def _check_given(self, final: Position) -> None:
        """Checks that the given move is illegal, and that the side that made it lost."""
        if self.termination != BY_ILLEGAL_MOVE:
            raise RecordError("record.given", text=self.given, termination=self.termination)
        try:
            final.play(self.given)
        except PapanError:
            winner = "x" if final.side == "o" else "o"
        else:
            raise RecordError("record.given-legal", text=self.given)
        if self.result != winner:
            raise RecordError("record.other-result", text=self.result, found=winner)
