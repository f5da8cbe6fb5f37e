"""Queries for the games that meet filters, which stay fast in stores with millions of games.

Filters are conditions on four things: totals (game, player and result), event, time and session.
One of them finds the games by an index of `entries`: the one with the fewest games. The others only
check these games. A list with many games is not sorted, but found by walking along all games in
their order.
"""

from __future__ import annotations

from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, TypedDict

import sqlalchemy as sa

from papan.records import schema
from papan.records.model import UNFINISHED
from papan.records.schema import Lossless, entries, events, games, seats, start_of, totals

#: Maximum number of games that are sorted for a list (about 5 ms).
MOST_SORTED = 20_000

#: Adding this to a column keeps databases from using its index, whose cost they misjudge.
_ZERO = sa.literal_column("0", sa.BigInteger)

_LAST_CHARACTER = sa.literal("\U0010ffff", Lossless)


class Filters(TypedDict, total=False):
    """Filters of games. A game must meet all of them; None means no condition."""

    game: str | None  # spec, or only the name for all options
    player: str | None  # player of either side: spec, or only the name for all options
    event: str | None
    result: str | None
    since: datetime | None  # earliest time of the game's end
    session: str | None  # browser session that played a side


def count(connection: sa.Connection, filters: Filters) -> int:
    """Returns the number of games that meet the filters."""
    if _need_entries(filters):
        index, _ = _best_index(connection, filters)
        query = sa.select(sa.func.count()).select_from(entries).where(*_conditions(filters, index))
        return connection.scalar(query) or 0
    if _is_given("event", filters):
        return _size_of_event(connection, filters)
    return _size_of_totals(connection, filters)


def numbers(
    connection: sa.Connection, filters: Filters, *, newest_first: bool, after: int | None
) -> sa.Select[int]:
    """Selects the numbers of the games that meet the filters, in the order of insertion.

    Args:
        connection: used to choose an index.
        filters: conditions.
        newest_first: True reverses the order.
        after: game before the first one in this order; None for no limit.
    """
    index = _index_to_sort(connection, filters)
    number = entries.c.number + _ZERO if index else entries.c.number
    query = sa.select(entries.c.number).where(*_conditions(filters, index))
    if after is not None:
        query = query.where(number < after if newest_first else number > after)
    return query.order_by(number.desc() if newest_first else number)


def numbers_of_unfinished(event: str) -> sa.Select[int]:
    """Selects the numbers of the unfinished games of an event."""
    where = _conditions({"event": event, "result": UNFINISHED}, "event")
    return sa.select(entries.c.number).where(*where)


def standings(connection: sa.Connection, filters: Filters) -> sa.Select[Any]:
    """Selects game, player and results of each player in each game."""
    kept = schema.standings
    query = sa.select(kept.c.game, kept.c.player, kept.c.side, kept.c.result)
    if any(_is_given(name, filters) for name in ("player", "event", "since", "session")):
        counted = _count_by_standing(connection, filters)
        query = query.join(counted, counted.c.number == kept.c.number)
        return _sum_results(query.add_columns(counted.c.games))
    query = query.add_columns(kept.c.games)
    return _sum_results(query.where(*_on_game_and_result(kept, filters)))


def results_of(session: str) -> sa.Select[Any]:
    """Selects game, opponent and results of a browser session, as seen by the session."""
    opponent = sa.case((seats.c.side == "x", games.c.o), else_=games.c.x).label("player")
    one = sa.literal_column("1", sa.BigInteger).label("games")
    query = sa.select(games.c.game, opponent, seats.c.side, games.c.result, one)
    query = query.join(seats, seats.c.id == games.c.id)
    return _sum_results(query.where(seats.c.session == session))


def _is_given(name: str, filters: Filters) -> bool:
    return filters.get(name) is not None


def _need_entries(filters: Filters) -> bool:
    """Returns True unless the sums of `totals` or `events` answer the filters."""
    both = _is_given("event", filters) and bool(_on_totals(filters))
    return both or _is_given("since", filters) or _is_given("session", filters)


def _on_totals(filters: Filters) -> list[sa.ColumnElement[bool]]:
    """Returns the conditions on the rows of `totals`."""
    conditions = _on_game_and_result(totals, filters)
    if (player := filters.get("player")) is not None:
        conditions.append(sa.or_(_has_name(totals.c.x, player), _has_name(totals.c.o, player)))
    return conditions


def _on_game_and_result(table: sa.Table, filters: Filters) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = []
    if (game := filters.get("game")) is not None:
        conditions.append(_has_name(table.c.game, game))
    if (result := filters.get("result")) is not None:
        conditions.append(table.c.result == result)
    return conditions


def _has_name(column: sa.ColumnElement[str], name: str) -> sa.ColumnElement[bool]:
    """Returns the condition that a spec is `name`, with or without options."""
    options = sa.literal(f"{name}:", Lossless)
    start = sa.func.substr(column, 1, sa.func.length(options), type_=Lossless())
    # The index finds all names that begin with `name`.
    least = start_of(sa.literal(name, Lossless))
    near = start_of(column).between(least, least.concat(_LAST_CHARACTER))
    return sa.and_(near, sa.or_(column == name, start == options))


