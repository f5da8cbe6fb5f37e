"""The database of a store: opens it, migrates its schema, and converts its errors to one line."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from papan.errors import PapanError, UsageError
from papan.records.schema import HEAD, VERSION_TABLE, metadata

#: Location of the migrations for Alembic.
SCRIPTS = "papan.records:migrations"

#: Timeout in seconds while another process writes.
BUSY_TIMEOUT = 30.0

#: Timeout in seconds for the connection to a server.
CONNECT_TIMEOUT = 5

_SQLITE_HEADER = b"SQLite format 3\0"
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")

#: Advisory lock on a PostgreSQL server during a migration: an arbitrary number.
_MIGRATION_LOCK = 0x706170616E


def default_location() -> str:
    """Returns the default location of the store: `PAPAN_STORE`, or a file in the user's data
    folder.
    """
    import platformdirs

    chosen = os.environ.get("PAPAN_STORE")
    return chosen or str(
        Path(platformdirs.user_data_dir("papan"), "records").with_suffix(".sqlite")
    )


def open_database(where: str, *, create: bool) -> sa.Engine:
    """Opens the database at a path or URL and migrates it to the newest schema.

    A store with a newer schema, or in a read-only place, is opened for reading if it has all tables
    and columns that this program needs.

    Args:
        where: a path, or a URL that begins with `postgresql://` or `sqlite:///`.
        create: True creates a missing file.

    Raises:
        UsageError: the store does not exist and cannot be created, or its schema is too new.
    """
    url = _url(where)
    name = describe_place(url)
    engine = _server(url, name) if url.drivername != "sqlite" else _file(url, name, create)
    try:
        with explain_errors(name):
            _bring_up_to_date(engine, name)
    except BaseException:
        engine.dispose()
        raise
    return engine


def describe_place(url: sa.URL) -> str:
    """Returns a store's location for messages: a path, or a URL without password."""
    if url.drivername == "sqlite":
        return str(url.database)
    return url.render_as_string(hide_password=True).replace("+psycopg", "", 1)


@contextlib.contextmanager
def explain_errors(name: str) -> Iterator[None]:
    """Converts database errors inside the `with` block to a `UsageError` of one line."""
    try:
        yield
    except exc.SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        reason = next((line.strip() for line in str(cause).splitlines() if line.strip()), "?")
        raise UsageError("store.failed", text=name, reason=reason) from error
    except UnicodeDecodeError as error:  # an SQLite message may quote bytes of a damaged file
        raise UsageError("store.no-store", text=name) from error


def _url(where: str) -> sa.URL:
    """Returns the location of a store as a URL."""
    if "://" not in where:
        path = os.path.abspath(os.path.expanduser(where))
        return sa.URL.create("sqlite", database=path)
    try:
        url = sa.make_url(where)
    except (exc.ArgumentError, ValueError):
        raise UsageError("store.url", text=where.partition("://")[0] + "://…") from None
    if url.drivername in _POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database:
        return _url(url.database)
    raise UsageError("store.url", text=describe_place(url))


def _server(url: sa.URL, name: str) -> sa.Engine:
    """Returns the engine of a PostgreSQL server, without connecting yet."""
    wait = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_TIMEOUT}
    try:
        return sa.create_engine(url, pool_pre_ping=True, connect_args=wait)
    except ImportError:
        raise UsageError("store.needs-postgres", text=name) from None


