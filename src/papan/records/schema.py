"""The tables of a store, and the conversion between records and rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import UnionType
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    MetaData,
    RowMapping,
    Table,
    Text,
    and_,
    func,
    literal_column,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

from papan.errors import RecordError
from papan.records.model import LONGEST_EVENT, LONGEST_ID, Record

#: The newest schema known to this program: the last one in `migrations/versions`.
HEAD = "0005"

#: Table with the version of a store's schema.
VERSION_TABLE = "papan_schema"

_GREATEST_ROUND = 2**63 - 1
_REFUSED = re.compile("[\\\\\x00\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})")


class Lossless(TypeDecorator[str]):
    """Text of any characters, compared code point by code point.

    Characters that databases reject (NUL, lone surrogates, which a hostile engine may write) and
    the backslash itself are stored as `\\uXXXX`.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        """Returns the database's text type; SQLite compares code points by default."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(Text(collation=collation))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Escapes the text for the database."""
        return value and _REFUSED.sub(lambda match: f"\\u{ord(match[0]):04x}", value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Restores the text from the database."""
        if not isinstance(value, str):  # SQLite columns may hold any type; `record` rejects it
            return value
        return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)


def _number(*, autoincrement: bool = True) -> Column[int]:
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column("number", kind, primary_key=True, autoincrement=autoincrement)


def _text(name: str) -> Column[str]:
    return Column(name, Lossless, nullable=False)


def _added_text(name: str) -> Column[str]:
    """Returns a column that old stores lack; their rows get an empty text."""
    return Column(name, Lossless, nullable=False, server_default="")


metadata = MetaData()

#: Games. `number` counts in the order of insertion. The other columns are the fields of `Record`:
#: moves and seconds are separated by spaces, and the seed is decimal text, since it is unbounded.
games = Table(
    "papan_games",
    metadata,
    _number(),
    _text("id"),
    _text("game"),
    _text("x"),
    _text("o"),
    _text("moves"),
    _text("result"),
    _text("termination"),
    _text("start"),
    _text("detail"),
    _text("seconds"),
    _text("seed"),
    _text("event"),
    Column("round", BigInteger, nullable=False),
    _text("played"),
    _added_text("given"),
    Column("exit_code", BigInteger),
    _added_text("time_control"),
)

#: Games in progress on the web page, in the page's own format; `changed` is in seconds since the
#: epoch.
live = Table(
    "papan_live",
    metadata,
    Column("id", Lossless, primary_key=True),
    Column("state", Lossless, nullable=False),
    Column("changed", BigInteger, nullable=False, index=True),
)

#: Browser sessions that played a side of a stored game.
seats = Table(
    "papan_seats",
    metadata,
    Column("session", Lossless, primary_key=True),
    Column("id", Lossless, primary_key=True, index=True),
    Column("side", Lossless, primary_key=True),
)

_FIELDS = [column.name for column in games.c if column.name != "number"]

#: Condition for games that event and round identify. The values are literals in the SQL, because
#: SQLite uses the partial index only for queries in which it sees them.
in_event = and_(games.c.event != literal_column("''"), games.c.round > literal_column("0"))

Index("papan_games_id", games.c.id, unique=True)
Index(
    "papan_games_round",
    games.c.event,
    games.c.round,
    unique=True,
    sqlite_where=in_event,
    postgresql_where=in_event,
)


#: Characters of a name in an index. PostgreSQL limits the size of rows in an index, but names are
#: unbounded.
INDEXED = 100


def start_of(name: ColumnElement[str]) -> ColumnElement[str]:
    """Returns the indexed start of a name.

    The numbers are literals in the SQL, because databases otherwise do not recognise the expression
    of an index.
    """
    first, length = literal_column("1", Integer), literal_column(str(INDEXED), Integer)
    return func.substr(name, first, length, type_=Lossless())


def _counter(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


# Triggers in the database keep the next four tables in step with each change of `papan_games`. Rows
# without games remain.

#: Numbers of games with the same game type, players and result.
totals = Table(
    "papan_totals",
    metadata,
    _number(),
    _text("game"),
    _text("x"),
    _text("o"),
    _text("result"),
    _counter("games"),
    _counter("x_standing"),
    _counter("o_standing"),
)

#: Sums of the totals with the same player on a side: much fewer rows if many people play.
standings = Table(
    "papan_standings",
    metadata,
    _number(),
    _text("game"),
    _text("player"),
    _text("side"),
    _text("result"),
    _counter("games"),
)

#: Numbers of games with the same event, in the order of their first games. An empty name has the
#: games without an event.
events = Table(
    "papan_events", metadata, _number(), _text("name"), _counter("games"), _counter("finished")
)

#: A narrow index of the games: their numbers, the numbers of their rows in `totals` and `events`,
#: and the first 32 characters of `played`, which are a whole time.
entries = Table(
    "papan_entries",
    metadata,
    _number(autoincrement=False),
    _text("played"),
    _counter("total"),
    _counter("event"),
)

Index("papan_totals_x", *(start_of(totals.c[name]) for name in ("x", "o", "game")))
Index("papan_totals_o", start_of(totals.c.o))
Index("papan_totals_game", start_of(totals.c.game))
Index("papan_standings_player", start_of(standings.c.player), start_of(standings.c.game))
Index("papan_events_name", events.c.name, unique=True)
# SQLite has the primary key in each index.
Index("papan_entries_total", entries.c.total, entries.c.played, postgresql_include=["number"])
Index(
    "papan_entries_event",
    *(entries.c[name] for name in ("event", "played", "total")),
    postgresql_include=["number"],
)


def row(record: Record) -> dict[str, Any]:
    """Returns the column values of a record.

    Raises:
        RecordError: a move is not one word, the id or the event's name is too long, or the round is
            out of range.
    """
    _check_length("Id", record.id, LONGEST_ID)
    _check_length("Event", record.event, LONGEST_EVENT)
    for ply, move in enumerate(record.moves, start=1):
        if move.split() != [move]:
            raise RecordError("record.word", ply=ply, text=move)
    if not 0 <= record.round <= _GREATEST_ROUND:
        raise RecordError("record.number", name="Round", text=str(record.round))
    return {name: getattr(record, name) for name in _FIELDS} | {
        "moves": " ".join(record.moves),
        "seconds": " ".join(map(repr, record.seconds)),
        "seed": str(record.seed),
    }


def record(values: RowMapping) -> Record:
    """Returns the record in a row.

    Raises:
        RecordError: the row contains invalid values, for example from another program.
    """
    fields: dict[str, Any] = {name: values[name] for name in _FIELDS}
    for name, value in fields.items():
        if not isinstance(value, _KINDS.get(name, str)):
            raise _odd(values, name)
    for name, read in _READERS.items():
        try:
            fields[name] = read(fields[name])
        except ValueError:
            raise _odd(values, name) from None
    return Record(**fields)


def _odd(values: RowMapping, name: str) -> RecordError:
    """Returns the error for a row with an invalid field."""
    where = {"id": values["id"], "number": values["number"]}
    return RecordError("record.row", **where, name=name, text=repr(values[name])[:_QUOTED])


#: Types of the columns without text. SQLite accepts any type in any column.
_KINDS: dict[str, type | UnionType] = {"round": int, "exit_code": int | None}

#: Fields stored as text, with their parsers.
_READERS: dict[str, Callable[[str], Any]] = {
    "moves": lambda text: tuple(text.split()),
    "seconds": lambda text: tuple(map(float, text.split())),
    "seed": int,
}

#: Maximum number of quoted characters of an invalid value.
_QUOTED = 60


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise RecordError("record.too-long", name=name, most=most)
