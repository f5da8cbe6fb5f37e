"""The store of game records: an SQLite file or a PostgreSQL server.

Each change is one transaction: after `add` or `save` has returned, the game survives a crash of
this process. Several processes and threads may use one store at the same time.
"""

from __future__ import annotations

import itertools
import secrets
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite

from papan.core.arguments import check_arguments, refuse, within
from papan.errors import RecordError, UsageError
from papan.records import queries
from papan.records.database import (
    default_location,
    describe_place,
    explain_errors,
    open_database,
    writing,
)
from papan.records.model import UNFINISHED, Record
from papan.records.queries import Filters
from papan.records.schema import entries, events, games, in_event, record, row, seats, standings

#: Maximum number of games read or added by `add_all` in one transaction.
BATCH = 500

_ID_BYTES = 8
#: Upper limit of offsets and limits, far above the size of any store.
_MOST_GAMES = 2**53
_VALUES = [column for column in games.c if column.name not in ("number", "id")]


def _saving(insert: sqlite.Insert | postgresql.Insert) -> sa.Insert:
    """Inserts a row, or replaces the row with the same id."""
    values = {column.name: insert.excluded[column.name] for column in _VALUES}
    return insert.on_conflict_do_update(index_elements=[games.c.id], set_=values)


#: Inserts rows unless their ids, or their events and rounds, exist. PostgreSQL returns numbers, so
#: that SQLAlchemy inserts many rows by one statement, for which the triggers there are fast.
_ADD: dict[str, sa.Executable] = {
    "sqlite": sqlite.insert(games)
    .on_conflict_do_nothing()
    .inline()
    .execution_options(preserve_rowcount=True),
    "postgresql": postgresql.insert(games).on_conflict_do_nothing().returning(games.c.number),
}
_SAVE = {
    "sqlite": _saving(sqlite.insert(games)),
    "postgresql": _saving(postgresql.insert(games)),
}

#: Conditions under which a finished game replaces an unfinished one: the same event and round if it
#: has both, else the same id.
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
    """Warns about a row of a store that is not a valid record."""


@dataclass(frozen=True)
class Event:
    """A match or tournament in a store.

    Attributes:
        name: name of the event.
        games: number of games.
        finished: number of finished games.
        first: end of the earliest game, ISO 8601 in UTC.
        last: end of the latest game, ISO 8601 in UTC.
    """

    name: str
    games: int
    finished: int
    first: str
    last: str


@dataclass(frozen=True)
class Standing:
    """Results of a player in the finished games of one game type.

    A game of a player against itself counts twice.
    """

    game: str
    player: str
    played: int
    won: int
    drawn: int
    lost: int