def _conditions(filters: Filters, index: str) -> list[sa.ColumnElement[bool]]:
    """Returns the conditions on the rows of `entries`; only that on the column `index` is in a form
    for which databases use an index."""

    def column(name: str) -> sa.ColumnElement[Any]:
        return entries.c[name] if name == index else entries.c[name] + _ZERO

    conditions: list[sa.ColumnElement[bool]] = []
    if index == "total":
        numbers = sa.select(totals.c.number).where(*_on_totals(filters))
        conditions.append(entries.c.total.in_(numbers))
    elif on_totals := _on_totals(filters):
        # Unlike a list of numbers, this reads only the totals of the games that are checked.
        conditions.append(sa.exists().where(totals.c.number == entries.c.total, *on_totals))
    if index == "event" or filters.get("event") is not None:
        named = sa.select(events.c.number).where(*_on_events(filters))
        conditions.append(column("event").in_(named))
    if (since := filters.get("since")) is not None:
        conditions.append(entries.c.played >= _iso(since))
    if (session := filters.get("session")) is not None:
        mine = sa.select(games.c.number).join(seats, seats.c.id == games.c.id)
        conditions.append(column("number").in_(mine.where(seats.c.session == session)))
    return conditions


def _on_events(filters: Filters) -> list[sa.ColumnElement[bool]]:
    name = filters.get("event")
    return [] if name is None else [events.c.name == name]


def _iso(time: datetime) -> str:
    """Returns a time in the format of records."""
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _best_index(connection: sa.Connection, filters: Filters) -> tuple[str, int]:
    """Returns the column of `entries` whose index finds the fewest games, and their number.

    Without filters the column is empty. A browser session has few games, which are not counted.
    """
    if _is_given("session", filters):
        return "number", 0
    sizes: dict[str, int] = {}
    if _on_totals(filters):
        sizes["total"] = _size_of_totals(connection, filters)
    if _is_given("event", filters):
        sizes["event"] = _size_of_event(connection, filters)
    if not sizes and _is_given("since", filters):
        sizes["event"] = _size_of_totals(connection, filters)  # events have the fewest rows
    return min(sizes.items(), key=itemgetter(1), default=("", 0))


def _index_to_sort(connection: sa.Connection, filters: Filters) -> str:
    """Returns the column whose index finds at most `MOST_SORTED` games; empty if none does."""
    index, size = _best_index(connection, filters)
    if size > MOST_SORTED and _is_given("since", filters):
        some = sa.select(entries.c.number).where(*_conditions(filters, index))
        query = sa.select(sa.func.count()).select_from(some.limit(MOST_SORTED + 1).subquery())
        size = connection.scalar(query) or 0
    return index if size <= MOST_SORTED else ""


def _size_of_totals(connection: sa.Connection, filters: Filters) -> int:
    """Returns the number of games with a game, player and result."""
    kept = schema.standings
    if _is_given("player", filters):
        query = sa.select(sa.func.sum(totals.c.games)).where(*_on_totals(filters))
    else:  # fewer rows
        query = sa.select(sa.func.sum(kept.c.games)).where(
            kept.c.side == "x", *_on_game_and_result(kept, filters)
        )
    return int(connection.scalar(query) or 0)


def _size_of_event(connection: sa.Connection, filters: Filters) -> int:
    # A sum, because columns of a damaged SQLite file may hold any type.
    query = sa.select(sa.func.sum(events.c.games)).where(*_on_events(filters))
    return int(connection.scalar(query) or 0)


def _count_by_standing(connection: sa.Connection, filters: Filters) -> sa.Subquery:
    """Returns the games that meet the filters: number of the standing, and number of games."""
    counted = _count_by_total(connection, filters).cte()
    sides = (
        sa.select(side.label("number"), counted.c.games).join(
            counted, counted.c.number == totals.c.number
        )
        for side in (totals.c.x_standing, totals.c.o_standing)
    )
    both = sa.union_all(*sides).subquery()
    query = sa.select(both.c.number, sa.func.sum(both.c.games).label("games"))
    return query.group_by(both.c.number).subquery()


def _count_by_total(connection: sa.Connection, filters: Filters) -> sa.Select[Any]:
    """Selects the games that meet the filters: number of the total, and number of games."""
    if not _need_entries(filters) and not _is_given("event", filters):
        return sa.select(totals.c.number, totals.c.games).where(*_on_totals(filters))
    where = _conditions(filters, _best_index(connection, filters)[0])
    query = sa.select(entries.c.total.label("number"), sa.func.count().label("games"))
    return query.where(*where).group_by(entries.c.total)


def _sum_results(query: sa.Select[Any]) -> sa.Select[Any]:
    """Selects the results of players, sorted by number of wins.

    Args:
        query: game, player, side, result and number of games.
    """
    seen = query.subquery()
    other = sa.case((seen.c.side == "x", "o"), else_="x")
    ends = sa.true(), seen.c.result == seen.c.side, seen.c.result == "draw", seen.c.result == other
    played, won, drawn, lost = (
        sa.cast(sa.func.sum(sa.case((end, seen.c.games), else_=0)), sa.BigInteger) for end in ends
    )
    return (
        sa.select(seen.c.game, seen.c.player, played, won, drawn, lost)
        .where(seen.c.result != UNFINISHED, seen.c.games > 0)
        .group_by(seen.c.game, seen.c.player)
        .order_by(seen.c.game, won.desc(), lost, seen.c.player)
    )
