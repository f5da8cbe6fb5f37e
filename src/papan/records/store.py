"""The store of game records: a file of SQLite's, or a PostgreSQL server.

Each change is one transaction: once `add` or `save` has returned, the game survives whatever
happens to this process. Several processes and threads may use one store at the same time.
"""

from __future__ import annotations

import itertools
import secrets
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite

from papan.core.arguments import check_arguments, refuse, within
from papan.errors import RecordError
from papan.records.database import (
    default_location,
    describe_place,
    explain_errors,
    open_database,
    writing,
)
from papan.records.model import UNFINISHED, Record
from papan.records.schema import Lossless, games, in_event, record, row, seats

#: How many games are read, or added by `add_all`, in one transaction.
BATCH = 500

_ID_BYTES = 8
#: More games than any store has: beyond, databases know no numbers.
_MOST_GAMES = 2**53
_VALUES = [column for column in games.c if column.name not in ("number", "id")]


def _adding(insert: sqlite.Insert | postgresql.Insert) -> sa.Insert:
    """Adds a row, unless its id or its event and round are known; counts what was added."""
    return insert.on_conflict_do_nothing().inline().execution_options(preserve_rowcount=True)


def _saving(insert: sqlite.Insert | postgresql.Insert) -> sa.Insert:
    """Adds a row, or replaces the one of its id."""
    values = {column.name: insert.excluded[column.name] for column in _VALUES}
    return insert.on_conflict_do_update(index_elements=[games.c.id], set_=values)


_ADD = {
    "sqlite": _adding(sqlite.insert(games)),
    "postgresql": _adding(postgresql.insert(games)),
}
_SAVE = {
    "sqlite": _saving(sqlite.insert(games)),
    "postgresql": _saving(postgresql.insert(games)),
}

#: What an unfinished game must have in common with a finished one to be replaced by it: event and
#: round where it has both, and else the id.
_SAME_ROUND = sa.and_(
    in_event,
    games.c.event == sa.bindparam("new_event"),
    games.c.round == sa.bindparam("new_round"),
)
_SAME_ID = games.c.id == sa.bindparam("new_id")

_COMPLETE_ROUND, _COMPLETE_ID = (
    sa.update(games)
    .where(games.c.result == UNFINISHED, same)
    .values({column: sa.bindparam(f"new_{column.name}") for column in _VALUES})
    for same in (_SAME_ROUND, _SAME_ID)
)


class RecordWarning(RuntimeWarning):
    """A row of a store is no record; the others can be read."""


class Filters(TypedDict, total=False):
    """Selection of games: those that meet every condition; None is no condition."""

    game: str | None  # the spec, or the name alone for all of its options
    player: str | None  # on either side: the spec, or the name alone for all of its options
    event: str | None
    result: str | None
    since: datetime | None  # played then or later
    session: str | None  # the browser that has played a side


@dataclass(frozen=True)
class Event:
    """A match or tournament in a store.

    Attributes:
        name: what it is called.
        games: how many games it has.
        finished: how many of them have been finished.
        first: when the first one ended, ISO 8601 in UTC.
        last: when the last one ended.
    """

    name: str
    games: int
    finished: int
    first: str
    last: str


@dataclass(frozen=True)
class Standing:
    """Games that a player has won, of those it has finished.

    A player that met itself has played twice.
    """

    game: str
    player: str
    played: int
    won: int
    drawn: int
    lost: int


