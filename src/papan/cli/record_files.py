"""`papan records export` and `import`: games to and from text files."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from papan.cli import completion
from papan.cli.command import command
from papan.cli.options import argument, option
from papan.cli.records import FilterOptions, StoreOptions, load_named, open_store
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, printable
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.records.model import Record
    from papan.records.store import Store
    from papan.records.text import BadGame

#: Maximum number of invalid games in the JSON report; stderr names all.
MOST_ERRORS = 1000

#: Maximum characters of a reason, because a word in it may be very long.
_LONGEST_REASON = 300

_ID_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class ExportOptions(FilterOptions):
    """Options of `papan records export`."""

    file: str | None = argument("FILE", "output-file", None, complete=completion.files)


@dataclass(frozen=True, kw_only=True)
class ImportOptions(StoreOptions):
    """Options of `papan records import`."""

    file: str = argument("FILE", "file", complete=completion.files)
    game: str | None = option("--game FILE", "game-file", None, complete=completion.files)


@command(ExportOptions, "cli.records.export")
def export(options: ExportOptions, terminal: Terminal) -> int:
    """Writes games as text."""
    if options.as_json and options.file is None:
        raise UsageError("usage.missing", text="FILE", expected="@cli.argument.file")
    filters = options.filters()
    with open_store(options.store) as store, _open_stream(options.file, "wb") as output:
        written = _write(store.find(**filters), output)
    if options.as_json:
        terminal.json({"file": options.file, "games": written})
    else:
        terminal.note(terminal.say("records.exported", games=written))
    return EXIT_DONE


@command(ImportOptions, "cli.records.import")
def import_(options: ImportOptions, terminal: Terminal) -> int:
    """Stores the valid games of a text; on Ctrl-C, those read so far."""
    file = options.file
    load_named(options.game)
    with _open_stream(file, "rb") as source, open_store(options.store, create=True) as store:
        totals = _take_in(source, store, file, terminal)
    if totals.bad and not totals.games and not totals.interrupted:
        raise UsageError("records.nothing-sound", text=file, bad=totals.bad)
    report = {"file": file, **totals.report()}
    if options.as_json:
        terminal.json(report)
    else:
        terminal.line(terminal.say("records.imported", **report))
    return EXIT_INTERRUPTED if totals.interrupted else EXIT_DONE


@dataclass
class _Taken:
    """Counts of the games of a file.

    Attributes:
        games: valid games.
        new: valid games that the store did not have.
        bad: invalid games.
        errors: the first invalid games, with line and reason.
        interrupted: true after Ctrl-C.
    """

    games: int = 0
    new: int = 0
    bad: int = 0
    errors: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False

    def report(self) -> dict[str, Any]:
        """Returns the counts, and the errors if any."""
        counts = {"games": self.games, "new": self.new, "known": self.games - self.new}
        counts["bad"] = self.bad
        interrupted = {"interrupted": True} if self.interrupted else {}
        return {**counts, "errors": self.errors, **interrupted}


def _take_in(source: BinaryIO, store: Store, name: str, terminal: Terminal) -> _Taken:
    """Adds the valid games of a file to a store in batches, and reports the others."""
    from papan.records.store import BATCH

    totals = _Taken()
    batch: list[Record] = []

    def add() -> None:
        totals.new += store.add_all(batch)
        totals.games += len(batch)
        batch.clear()

    try:
        for record in _sound_games(source, totals, name, terminal):
            batch.append(record)
            if len(batch) == BATCH:
                add()
    except KeyboardInterrupt:
        totals.interrupted = True
    add()
    return totals


def _sound_games(
    source: BinaryIO, totals: _Taken, name: str, terminal: Terminal
) -> Iterator[Record]:
    """Yields the valid games of a file with ids; the others are reported and counted."""
    from papan.records.text import BadGame, lines_of, read

    for game in read(lines_of(source)):
        if isinstance(game, BadGame):
            _name_bad(game, totals, name, terminal)
        else:
            yield _with_id(game)


def _name_bad(game: BadGame, totals: _Taken, name: str, terminal: Terminal) -> None:
    reason = printable(terminal.say.explain(game.error)[:_LONGEST_REASON])
    totals.bad += 1
    if totals.bad <= MOST_ERRORS:
        totals.errors.append({"line": game.line, "reason": reason})
    terminal.note(printable(f"{name}:{game.line}: {reason}"))


def _with_id(record: Record) -> Record:
    """Returns the record with an id. A record without id and event gets a digest of its text, so
    that reading a file twice does not duplicate its games."""
    from papan.records.text import write

    if record.id or (record.event and record.round):
        return record
    digest = hashlib.sha256(write(record).encode("utf-8", "surrogatepass"))
    return replace(record, id=digest.hexdigest()[:_ID_DIGITS])


def _write(records: Iterable[Record], output: BinaryIO) -> int:
    """Writes games as text; returns their number."""
    from papan.records.text import write

    written = 0
    for record in records:
        output.write(write(record).encode("utf-8", "replace"))
        written += 1
    return written


@contextlib.contextmanager
def _open_stream(path: str | None, mode: str) -> Iterator[BinaryIO]:
    """Opens a file, closed at the end, or stdout.

    Raises:
        UsageError: The file cannot be opened, read or written.
    """
    if path is None:
        yield sys.stdout.buffer
        return
    message = "usage.unwritable" if mode == "wb" else "usage.unreadable"
    try:
        with _open(path, mode) as file:
            yield file
    except OSError as error:
        raise UsageError(message, text=path, reason=error.strerror or str(error)) from None


def _open(path: str, mode: str) -> BinaryIO:
    try:
        return cast(BinaryIO, open(path, mode))
    except ValueError as error:  # a NUL character
        raise OSError(errno.EINVAL, str(error)) from None
