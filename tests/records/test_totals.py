"""The aggregate tables of a store: always in step with its games, whoever changes them."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from papan.errors import RecordError, UsageError
from papan.records import database, queries
from papan.records import store as module
from papan.records.model import Record
from papan.records.schema import games
from papan.records.store import Store
from records.recount import check_in_step
from records.samples import short

DAY = datetime(2025, 6, 1, tzinfo=UTC)
PLAYERS = ["ada", "budi", "mcts", "mcts:visits=9", "mctsx"]


def sample(chance: random.Random) -> Record:
    """A game of a few kinds, often of an event, and sometimes without an end."""
    event = chance.choice(["", "", "cup", "league"])
    return short(
        game=chance.choice(["hex", "hex:size=5", "hexagon", "platforms"]),
        x=chance.choice(PLAYERS),
        o=chance.choice(PLAYERS),
        result=chance.choice(["x", "o", "draw", "*"]),
        event=event,
        round=chance.randint(0, 12) if event else 0,
        played=(DAY + timedelta(hours=chance.randint(-48, 48))).isoformat(),
        id=f"game {chance.randint(1, 40)}",
    )


def change(store: Store, chance: random.Random) -> None:
    """Adds, saves, completes or deletes some games."""
    action = chance.choice(["add", "add all", "save", "save", "delete"])
    try:
        if action == "add":
            store.add(sample(chance))
        elif action == "add all":
            store.add_all(sample(chance) for _ in range(5))
        elif action == "save":
            sessions = {side: chance.choice("ab") for side in "xo" if chance.random() < 0.5}
            store.save(f"game {chance.randint(1, 40)}", sample(chance), sessions)
        else:
            with store._writing() as connection:
                id = f"game {chance.randint(1, 40)}"
                connection.execute(sa.delete(games).where(games.c.id == id))
    except RecordError:
        pass  # the round is another game's


@pytest.mark.parametrize(("seed", "most_sorted"), [(1, 0), (2, 3), (3, queries.MOST_SORTED)])
def test_counts_equal_a_recount_after_any_changes(
    store: Store, monkeypatch: pytest.MonkeyPatch, seed: int, most_sorted: int
) -> None:
    monkeypatch.setattr(queries, "MOST_SORTED", most_sorted)
    monkeypatch.setattr(module, "BATCH", 7)
    chance = random.Random(seed)
    for _ in range(3):
        for _ in range(25):
            change(store, chance)
        check_in_step(store, {"since": DAY}, {"since": DAY, "game": "hex", "event": "cup"})


@pytest.mark.parametrize("since", [None, DAY])
def test_games_of_a_session_are_counted_with_all_other_filters(
    store: Store, since: datetime | None
) -> None:
    chance = random.Random(4)
    owners = {}
    for number in range(60):
        id, owner = f"game {number}", chance.choice("ab")
        record = sample(chance)
        store.save(id, record if not record.event else short(id=id), {"x": owner, "o": owner})
        owners[id] = owner
    for filters in ({}, {"player": "mcts"}, {"event": ""}, {"game": "hex", "result": "x"}):
        others: Any = {**filters, "since": since}
        mine = [one.id for one in store.find(**others) if owners[one.id] == "a"]
        assert [one.id for one in store.find(session="a", **others)] == mine
        assert store.count(session="a", **others) == len(mine)
        played = [one for one in mine if (found := store.get(one)) and found.result != "*"]
        standings = store.stats(session="a", **others)
        assert sum(standing.played for standing in standings) == 2 * len(played)


def test_long_names_are_counted_apart_even_if_they_differ_only_at_the_end(store: Store) -> None:
    long = ["x" * 5000, "x" * 4999 + "y"]
    store.add_all(short(x=name, o=name, game=name, result="x", played=name) for name in long * 2)
    for name in long:
        (standing,) = store.stats(player=name)
        assert (standing.player, standing.game, standing.played) == (name, name, 4)
        assert store.count(game=name) == 2
    assert store.count(player="x" * 4999) == 0


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("filters", [{}, {"player": "mcts"}, {"event": "cup"}, {"since": DAY}])
@pytest.mark.parametrize("most_sorted", [0, queries.MOST_SORTED])
def test_a_list_in_pages_has_each_game_once_although_games_are_added_in_between(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    newest_first: bool,
    filters: Any,
    most_sorted: int,
) -> None:
    monkeypatch.setattr(queries, "MOST_SORTED", most_sorted)
    store.add_all(_of_the_cup(number) for number in range(1, 20))
    before = [one.id for one in store.find(newest_first=newest_first)]
    found: list[str] = []
    while page := list(
        store.find(
            limit=4, after=found[-1] if found else None, newest_first=newest_first, **filters
        )
    ):
        found += [one.id for one in page]
        if len(found) < 12:
            store.add(_of_the_cup(100 + len(found)))
    assert found[: len(before)] == before
    assert len(found) == len(set(found)) == (19 if newest_first else 21)


def _of_the_cup(number: int) -> Record:
    return short(x="mcts", event="cup", round=number, played=DAY.isoformat(), result="x")


def test_a_list_after_an_unknown_game_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="no game 'one' at"):
        list(store.find(after="one"))


def test_a_list_after_a_game_may_also_skip_some(store: Store) -> None:
    store.add_all(short(id=name) for name in "abcdef")
    assert [one.id for one in store.find(after="b", offset=1, limit=2)] == ["d", "e"]
    found = store.find(after="e", offset=1, newest_first=True)
    assert [one.id for one in found] == ["c", "b", "a"]


def test_threads_that_change_the_same_games_keep_the_counts_in_step(place: str) -> None:
    def work(seed: int) -> None:
        chance = random.Random(seed)
        with Store(place) as store:
            for _ in range(40):
                change(store, chance)

    Store(place).close()
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(place) as store:
        assert store.count() > 0
        check_in_step(store)


# --- migration from the previous schema


def upgrade(connection: sa.Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", database.SCRIPTS)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def make_previous(place: str, records: list[Record]) -> None:
    """Makes a store of the previous schema with games that have numbers far apart."""
    engine = sa.create_engine(database._url(place))
    rows = [module._row_of(record) for record in records]
    with engine.begin() as connection:
        upgrade(connection, "0004")
        for number, values in enumerate(rows):
            connection.execute(sa.insert(games), {**values, "number": 1 + number * 10**11})
    engine.dispose()


def samples(number: int) -> list[Record]:
    """Games with different ids and rounds."""
    chance = random.Random(6)
    found = {}
    for _ in range(number):
        record = sample(chance)
        found[record.event, record.round or record.id] = record
    return list({record.id: record for record in found.values()}.values())


def version(place: str) -> str:
    engine = sa.create_engine(database._url(place))
    with engine.connect() as connection:
        found = connection.scalar(sa.text(f"SELECT version_num FROM {database.VERSION_TABLE}"))
    engine.dispose()
    return str(found)


def test_a_store_of_the_previous_schema_is_counted_when_it_is_opened(place: str) -> None:
    make_previous(place, samples(60))
    with Store(place) as store:
        check_in_step(store, {"since": DAY})
        chance = random.Random(7)
        for _ in range(20):
            change(store, chance)
        check_in_step(store, {"since": DAY})


def test_a_store_with_more_games_than_one_statement_copies_is_counted(place: str) -> None:
    make_previous(place, [short(id="first", result="x")])
    engine = sa.create_engine(database._url(place))
    names = ", ".join(f'"{one.name}"' for one in games.c if one.name not in ("number", "id"))
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20001) "
                f"INSERT INTO papan_games (number, id, {names}) "
                f"SELECT i, 'game ' || i, {names} FROM n, papan_games WHERE id = 'first'"
            )
        )
        connection.execute(sa.text("UPDATE papan_games SET number = 10000000000 WHERE number = 9"))
    engine.dispose()
    with Store(place) as store:
        assert store.count() == store.count(player="ada") == 20001
        assert [one.id for one in store.find(newest_first=True, limit=1)] == ["game 9"]


@contextmanager
def interrupted_at(words: str) -> Iterator[None]:
    """Acts like Ctrl-C just before a statement with these words."""

    def interrupt(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if words in statement:
            raise KeyboardInterrupt

    sa.event.listen(sa.Engine, "before_cursor_execute", interrupt)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", interrupt)


@pytest.mark.parametrize("words", ["INSERT INTO papan_entries", "CREATE INDEX papan_entries_event"])
def test_a_migration_that_is_interrupted_loses_nothing(place: str, words: str) -> None:
    records = samples(20)
    make_previous(place, records)
    with interrupted_at(words), pytest.raises(KeyboardInterrupt):
        Store(place)
    assert version(place) == "0004"
    with Store(place) as store:
        assert list(store.find()) == records
        check_in_step(store)


def test_games_of_a_program_with_the_previous_schema_are_counted_too(place: str) -> None:
    make_previous(place, [])
    engine = sa.create_engine(database._url(place))
    with engine.connect() as old:
        old.execute(sa.text("SELECT 1"))
        old.commit()
        Store(place).close()
        old.execute(sa.insert(games), module._row_of(short(result="x")))
        old.commit()
    engine.dispose()
    with Store(place) as store:
        assert store.stats()[0].won == 1
        check_in_step(store)


def test_a_few_games_are_found_by_an_index_in_sqlite(tmp_path: Any) -> None:
    with Store(tmp_path / "records.sqlite") as store:
        store.add_all(samples(60))
        with store._engine.connect() as connection:
            plans = {
                filters: _plan(connection, {filters: value})
                for filters, value in {
                    "player": "mcts",
                    "game": "hex",
                    "event": "cup",
                    "since": DAY,
                    "session": "a",
                }.items()
            }
    for name in ("player", "game"):
        assert "papan_entries USING COVERING INDEX papan_entries_total" in plans[name]
    for name in ("event", "since"):
        assert "papan_entries USING COVERING INDEX papan_entries_event" in plans[name]
    assert "papan_entries USING INTEGER PRIMARY KEY" in plans["session"]
    assert not any("SCAN papan_entries" in plan for plan in plans.values())


def _plan(connection: sa.Connection, filters: Any) -> str:
    query = queries.numbers(connection, filters, newest_first=True, after=10**6)
    compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}")
    return "\n".join(str(row[3]) for row in rows)