class Store:
    """A database of game records.

    A game is identified by event and round if it has both, else by its id.

    Args:
        where: path or URL; by default `PAPAN_STORE` or a file in the user's data folder.
        create: True creates a missing file.

    Raises:
        UsageError: the store does not exist and cannot be created, or its schema is too new. All
            methods raise this error if the database fails.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with papan.Store(folder + "/games.sqlite") as store:
        ...         store.count()
        0
    """

    @check_arguments
    def __init__(self, where: str | Path | None = None, *, create: bool = True) -> None:
        place = default_location() if where is None else str(where)
        self._engine = open_database(place, create=create)
        self._writer = writing(self._engine)
        self.name = describe_place(self._engine.url)

    @check_arguments
    def add(self, game: Record) -> bool:
        """Adds a game; returns True if it was new.

        A known game stays unchanged, but a finished game replaces the same unfinished one.

        Raises:
            RecordError: the record cannot be stored.
        """
        return bool(self.add_all([game]))

    @check_arguments
    def add_all(self, records: Iterable[Record]) -> int:
        """Adds games in transactions of up to `BATCH` games; returns the number of new games.

        Raises:
            RecordError: a record cannot be stored. Earlier batches are kept.
        """
        rows, news = map(_row_of, records), 0
        while batch := list(itertools.islice(rows, BATCH)):
            with self._writing() as connection:
                news += _add(connection, batch)
        return news

    @check_arguments
    def save(self, id: str, game: Record, sessions: Mapping[str, str] | None = None) -> None:
        """Stores a game under an id; replaces an earlier game with that id.

        Args:
            id: id of the game.
            game: the record.
            sessions: side → browser session that played it.

        Raises:
            RecordError: the record cannot be stored, or another game has its event and round.
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
        """Returns the game with an id; None if it does not exist.

        Raises:
            RecordError: the row is not a valid record.
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
        after: str | None = None,
        newest_first: bool = False,
        **filters: Unpack[Filters],
    ) -> Iterator[Record]:
        """Yields games in the order of insertion, or in reverse order.

        Reads in batches and keeps no transaction open between them. Invalid rows are skipped with a
        `RecordWarning`.

        Args:
            limit: maximum number of games; None for all.
            offset: number of games to skip; slow if large.
            after: id of the game before the first one, for example the last one of a list; None to
                begin with the first game.
            newest_first: True reverses the order.
            filters: see `Filters`.

        Raises:
            UsageError: the store has no game with the id `after`.
        """
        within("offset", offset, 0, _MOST_GAMES)
        within("limit", limit or 0, 0, _MOST_GAMES)
        last = None if after is None else self._number_of(after)
        left, skip = limit, offset
        while left is None or left > 0:
            size = BATCH if left is None else min(left, BATCH)
            with self._reading() as connection:
                page = queries.numbers(connection, filters, newest_first=newest_first, after=last)
                found = connection.scalars(page.limit(size).offset(skip)).all()
                rows = _rows_of(connection, found)
            yield from _readable(rows)
            if len(found) < size:
                return
            last, skip = found[-1], 0
            left = left and left - size

    @check_arguments
    def count(self, **filters: Unpack[Filters]) -> int:
        """Returns the number of games."""
        with self._reading() as connection:
            return queries.count(connection, filters)

    @check_arguments
    def rounds(self, event: str) -> set[int]:
        """Returns the round numbers of the finished games of an event."""
        unfinished = queries.numbers_of_unfinished(event)
        query = sa.select(games.c.round).where(games.c.event == event, in_event)
        with self._reading() as connection:
            return set(connection.scalars(query.where(games.c.number.not_in(unfinished))))

    def games(self) -> list[str]:
        """Returns the specs of all games that were played, in alphabetical order."""
        query = sa.select(standings.c.game).where(standings.c.games > 0).distinct()
        with self._reading() as connection:
            return list(connection.scalars(query.order_by(standings.c.game)))

    def events(self) -> list[Event]:
        """Returns all matches and tournaments, in the order of their first games."""
        in_row = sa.select(entries.c.played).where(entries.c.event == events.c.number)
        first, last = (
            in_row.with_only_columns(extreme(entries.c.played)).scalar_subquery()
            for extreme in (sa.func.min, sa.func.max)
        )
        query = sa.select(events.c.name, events.c.games, events.c.finished, first, last)
        query = query.where(events.c.name != "", events.c.games > 0).order_by(events.c.number)
        with self._reading() as connection:
            return [Event(*values) for values in connection.execute(query)]

    @check_arguments
    def stats(self, **filters: Unpack[Filters]) -> list[Standing]:
        """Returns the results of each player in each game, sorted by number of wins."""
        with self._reading() as connection:
            query = queries.standings(connection, filters)
            return [Standing(*values) for values in connection.execute(query)]

    @check_arguments
    def results_of(self, session: str) -> list[Standing]:
        """Returns the results of a browser session, by game and opponent."""
        with self._reading() as connection:
            return [Standing(*values) for values in connection.execute(queries.results_of(session))]

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _number_of(self, id: str) -> int:
        with self._reading() as connection:
            number: int | None = connection.scalar(
                sa.select(games.c.number).where(games.c.id == id)
            )
        if number is None:
            raise UsageError("records.unknown", text=id, store=self.name)
        return number

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with explain_errors(self.name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """Opens a transaction that is committed at the end, or rolled back after an exception."""
        with explain_errors(self.name), self._writer.begin() as connection:
            yield connection


def _rows_of(connection: sa.Connection, numbers: Sequence[int]) -> list[sa.RowMapping]:
    """Returns the rows of games in the order of their numbers."""
    found = connection.execute(sa.select(games).where(games.c.number.in_(numbers))).mappings()
    rows = {values["number"]: values for values in found}
    return [rows[number] for number in numbers if number in rows]


def _readable(rows: Iterable[sa.RowMapping]) -> Iterator[Record]:
    """Yields the records of rows; warns about each invalid row."""
    for values in rows:
        try:
            game = record(values)
        except RecordError as error:
            warnings.warn(str(error), RecordWarning, stacklevel=2)
        else:
            yield game


def new_id() -> str:
    """Returns a new random id."""
    return secrets.token_hex(_ID_BYTES)


def _row_of(game: Record) -> dict[str, Any]:
    """Returns the row of a record; adds an id if the record has none."""
    if not isinstance(game, Record):
        raise refuse("records", game, "Record")
    return row(game if game.id else replace(game, id=new_id()))


def _add(connection: sa.Connection, rows: list[dict[str, Any]]) -> int:
    """Inserts new games and replaces unfinished ones; returns the number of changed rows."""
    result = connection.execute(_ADD[connection.dialect.name], rows)
    added = len(result.all()) if result.returns_rows else result.rowcount
    if added == len(rows):
        return added
    completed = 0
    for values in rows:
        if values["result"] != UNFINISHED:
            complete = _COMPLETE_ROUND if values["event"] and values["round"] else _COMPLETE_ID
            new = {f"new_{name}": value for name, value in values.items()}
            completed += connection.execute(complete, new).rowcount
    return added + completed
