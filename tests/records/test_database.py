"""How a store is found, made, brought up to date, or refused in one line."""

import contextlib
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from papan.errors import UsageError
from papan.records import database
from papan.records.schema import HEAD, VERSION_TABLE, Lossless, metadata
from papan.records.store import Store
from papan.records.text import read
from records.samples import short

DATA = Path(__file__).parents[1] / "data"

#: A later schema: how the next version of Papan might look.
NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"

def upgrade():
    op.add_column("papan_games", sa.Column("opening", sa.Text(), server_default="none"))
    {more}
"""


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Makes this a later version of Papan, with one more migration that also does `more`."""

    def become(more: str = "") -> str:
        folder = tmp_path / "migrations"
        shutil.copytree(Path(database.__file__).parent / "migrations", folder)
        revision = f"{int(HEAD) + 1:04}"
        script = NEXT.format(revision=revision, before=HEAD, more=more)
        (folder / "versions" / "next.py").write_text(script, encoding="utf-8")
        monkeypatch.setattr(database, "SCRIPTS", str(folder))
        monkeypatch.setattr(database, "HEAD", revision)
        return revision

    return become


#: What the first schema had, apart from `number`.
FIRST_COLUMNS = (
    *("id", "game", "x", "o", "moves", "result", "termination", "start", "detail", "seconds"),
    *("seed", "event", "played", "round"),
)


def made_by_the_first_migration(place: str) -> sa.Engine:
    """A store as the first version of the schema had it."""
    url = database._url(place)
    engine = sa.create_engine(url)
    config = Config()
    config.set_main_option("script_location", database.SCRIPTS)
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    return engine


def version_of(place: str) -> str | None:
    with Store(place) as store, store._engine.connect() as connection:
        found: str | None = connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return found


def test_the_newest_migration_is_the_one_that_the_program_knows() -> None:
    config = Config()
    config.set_main_option("script_location", database.SCRIPTS)
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


@pytest.mark.filterwarnings("ignore:.*expression-based index")
def test_the_migrations_make_the_tables_that_the_program_uses(store: Store) -> None:
    def differs(context, in_database, declared, found, expected) -> bool | None:  # type: ignore[no-untyped-def]  # as Alembic calls it
        if not isinstance(expected, Lossless):
            return None  # Alembic finds out
        collation = "C" if context.dialect.name == "postgresql" else None
        return not isinstance(found, sa.Text) or found.collation != collation

    with store._engine.connect() as connection:
        options = {"version_table": VERSION_TABLE, "compare_type": differs}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


def test_a_store_of_the_first_schema_still_opens_with_all_its_games(tmp_path: Path) -> None:
    place = tmp_path / "records.sqlite"
    connection = sqlite3.connect(place)
    connection.executescript((DATA / "store-0001.sql").read_text(encoding="utf-8"))
    connection.close()
    text = (DATA / "store-0001.txt").read_text(encoding="utf-8")
    with Store(place) as store:
        found = list(store.find())
    assert found == list(read(text))
    assert [record.id for record in found] == [record.id for record in read(text)]  # type: ignore[union-attr]  # all are sound


def test_games_of_the_first_schema_get_the_columns_of_the_second(place: str) -> None:
    engine = made_by_the_first_migration(place)
    values: dict[str, object] = dict.fromkeys(FIRST_COLUMNS, "")
    values |= {"moves": "b2", "game": "platforms", "result": "x", "seed": "0", "round": 0}
    marks = ", ".join(f":{name}" for name in values)
    with engine.begin() as connection:
        statement = f"INSERT INTO papan_games ({', '.join(values)}) VALUES ({marks})"
        connection.execute(sa.text(statement), values)
    engine.dispose()
    with Store(place) as store:
        (old,) = store.find()
        assert (old.given, old.exit_code, old.time_control) == ("", None, "")
        new = short(termination="crash", result="x", exit_code=-11, time_control="time=1")
        store.add(new)
        assert list(store.find(newest_first=True, limit=1)) == [new]
    assert version_of(place) == HEAD


def test_an_older_store_is_brought_up_to_date_when_it_is_opened(place: str, later) -> None:
    with Store(place) as store:
        store.add(short(event="cup", round=1))
    revision = later()
    with Store(place) as store:
        assert store.rounds("cup") == set() and store.count() == 1
        with store._engine.connect() as connection:
            assert list(connection.scalars(sa.text("SELECT opening FROM papan_games"))) == ["none"]
    assert version_of(place) == revision


def test_a_new_store_is_made_by_all_migrations(place: str, later) -> None:
    revision = later()
    assert version_of(place) == revision


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    place: str, later, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(place) as store:
        store.add(short())
    later('op.execute("INSERT INTO nothing_of_that_name VALUES (1)")')
    with pytest.raises(UsageError, match="nothing_of_that_name"):
        Store(place)
    monkeypatch.undo()
    assert version_of(place) == HEAD
    with Store(place) as store, store._engine.connect() as connection:
        columns = [column["name"] for column in sa.inspect(connection).get_columns("papan_games")]
        assert "opening" not in columns and store.count() == 1


