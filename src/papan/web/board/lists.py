"""Lists of moves and of games, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papan.core.game import Position
from papan.messages import Messages
from papan.records.model import Record
from papan.web.board.players import level_name


@dataclass(frozen=True)
class ListedMove:
    """A move in the list.

    Attributes:
        number: how many moves had been made when it was.
        side: who made it.
        text: how it is written.
    """

    number: int
    side: str
    text: str


def pair_moves(
    positions: Sequence[Position], moves: Sequence[str]
) -> list[list[ListedMove | None]]:
    """The moves of a game as they were made, `o`'s beside that of `x` before it; where one side
    moves again, None stands for the other's. Nothing without the positions."""
    rows: list[list[ListedMove | None]] = []
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), start=1):
        listed = ListedMove(number, position.side, move)
        if position.side == "x":
            rows.append([listed])
        elif rows and len(rows[-1]) == 1:
            rows[-1].append(listed)
        else:
            rows.append([None, listed])
    return rows


#: Results as messages name them.
_RESULTS = {"x": "x", "o": "o", "draw": "draw"}


@dataclass(frozen=True)
class RecordRow:
    """A game of the list.

    Attributes:
        record: the game.
        x: who played `x`, for people.
        o: who played `o`.
        result: how it ended, in words.
        played: when, to the minute; empty if unknown.
    """

    record: Record
    x: str
    o: str
    result: str
    played: str

    @classmethod
    def of(cls, record: Record, say: Messages) -> RecordRow:
        """A record for people."""
        x, o = (name_player(name, say) for name in (record.x, record.o))
        result = say(f"web.records.result-{_RESULTS.get(record.result, 'none')}")
        return cls(record, x, o, result, record.played[:16].replace("T", " "))


def name_player(name: str, say: Messages) -> str:
    """A player of a record: a level in words, else as it is kept."""
    return level_name(name, say) or encodable(name)


def encodable(text: str) -> str:
    """A text without lone surrogates, which no page can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
