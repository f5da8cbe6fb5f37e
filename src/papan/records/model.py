"""A game record: everything that is kept of a game, and its replay by the rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from papan.core.game import Position
from papan.errors import PapanError, RecordError
from papan.usercode import registry

#: How a record says who won: the side, `draw`, or `*` for a game broken off.
RESULTS = ("x", "o", "draw", "*")

#: The result of a game broken off or still going on.
UNFINISHED = "*"

#: Characters in the name of an event, and in an id, so that any database can index them.
LONGEST_EVENT = 400
LONGEST_ID = 64

#: Characters of what a player said that are kept: a program may have written a lot.
LONGEST_SAYING = 2_000

#: The termination of a game that the rules ended.
BY_RULES = "rules"

#: The termination of a game that ended with a move that the rules do not allow.
BY_ILLEGAL_MOVE = "illegal move"


def now() -> str:
    """The time of day as records have it: ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Record:
    """A finished or broken-off game.

    Attributes:
        game: the spec of the game.
        x: who played `x`, as a player spec or a person's name.
        o: who played `o`.
        moves: in the game's notation.
        result: one of `RESULTS`.
        termination: how it ended: `rules`, `illegal move`, `time`, `crash`, …
        start: the position line it started from; empty for the game's start.
        detail: what exactly happened, where the rules did not end the game; below that line the
            last ones that the program at fault has printed.
        given: the illegal move that ended the game, as the player gave it.
        exit_code: the exit status of the program whose crash ended the game, −N for signal N;
            None if there is none.
        time_control: what the players had to keep to, in the words of `TimeControl` of the arena:
            `clock=60+0.6`; empty for nothing.
        seconds: how long each move took; empty where it was not measured.
        seed: what the players were seeded with.
        event: the match or tournament it belongs to; empty for none.
        round: the number of the game within its event, from 1; 0 for none.
        played: when it ended, ISO 8601 in UTC; empty if not known.
        id: what a store knows it by; empty before it is in one.
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
        """All positions of the game, the first one included.

        A game in a file must have been loaded before, as by `papan.game(path)`: a record may
        come from anywhere, and has no file run.

        Raises:
            RecordError: the game or the start is unknown, a move is not legal, the one that is
                said to be illegal is, a rule of a user's file fails, or the result does not follow
                from the moves; names the move and its number.
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
        """Holds the result against the rules, as far as these decide it."""
        if self.result not in RESULTS:
            raise RecordError("record.result", text=self.result, known=", ".join(RESULTS))
        outcome = final.outcome()
        if outcome is None and self.termination == BY_RULES:
            raise RecordError("record.unfinished", text=self.result)
        if outcome is not None and self.result != outcome.value:
            raise RecordError("record.other-result", text=self.result, found=outcome.value)

    def _check_given(self, final: Position) -> None:
        """Checks by the rules that the move is illegal, and that the side that made it lost."""
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