def test_a_store_of_a_newer_program_is_read_and_not_written(
    place: str, later, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = later()
    with Store(place) as store:
        store.add(short(event="cup", round=1))
    monkeypatch.undo()
    with Store(place) as store:
        assert [game.event for game in store.find()] == ["cup"]
        assert store.count() == 1 and store.events()[0].name == "cup"
        for write in (lambda: store.add(short()), lambda: store.save("id", short())):
            with pytest.raises(UsageError, match=f"schema {revision}, .* {HEAD}; update Papan"):
                write()
        assert store.count() == 1
    assert version_of(place) == revision


def test_a_newer_store_that_lacks_what_this_program_reads_is_refused(
    place: str, later, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = later('op.alter_column("papan_games", "moves", new_column_name="plies")')
    # The later program would know its own columns; this one makes the store and leaves.
    Store(place).close()
    monkeypatch.undo()
    with pytest.raises(UsageError, match=rf"schema {revision}, .*update Papan"):
        Store(place)


@contextlib.contextmanager
def as_anybody() -> Iterator[None]:
    """While inside, this process has no more rights than any user."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("folder_mode", [0o555, 0o755])
def test_a_store_that_cannot_be_written_can_be_read(folder_mode: int) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    place = folder / "records.sqlite"
    try:
        with Store(place) as store:
            store.add(short(event="cup", round=1))
        place.chmod(0o444)
        folder.chmod(folder_mode)
        with as_anybody(), Store(place) as store:
            assert [game.event for game in store.find()] == ["cup"]
            assert store.events()[0].name == "cup" and store.count() == 1
            with pytest.raises(UsageError, match="cannot be used: attempt to write a readonly"):
                store.add(short())
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("[Game]", encoding="utf-8")
    with pytest.raises(UsageError, match=r"games.txt' is not a store"):
        Store(file)
    assert file.read_text(encoding="utf-8") == "[Game]"


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE birds (name)")
    connection.close()
    with pytest.raises(UsageError, match="is not a store"):
        Store(file)
    connection = sqlite3.connect(file)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    connection.close()
    assert tables == ["birds"]


def test_a_damaged_database_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "records.sqlite"
    with Store(file) as store:
        store.add(short())
    file.write_bytes(file.read_bytes()[:100] + b"\xff" * 8000)
    with pytest.raises(UsageError, match="cannot be used: ") as refused:
        Store(file)
    assert "\n" not in str(refused.value)


def test_a_store_is_made_in_an_empty_file_and_in_folders_that_are_not_there_yet(
    tmp_path: Path,
) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    for place in (empty, tmp_path / "new" / "folders" / "records.sqlite"):
        with Store(place) as store:
            assert store.add(short())
            assert store.name == str(place)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "is not a regular file"),
        ("file/records.sqlite", "cannot be written"),
        ("nul\0", "cannot be written"),
        ("pipe", "is not a regular file"),
    ],
)
def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path, path: str, reason: str) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=reason) as refused:
        Store(f"{tmp_path}/{path}")
    assert str(tmp_path) in str(refused.value)


def test_a_store_that_must_be_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there are no records at"):
        Store(tmp_path / "records.sqlite", create=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (
            "mysql://ada:secret@localhost/games",
            "'mysql://ada:.*@localhost/games' is not a valid store",
        ),
        ("postgresql://ada:secret@localhost:port/games", "'postgresql://…' is not a valid store"),
        ("sqlite://", "is not a valid store"),
        ("postgresql://ada:secret@127.0.0.1:1/games", "cannot be used: .*refused"),
    ],
)
def test_a_url_that_leads_nowhere_is_refused_without_telling_the_password(
    url: str, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason) as refused:
        Store(url)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_the_driver_for_postgresql_its_package_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"papan\[postgres\]"):
        Store("postgresql://localhost/games")


def test_a_url_of_a_file_is_the_same_as_its_path(tmp_path: Path) -> None:
    place = tmp_path / "records.sqlite"
    with Store(f"sqlite:///{place}") as store:
        store.add(short())
    with Store(place) as store:
        assert store.count() == 1


def test_without_a_place_the_environment_says_where_or_the_users_data_folder_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_STORE", str(tmp_path / "mine"))
    with Store() as store:
        assert store.name == str(tmp_path / "mine")
    monkeypatch.delenv("PAPAN_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Store() as store:
        assert store.name == str(tmp_path / "papan" / "records.sqlite")


def test_a_server_that_has_cut_the_connection_is_asked_again(place: str) -> None:
    if "://" not in place:
        pytest.skip("a file is not cut off")
    with Store(place) as store, Store(place) as other:
        with store._engine.connect() as connection:
            process = connection.scalar(sa.select(sa.func.pg_backend_pid()))
        with other._engine.connect() as connection:
            assert connection.scalar(sa.select(sa.func.pg_terminate_backend(process, 5000)))
        assert store.add(short())
        assert store.count() == 1


def test_what_goes_wrong_later_is_one_line_too(store: Store) -> None:
    with store._engine.begin() as connection:
        for name in ("games", "entries", "events", "standings"):
            connection.execute(sa.text(f"DROP TABLE papan_{name}"))
    for action in (store.count, store.events, lambda: store.add(short()), lambda: [*store.find()]):
        with pytest.raises(UsageError, match=r"cannot be used: .*papan_") as refused:
            action()
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("version", ["", "no", b"\xff\0", 1.5])
def test_a_store_of_no_known_schema_is_refused_in_one_line(tmp_path: Path, version: object) -> None:
    path = tmp_path / "odd.sqlite"
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = ?", (version,))
    with pytest.raises(UsageError, match="is not a store of records"):
        Store(path)