def _file(url: sa.URL, name: str, create: bool) -> sa.Engine:
    """Returns the engine of an SQLite file."""
    path = Path(name)
    try:
        _check_file(path, create)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unwritable", text=name, reason=reason) from None
    # Writing needs a writable folder, too, because SQLite creates its log next to the file.
    if path.exists() and not (_can_be_written(path) and _can_be_written(path.parent)):
        engine = sa.create_engine(url, creator=lambda: _connect_to_read(path))
    else:
        engine = sa.create_engine(url, connect_args={"timeout": BUSY_TIMEOUT})
        sa.event.listen(engine, "connect", _prepare)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _can_be_written(place: Path) -> bool:
    """Returns True if this process may write a file, or create files in a folder."""
    return os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Opens a read-only connection to a file that cannot be written."""
    log = path.with_name(f"{path.name}-wal")
    # In a read-only folder SQLite cannot create a log; `immutable` says that there is none.
    alone = not _can_be_written(path.parent) and not (log.exists() and log.stat().st_size)
    query = "mode=ro&immutable=1" if alone else "mode=ro"
    address = f"{path.absolute().as_uri()}?{query}"
    connection = sqlite3.connect(
        address, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = _text_of
    return connection


def _text_of(text: bytes) -> str:
    # Otherwise one row with invalid UTF-8 would prevent reading all rows.
    return text.decode("utf-8", "replace")


def _check_file(path: Path, create: bool) -> None:
    """Rejects files that are not a store before SQLite opens them; creates the folder of a new
    one."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not create:
            raise UsageError("store.absent", text=str(path)) from None
        path.parent.mkdir(parents=True, exist_ok=True)
        return
    if not stat.S_ISREG(mode):
        raise UsageError("store.no-file", text=str(path))
    with path.open("rb") as file:
        if file.read(len(_SQLITE_HEADER)) not in (b"", _SQLITE_HEADER):
            raise UsageError("store.no-store", text=str(path))


def _prepare(connection: Any, _: object) -> None:
    """Sets up a new connection to a file: write-ahead log and explicit transactions.

    With the log, `synchronous=NORMAL` keeps every transaction if a process is killed. After a power
    failure the last transactions may be missing, but the file is intact.
    """
    connection.isolation_level = None
    connection.text_factory = _text_of
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            break
        except sqlite3.OperationalError as error:
            # Here SQLite ignores its timeout if others open the same new file, so wait ourselves.
            locked = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not locked or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous=NORMAL").close()
    # A statement with triggers has a temporary journal: in a file, adding games is a third slower.
    connection.execute("PRAGMA temp_store=MEMORY").close()


def writing(engine: sa.Engine) -> sa.Engine:
    """Returns the engine for transactions that write.

    SQLite then locks the database at the start of a transaction. A transaction that starts by
    reading could fail at its first write.
    """
    return engine.execution_options(papan_writes=True)


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("papan_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(engine: sa.Engine, name: str) -> None:
    """Runs the missing migrations in one transaction; a newer schema makes the store read-only."""
    with engine.connect() as connection:
        version = _version(connection)
        if version == HEAD:
            return
        if version is not None and version.isdecimal() and version > HEAD:
            _check_can_be_read(connection, name, version)
            _refuse_writing(engine, name, version)
            return
        if version is not None and not version.isdecimal():
            raise UsageError("store.no-store", text=name)
    with writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        version = _version(connection)  # again: another process may have migrated in the meantime
        if version is None and connection.dialect.name == "sqlite":
            _refuse_foreign(connection, name)
        if version != HEAD:
            _migrate(connection)


def _version(connection: sa.Connection) -> str | None:
    """Returns the schema version of the store; None for an empty database."""
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    version = connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return None if version is None else str(version)  # SQLite columns may hold any type


def _check_can_be_read(connection: sa.Connection, name: str, version: str) -> None:
    """Rejects a newer store that lacks a table or column that this program reads."""
    facts = sa.inspect(connection)
    for table in metadata.tables.values():
        known = {column.name for column in table.columns}
        if not facts.has_table(table.name) or not known <= {
            column["name"] for column in facts.get_columns(table.name)
        }:
            raise UsageError("store.newer", text=name, found=version, known=HEAD)


def _refuse_writing(engine: sa.Engine, name: str, version: str) -> None:
    """Makes transactions that write to a newer store fail before they begin."""

    def refuse(connection: sa.Connection) -> None:
        if connection.get_execution_options().get("papan_writes", False):
            raise UsageError("store.newer-written", text=name, found=version, known=HEAD)

    sa.event.listen(engine, "begin", refuse)


def _refuse_foreign(connection: sa.Connection, name: str) -> None:
    """Rejects a file with tables of another program."""
    if sa.inspect(connection).get_table_names():
        raise UsageError("store.no-store", text=name)


def _migrate(connection: sa.Connection) -> None:
    # Imported here: Alembic loads slowly and is needed only for a migration.
    from alembic import command, util
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", SCRIPTS)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except util.CommandError as error:
        raise PapanError(str(error)) from error
