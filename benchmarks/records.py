"""Records: a store with a million games: statistics, lists at any place, and adding games.

The store is an SQLite file of the previous schema, which `Store` migrates. Times are processor
times of this process, the minimum of several repetitions.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import cpu_seconds, in_turns, wall_seconds
from papan.records.database import SCRIPTS
from papan.records.model import Record, now
from papan.records.queries import Filters
from papan.records.schema import games
from papan.records.store import BATCH, Store

#: Number of games, and of the games in a tournament.
GAMES = 1_000_000
TOURNAMENT = 1000

#: Share of the games in tournaments; people play the others on the web page.
IN_TOURNAMENTS = 0.6

#: The schema before the aggregate tables.
PREVIOUS = "0004"

#: Maximum times in ms.
MOST_STATISTICS = 100.0
MOST_LOOKUP = 5.0

#: Smallest ratio of games added per second, with the aggregate tables to without them.
LEAST_ADDED = 0.5

_MS = 1000
_MEGABYTES = 1e-6
_SPECS = [
    *("adjacency", "adjacency:rounds=4", "adjacency:rounds=8", "platforms", "platforms:size=6"),
    *("corners", "corners:size=8", "chess", "othello", "hex:size=7", "hex:size=11", "go:size=9"),
]
_PLAYERS = [
    *("random", "greedy", "mcts", "mcts:time=0.1", "engine", "engine:time=0.1"),
    *(f"minimax:depth={depth}" for depth in range(1, 9)),
    *(f"alphabeta:depth={depth}" for depth in range(1, 9)),
    *(f"{name}:visits={visits}" for name in ("mcts", "ucb") for visits in (50, 200, 800, 3200)),
]
_LEVELS = [f"level:{number}" for number in range(1, 9)]
_PEOPLE = 2000
_PLIES = 50

#: Games on a page of a list.
_PAGE = 25

_BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)
_SECONDS_PER_GAME = 30

#: The filters of the lists and counts, by title, but for times.
_FILTERS: dict[str, Filters] = {
    "all games": {},
    "an absent player": {"player": "nobody"},
    "a player": {"player": "minimax:depth=3"},
    "a player with all options": {"player": "mcts"},
    "a person": {"player": "person 77"},
    "a game with all options": {"game": "hex"},
    "a result": {"result": "draw"},
    "unfinished": {"result": "*"},
    "an event": {"event": "tournament 5"},
    "no event": {"event": ""},
    "game, player, result": {"game": "hex", "player": "mcts", "result": "x"},
    "event, player": {"event": "tournament 5", "player": "random"},
    "the last day": {},
    "the second half": {},
    "the second half, game, result": {"game": "hex", "result": "o"},
}


def run(quick: bool) -> Report:
    """Measures the store."""
    number, repetitions = (GAMES // 10, 3) if quick else (GAMES, 5)
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "records.sqlite")
        fill(file, number)
        before = file.stat().st_size
        store, seconds = wall_seconds(lambda: Store(file))
        with store:
            _show_size(report, number, before, file.stat().st_size, seconds)
            _show_reads(report, store, number, repetitions)
            _show_filters(report, store, number, repetitions)
            _show_adding(report, store, file, repetitions)
    return report


def fill(file: Path, number: int) -> None:
    """Creates a store of the previous schema with synthetic games, which break no rule of stores
    but cannot be replayed."""
    config = Config()
    config.set_main_option("script_location", SCRIPTS)
    config.set_main_option("path_separator", "os")
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as empty:
        config.attributes["connection"] = empty
        command.upgrade(config, PREVIOUS)
    engine.dispose()
    names = [column.name for column in games.c if column.name != "number"]
    marks = ", ".join("?" * len(names))
    statement = f"INSERT INTO papan_games ({', '.join(names)}) VALUES ({marks})"
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        rows = ([row[name] for name in names] for row in _rows(number))
        connection.executemany(statement, rows)


def _rows(number: int) -> Iterator[dict[str, Any]]:
    """Yields the rows of synthetic games of the web page and of tournaments, in turns."""
    chance = random.Random(1)
    tournaments = map(_tournament, itertools.count(1), itertools.repeat(chance))
    in_tournaments = itertools.chain.from_iterable(tournaments)
    for index in range(number):
        contested = chance.random() < IN_TOURNAMENTS
        facts = next(in_tournaments) if contested else _of_a_person(chance)
        played = _BEGINNING + timedelta(seconds=_SECONDS_PER_GAME * index)
        yield _row(index, chance, played.isoformat(timespec="seconds")) | facts


def _row(index: int, chance: random.Random, played: str) -> dict[str, Any]:
    """Returns the row of a game but for game, players, event and round."""
    plies = chance.randint(_PLIES // 2, _PLIES * 3 // 2)
    return {
        "id": f"{chance.getrandbits(64):016x}",
        "moves": " ".join(chance.choices(("a1", "b12", "c3xd4", "f8"), k=plies)),
        "result": chance.choices(("x", "o", "draw", "*"), (45, 40, 14, 1))[0],
        "termination": "rules",
        "start": "",
        "detail": "",
        "seconds": " ".join(chance.choices(("0.125", "1.07", "0.003"), k=plies)),
        "seed": str(index),
        "played": played,
        "given": "",
        "exit_code": None,
        "time_control": "",
    }


def _tournament(number: int, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yields game, players, event and round of the games of a tournament of 2 to 8 players."""
    game = chance.choice(_SPECS)
    players = chance.sample(_PLAYERS, chance.randint(2, 8))
    for index, (x, o) in zip(
        range(1, TOURNAMENT + 1), itertools.cycle(itertools.permutations(players, 2)), strict=False
    ):
        yield {"game": game, "x": x, "o": o, "event": f"tournament {number}", "round": index}


