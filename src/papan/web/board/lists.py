"""Lists of moves and games, as pages show them."""

from __future__ import annotations

import functools
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
        number: the number of moves before it.
        side: the side that made it.
        text: the move as people read it.
    """

    number: int
    side: str
    text: str


@functools.lru_cache(maxsize=4096)
def book_text(position: Position, move: str) -> str:
    """Returns a legal move as people read it."""
    return position.book_line([move])[0]


def pair_moves(
    positions: Sequence[Position], moves: Sequence[str]
) -> list[list[ListedMove | None]]:
    """Returns the moves in rows of `x` and `o`. If a side moves twice, None fills the other column.
    Empty without positions."""
    rows: list[list[ListedMove | None]] = []
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), start=1):
        listed = ListedMove(number, position.side, book_text(position, move))
        if position.side == "x":
            rows.append([listed])
        elif rows and len(rows[-1]) == 1:
            rows[-1].append(listed)
        else:
            rows.append([None, listed])
    return rows


#: Names of results in messages.
_RESULTS = {"x": "x", "o": "o", "draw": "draw"}


@dataclass(frozen=True)
class RecordRow:
    """A game in the list.

    Attributes:
        record: the game.
        x: the player of `x`, for people.
        o: the player of `o`.
        result: the result in words.
        played: date and time to the minute; empty if unknown.
    """

    record: Record
    x: str
    o: str
    result: str
    played: str

    @classmethod
    def of(cls, record: Record, say: Messages) -> RecordRow:
        """Returns the row of a record."""
        x, o = (name_player(name, say) for name in (record.x, record.o))
        result = say(f"web.records.result-{_RESULTS.get(record.result, 'none')}")
        return cls(record, x, o, result, record.played[:16].replace("T", " "))


def name_player(name: str, say: Messages) -> str:
    """Returns the name of a player in a record: a level in words, else the stored name."""
    return level_name(name, say) or encodable(name)


def encodable(text: str) -> str:
    """Returns a text without lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")