class Store:
    """Game records in a database.

    A game is identified by event and round if it has both, and else by its id.

    Args:
        where: a path, or a URL; without it, `PAPAN_STORE` or a file of the user's.
        create: whether to make a file that is not there.

    Raises:
        UsageError: there is no store and none can be made, or it is newer than this program.
            The other methods raise it when the database fails.
    """

    @check_arguments
    def __init__(self, where: str | Path | None = None, *, create: bool = True) -> None:
        place = default_location() if where is None else str(where)
        self._engine = open_database(place, create=create)
        self._writer = writing(self._engine)
        self.name = describe_place(self._engine.url)

    @check_arguments
    def add(self, game: Record) -> bool:
        """Adds a game and returns whether that was news.

        A game that is known already stays as it is; but a finished one takes the place of the
        same game unfinished.

        Raises:
            RecordError: the record cannot be stored.
        """
        return bool(self.add_all([game]))

    @check_arguments
    def add_all(self, records: Iterable[Record]) -> int:
        """Adds games, up to `BATCH` in each transaction; returns how many of them were news.

        Raises:
            RecordError: a record cannot be stored; earlier batches have been.
        """
        rows, news = map(_row_of, records), 0
        while batch := list(itertools.islice(rows, BATCH)):
            with self._writing() as connection:
                news += _add(connection, batch)
        return news

    @check_arguments
    def save(self, id: str, game: Record, sessions: Mapping[str, str] | None = None) -> None:
        """Stores the game of that id, in place of what was stored under it before.

        Args:
            id: what it is found by.
            game: the record.
            sessions: the browsers that have played a side, by the side.

        Raises:
            RecordError: the record cannot be stored, or its round is another game's.
        """
        values = row(replace(game, id=id))
        with self._writing() as connection:
            try:
                connection.execute(_SAVE[connection.dialect.name], values)
            except exc.IntegrityError:
                raise RecordError("record.taken", text=game.event, round=game.round) from None
            connection.execute(sa.delete(seats).where(seats.c.id == id))
            played = [
                {"session": session, "id": id, "side": side}
                for side, session in (sessions or {}).items()
            ]
            if played:
                connection.execute(sa.insert(seats), played)

    @check_arguments
    def get(self, id: str) -> Record | None:
        """The game of that id; None if there is none.

        Raises:
            RecordError: its row is no record.
        """
        with self._reading() as connection:
            values = connection.execute(sa.select(games).where(games.c.id == id)).mappings().first()
        return record(values) if values else None

    @check_arguments
    def find(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
        **filters: Unpack[Filters],
    ) -> Iterator[Record]:
        """Yields games in the order in which they came, or the other way round.

        Reads a batch at a time, and holds nothing open in between. A row that is no record is
        left out, with a `RecordWarning`.
        """
        within("offset", offset, 0, _MOST_GAMES)
        within("limit", limit or 0, 0, _MOST_GAMES)
        number = games.c.number
        query = sa.select(games).where(*_conditions(filters))
        query = query.order_by(number.desc() if newest_first else number)
        left, page = limit, query.offset(offset)
        while left is None or left > 0:
            size = BATCH if left is None else min(left, BATCH)
            with self._reading() as connection:
                rows = connection.execute(page.limit(size)).mappings().all()
            yield from _readable(rows)
            if len(rows) < size:
                return
            last = rows[-1]["number"]
            page = query.where(number < last if newest_first else number > last)
            left = left and left - size

    @check_arguments
    def count(self, **filters: Unpack[Filters]) -> int:
        """Number of games."""
        query = sa.select(sa.func.count()).select_from(games).where(*_conditions(filters))
        with self._reading() as connection:
            return connection.scalar(query) or 0

    @check_arguments
    def rounds(self, event: str) -> set[int]:
        """The numbers of the finished games of an event."""
        finished = games.c.result != UNFINISHED
        query = sa.select(games.c.round).where(games.c.event == event, in_event, finished)
        with self._reading() as connection:
            return set(connection.scalars(query))

    def events(self) -> list[Event]:
        """All matches and tournaments, in the order in which they began."""
        query = (
            sa.select(
                games.c.event,
                sa.func.count(),
                sa.func.count(sa.case((games.c.result != UNFINISHED, 1))),
                sa.func.min(games.c.played),
                sa.func.max(games.c.played),
            )
            .where(games.c.event != "")
            .group_by(games.c.event)
            .order_by(sa.func.min(games.c.number))
        )
        with self._reading() as connection:
            return [Event(*values) for values in connection.execute(query)]

    @check_arguments
    def stats(self, **filters: Unpack[Filters]) -> list[Standing]:
        """Results of each player in each game, those with the most won games first."""
        return self._standings(_seen_from("x", "o", filters), _seen_from("o", "x", filters))

    @check_arguments
    def results_of(self, session: str) -> list[Standing]:
        """The won, drawn and lost games of a browser, by game and player that it met."""
        return self._standings(
            _games_of_browser("x", "o", session), _games_of_browser("o", "x", session)
        )

    def _standings(self, *sides: sa.Select[Any]) -> list[Standing]:
        """The sums of what is counted from each side."""
        seen = sa.union_all(*sides).subquery()
        won, drawn, lost = (sa.func.sum(seen.c[name]) for name in ("won", "drawn", "lost"))
        query = (
            sa.select(seen.c.game, seen.c.player, sa.func.count(), won, drawn, lost)
            .group_by(seen.c.game, seen.c.player)
            .order_by(seen.c.game, won.desc(), lost, seen.c.player)
        )
        with self._reading() as connection:
            return [Standing(*values) for values in connection.execute(query)]

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with explain_errors(self.name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """A transaction that is committed at the end, unless something is raised."""
        with explain_errors(self.name), self._writer.begin() as connection:
            yield connection


def _readable(rows: Iterable[sa.RowMapping]) -> Iterator[Record]:
    """The records of rows; a warning for each row that has none."""
    for values in rows:
        try:
            game = record(values)
        except RecordError as error:
            warnings.warn(str(error), RecordWarning, stacklevel=2)
        else:
            yield game


def new_id() -> str:
    """An id that no other game has."""
    return secrets.token_hex(_ID_BYTES)


def _row_of(game: Record) -> dict[str, Any]:
    """The row of a record, with its id or a new one."""
    if not isinstance(game, Record):
        raise refuse("records", game, "Record")
    return row(game if game.id else replace(game, id=new_id()))


def _add(connection: sa.Connection, rows: list[dict[str, Any]]) -> int:
    """Adds rows that are not known, completes games; returns how many rows changed anything."""
    added = connection.execute(_ADD[connection.dialect.name], rows).rowcount
    if added == len(rows):
        return added
    completed = 0
    for values in rows:
        if values["result"] != UNFINISHED:
            complete = _COMPLETE_ROUND if values["event"] and values["round"] else _COMPLETE_ID
            new = {f"new_{name}": value for name, value in values.items()}
            completed += connection.execute(complete, new).rowcount
    return added + completed


def _has_name(column: sa.ColumnElement[str], name: str) -> sa.ColumnElement[bool]:
    """Condition that a spec is `name`, or `name` with options."""
    start = sa.literal(f"{name}:", Lossless)
    return sa.or_(column == name, sa.func.substr(column, 1, sa.func.length(start)) == start)


#: What each filter asks of a row.
_CONDITIONS: dict[str, Callable[[Any], sa.ColumnElement[bool]]] = {
    "game": lambda name: _has_name(games.c.game, name),
    "player": lambda name: sa.or_(_has_name(games.c.x, name), _has_name(games.c.o, name)),
    "event": lambda name: games.c.event == name,
    "result": lambda result: games.c.result == result,
    "since": lambda time: games.c.played >= _iso(time),
    "session": lambda session: games.c.id.in_(
        sa.select(seats.c.id).where(seats.c.session == session)
    ),
}


def _iso(time: datetime) -> str:
    """A time as records have it."""
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _conditions(filters: Filters) -> list[sa.ColumnElement[bool]]:
    return [_CONDITIONS[name](value) for name, value in filters.items() if value is not None]


def _seen_from(side: str, other: str, filters: Filters) -> sa.Select[Any]:
    """Each finished game as a win, draw or loss of the player of one side."""
    query = sa.select(games.c.game, games.c[side].label("player"), *_ends(side, other))
    return query.where(games.c.result != UNFINISHED, *_conditions(filters))


def _games_of_browser(side: str, other: str, session: str) -> sa.Select[Any]:
    """Each finished game in which a browser had one side, with the player of the other."""
    query = sa.select(games.c.game, games.c[other].label("player"), *_ends(side, other))
    mine = (seats.c.session == session, seats.c.side == side)
    return query.join(seats, seats.c.id == games.c.id).where(games.c.result != UNFINISHED, *mine)


def _ends(side: str, other: str) -> list[sa.Label[int]]:
    """The end of a game for a side: 1 in one of three columns."""
    ends = {"won": side, "drawn": "draw", "lost": other}
    return [
        sa.case((games.c.result == result, 1), else_=0).label(name) for name, result in ends.items()
    ]