def _of_a_person(chance: random.Random) -> dict[str, Any]:
    """Returns game, players, event and round of a game of the web page.

    Few people play much: each with two games and three levels.
    """
    person = int(_PEOPLE * chance.random() ** 2)
    game = _SPECS[(person + chance.randint(0, 1)) % len(_SPECS)]
    sides = [f"person {person}", _LEVELS[(person + chance.randint(0, 2)) % len(_LEVELS)]]
    chance.shuffle(sides)
    return {"game": game, "x": sides[0], "o": sides[1], "event": "", "round": 0}


def _show_size(report: Report, number: int, before: int, after: int, seconds: float) -> None:
    columns = ("games", "file before, MB", "file, MB", "ratio", "migration, s")
    table = Table("Size of the store", columns)
    table.add(number, before * _MEGABYTES, after * _MEGABYTES, after / before, seconds)
    report.tables.append(table)


def _show_reads(report: Report, store: Store, number: int, repetitions: int) -> None:
    ids = [record.id for record in store.find(limit=BATCH)]
    works: dict[str, Callable[[], object]] = {
        "statistics": store.stats,
        "statistics of an absent player": lambda: store.stats(player="nobody"),
        "list of an absent player": lambda: list(store.find(player="nobody")),
        "rounds of one event": lambda: store.rounds("tournament 5"),
        "list at the far end, by key": lambda: _list(store, after=ids[-1]),
        "list at the far end, by offset": lambda: _list(store, offset=number - BATCH),
        "events": store.events,
        "games": store.games,
    }
    times = {title: _least(work, repetitions) for title, work in works.items()}
    table = Table("Reading", ("", "ms"))
    for title, time in times.items():
        table.add(title, time)
    report.tables.append(table)
    report.expect_below("statistics, ms", times["statistics"], MOST_STATISTICS)
    for title in list(times)[1:5]:
        report.expect_below(f"{title}, ms", times[title], MOST_LOOKUP)


def _list(store: Store, *, offset: int = 0, after: str | None = None) -> list[Record]:
    return list(store.find(limit=_PAGE, newest_first=True, offset=offset, after=after))


def _show_filters(report: Report, store: Store, number: int, repetitions: int) -> None:
    table = Table("Filters", ("", "games", "count, ms", "list, ms", "statistics, ms"))
    end = _BEGINNING + timedelta(seconds=_SECONDS_PER_GAME * number)
    since = {
        "the last day": end - timedelta(days=1),
        "the second half": _BEGINNING + (end - _BEGINNING) / 2,
    }
    for title, given in _FILTERS.items():
        filters: Filters = {**given}
        if (start := title.split(",")[0]) in since:
            filters["since"] = since[start]
        page = partial(store.find, limit=_PAGE, newest_first=True, **filters)
        works = (
            partial(store.count, **filters),
            lambda page=page: list(page()),
            partial(store.stats, **filters),
        )
        times = [_least(work, repetitions) for work in works]
        table.add(title, store.count(**filters), *times)
    report.tables.append(table)


def _least(work: Callable[[], object], repetitions: int) -> float:
    """Returns the minimum processor time in ms."""
    return min(cpu_seconds(work)[1] for _ in range(repetitions)) * _MS


def _show_adding(report: Report, store: Store, file: Path, repetitions: int) -> None:
    """Measures the games added per second with the triggers and, as the reference, without them."""
    news = _new_games()

    def in_batches() -> float:
        batch = list(itertools.islice(news, 4 * BATCH))
        return len(batch) / cpu_seconds(lambda: store.add_all(batch))[1]

    def singly() -> float:
        batch = list(itertools.islice(news, BATCH))
        return len(batch) / cpu_seconds(lambda: list(map(store.add, batch)))[1]

    table = Table("Adding games", ("", "games/s", "without aggregates, games/s", "ratio"))
    for title, measure in ((f"in batches of {BATCH}", in_batches), ("one by one", singly)):
        found = in_turns(repetitions, measure, partial(_without_triggers, file, measure))
        ours, theirs = map(max, found)
        table.add(title, ours, theirs, ours / theirs)
        report.expect_least(f"games added {title}, ratio", ours / theirs, LEAST_ADDED)
    report.tables.append(table)


def _new_games() -> Iterator[Record]:
    """Yields records of new tournaments."""
    chance = random.Random(2)
    for number in itertools.count(1):
        for facts in _tournament(number, chance):
            row = _row(number, chance, now()) | facts
            row |= {
                "event": f"new {number}",
                "moves": tuple(row["moves"].split()),
                "seconds": tuple(map(float, row["seconds"].split())),
                "seed": number,
            }
            yield Record(**row)


def _without_triggers(file: Path, measure: Callable[[], float]) -> float:
    """Measures while the store has no triggers; its aggregate tables stay as they are."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        found = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = dict(connection.execute(found).fetchall())
        for name in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        try:
            return measure()
        finally:
            for statement in triggers.values():
                connection.execute(statement)
