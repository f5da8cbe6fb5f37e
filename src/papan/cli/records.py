"""`papan records …`: lists, shows, replays, counts, exports and imports recorded games."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from papan.cli import completion, parse
from papan.cli.command import Group, command
from papan.cli.options import THEMES, JsonOptions, argument, option
from papan.cli.terminal import (
    EXIT_DONE,
    EXIT_INTERRUPTED,
    Terminal,
    align_columns,
    printable,
    writable,
)
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.messages import Messages
    from papan.records.model import Record
    from papan.records.queries import Filters
    from papan.records.store import Store
    from papan.records.text import BadGame

#: The subcommands in the order of the help page.
COMMANDS = {
    "list": "papan.cli.records:list_",
    "show": "papan.cli.records:show",
    "replay": "papan.cli.records:replay",
    "animate": "papan.cli.records:animate",
    "stats": "papan.cli.records:stats",
    "events": "papan.cli.records:events",
    "export": "papan.cli.records:export",
    "import": "papan.cli.records:import_",
}

records = Group("records", "cli.records", COMMANDS, below="cli.records")


@dataclass(frozen=True, kw_only=True)
class StoreOptions(JsonOptions):
    """Options of all subcommands."""

    store: str | None = option("--store PLACE", "records-store", None, complete=completion.files)


@dataclass(frozen=True, kw_only=True)
class FilterOptions(StoreOptions):
    """Options that select games."""

    game: str | None = option("--game GAME", "of-game", None, complete=completion.games)
    player: str | None = option("--player PLAYER", "of-player", None, complete=completion.players)
    event: str | None = option("--event NAME", "of-event", None)
    result: str | None = option("--result RESULT", "of-result", None, complete=completion.results)
    since: str | None = option("--since DATE", "since", None)

    def filters(self) -> Filters:
        """Returns the filters for the store.

        Raises:
            UsageError: The game is unknown, or the result or time is invalid.
        """
        from papan.records.model import RESULTS
        from papan.usercode import registry

        if self.result is not None:
            parse.choice(self.result, "--result", RESULTS)
        return {
            "game": registry.game(self.game).spec if self.game is not None else None,
            "player": self.player,
            "event": self.event,
            "result": self.result,
            "since": _read_time(self.since) if self.since is not None else None,
        }


@dataclass(frozen=True, kw_only=True)
class ListOptions(FilterOptions):
    """Options of `papan records list`."""

    limit: str = option("--limit N", "limit", "20")
    offset: str = option("--offset N", "offset", "0")
    after: str | None = option("--after ID", "after", None)


@dataclass(frozen=True, kw_only=True)
class StatsOptions(FilterOptions):
    """Options of `papan records stats`."""

    ladder: bool = option("--ladder", "ladder", False)


@dataclass(frozen=True, kw_only=True)
class GameOptions(StoreOptions):
    """Options of `papan records show` and `replay`."""

    id: str = argument("ID", "id")
    game: str | None = option("--game FILE", "game-file", None, complete=completion.files)


@command(ListOptions, "cli.records.list")
def list_(options: ListOptions, terminal: Terminal) -> int:
    """Lists games, newest first."""
    filters = options.filters()
    most = parse.whole(options.limit, "--limit", 0) or None
    first = parse.whole(options.offset, "--offset", 0)
    with open_store(options.store) as store:
        total = store.count(**filters)
        found = store.find(
            limit=most, offset=first, after=options.after, newest_first=True, **filters
        )
        games = list(found)
    if options.as_json:
        terminal.json({"count": total, "games": [record_fields(record) for record in games]})
        return EXIT_DONE
    titles = [terminal.say(f"records.{name}") for name in _COLUMNS]
    print_table(titles, [_cells(record) for record in games], terminal)
    shown = min(len(games), total)
    terminal.note(terminal.say("records.shown", shown=shown, total=total))
    return EXIT_DONE


@command(GameOptions, "cli.records.show")
def show(options: GameOptions, terminal: Terminal) -> int:
    """Shows a recorded game and its last board."""
    record = find_game(options)
    *_, last = record.replay()
    if options.as_json:
        terminal.json({**record_fields(record), "position": str(last)})
        return EXIT_DONE
    _print_headers(record, terminal)
    terminal.line(" ".join(record.moves))
    _print_board(last, record.moves[-1] if record.moves else None, terminal)
    return EXIT_DONE


@command(GameOptions, "cli.records.replay")
def replay(options: GameOptions, terminal: Terminal) -> int:
    """Shows a game move by move."""
    record = find_game(options)
    positions = record.replay()
    if options.as_json:
        terminal.json({**record_fields(record), "positions": list(map(str, positions))})
        return EXIT_DONE
    _print_board(positions[0], None, terminal)
    steps = zip(record.moves, pairwise(positions), strict=True)
    for ply, (move, (before, after)) in enumerate(steps, start=1):
        terminal.line()
        terminal.line(f"{ply}. {before.side}: {move}")
        _print_board(after, move, terminal)
    terminal.line()
    terminal.line(_ending(record, terminal.say))
    return EXIT_DONE


@dataclass(frozen=True, kw_only=True)
class AnimateOptions:
    """Options of `papan records animate`."""

    id: str = argument("ID", "id")
    game: str | None = option("--game FILE", "game-file", None, complete=completion.files)
    theme: str | None = option("--theme NAME", "theme", None, choices=THEMES)
    store: str | None = option("--store PLACE", "records-store", None, complete=completion.files)
    out: str | None = option("--out -o FILE", "output", None, complete=completion.files)


@command(AnimateOptions, "cli.records.animate")
def animate(options: AnimateOptions, terminal: Terminal) -> int:
    """Draws a game as an animated SVG, to a file or to stdout."""
    from papan.figures.board import Style
    from papan.figures.film import game_film

    out = parse.output(options.out, ("svg",))
    record = find_game(GameOptions(id=options.id, game=options.game, store=options.store))
    film = game_film(
        record.replay(),
        record.moves,
        title=f"{record.x} – {record.o}",
        result=_ending(record, terminal.say),
        style=Style(theme=options.theme or "light"),
    )
    terminal.write(film, out, "records.animated")
    return EXIT_DONE


@command(StatsOptions, "cli.records.stats")
def stats(options: StatsOptions, terminal: Terminal) -> int:
    """Prints the wins, draws and losses of each player in each game, or the skills."""
    filters = options.filters()
    with open_store(options.store) as store:
        if options.ladder:
            report = {"count": store.count(**filters), "ladder": _ladder(store, filters)}
            _print_report(report, "ladder", _LADDER, terminal, options.as_json)
            return EXIT_DONE
        standings = [asdict(standing) for standing in store.stats(**filters)]
        total = store.count(**filters)
    report = {"count": total, "players": standings}
    _print_report(report, "players", _STATS, terminal, options.as_json)
    return EXIT_DONE


def _ladder(store: Store, filters: Filters) -> list[dict[str, Any]]:
    """Returns the players of each game, best first."""
    from papan.arena.score import ladders

    return [
        {
            "game": game,
            "player": player,
            "skill": round(standing.mean, 2),
            "deviation": round(standing.deviation, 2),
            "cautious": round(standing.cautious, 2),
        }
        for game, standings in ladders(store.find(**filters)).items()
        for player, standing in standings.items()
    ]


@command(StoreOptions, "cli.records.events")
def events(options: StoreOptions, terminal: Terminal) -> int:
    """Lists matches and tournaments."""
    with open_store(options.store) as store:
        rows = [asdict(event) for event in store.events()]
    _print_report({"events": rows}, "events", _EVENTS, terminal, options.as_json)
    return EXIT_DONE


_COLUMNS = ("id", "played", "game", "x", "o", "result", "plies", "event", "round")
_STATS = ("game", "player", "played-games", "won", "drawn", "lost")
_LADDER = ("game", "player", "skill", "deviation", "cautious")
_EVENTS = ("event", "games", "finished", "first", "last")


def open_store(place: str | None, *, create: bool = False) -> Store:
    """Returns the store at a place, or the default store of the user.

    Args:
        place: a path or URL; a named store must exist unless `create`.
        create: true to create the store.

    Raises:
        UsageError: The store does not exist.
    """
    from papan.records.store import Store

    return Store(place, create=create or place is None)


def _read_time(text: str) -> datetime:
    """Returns a date with an optional time of day, in the local time zone by default."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        expected = "2025-12-31, 2025-12-31T20:15"
        raise UsageError("spec.bad-value", option="--since", text=text, expected=expected) from None


def load_named(game: str | None) -> None:
    """Loads the game of a file for records that name it.

    Raises:
        UsageError: The game does not exist.
    """
    from papan.usercode import registry

    if game is not None:
        registry.game(game)


def find_game(options: GameOptions) -> Record:
    """Returns the game of an id.

    Raises:
        UsageError: The store does not have the game.
    """
    load_named(options.game)
    with open_store(options.store) as store:
        record = store.get(options.id)
        if record is None:
            raise UsageError("records.unknown", text=options.id, store=store.name)
    return record


def record_fields(record: Record) -> dict[str, Any]:
    """Returns the fields of a record for JSON, in text that can be written anywhere."""
    fields = asdict(record)
    id = fields.pop("id")
    return {"id": id, **writable(fields)}


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], terminal: Terminal) -> None:
    """Prints rows below their titles."""
    cells = [[printable(cell) for cell in row] for row in rows]
    for line in align_columns([titles, *cells]):
        terminal.line(line)


def _print_report(
    report: dict[str, Any], rows: str, titles: Sequence[str], terminal: Terminal, as_json: bool
) -> None:
    """Prints a report as JSON, or a part of it as a table."""
    if as_json:
        terminal.json({**report, rows: writable(report[rows])})
        return
    cells = [[str(value) for value in row.values()] for row in report[rows]]
    print_table([terminal.say(f"records.{name}") for name in titles], cells, terminal)


def _cells(record: Record) -> list[str]:
    """Returns the row of a game in a table."""
    number = str(record.round or "")
    known = (record.id, record.played, record.game, record.x, record.o, record.result)
    return [*known, str(len(record.moves)), record.event, number]


def _print_headers(record: Record, terminal: Terminal) -> None:
    """Prints the data of a game without its moves."""
    values = {
        "id": record.id,
        "game": record.game,
        "x": record.x,
        "o": record.o,
        "result": _ending(record, terminal.say),
        "event": record.event,
        "round": str(record.round or ""),
        "played": record.played,
        "start": record.start,
        "given": record.given,
        "exit-code": "" if record.exit_code is None else str(record.exit_code),
        "time-control": record.time_control,
        "printed": " | ".join(record.detail.splitlines()[1:]),
    }
    rows = {terminal.say(f"records.{name}"): value for name, value in values.items() if value}
    terminal.pairs({label: printable(value) for label, value in rows.items()})


def _ending(record: Record, say: Messages) -> str:
    """Returns the result and the termination."""
    sentence = record.detail.partition("\n")[0]
    detail = f": {sentence}" if sentence else ""
    return printable(f"{record.result} ({say.ending(record.termination)}{detail})")


def _print_board(position: Position, last_move: str | None, terminal: Terminal) -> None:
    from papan.figures.terminal_board import text_board

    terminal.show(text_board(position, last_move))


# --- export and import

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
        written = _write_games(store.find(**filters), output)
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
        totals = _import_games(source, store, file, terminal)
    if totals.bad and not totals.games and not totals.interrupted:
        raise UsageError("records.nothing-sound", text=file, bad=totals.bad)
    report = {"file": file, **totals.report()}
    if options.as_json:
        terminal.json(report)
    else:
        terminal.line(terminal.say("records.imported", **report))
    return EXIT_INTERRUPTED if totals.interrupted else EXIT_DONE


@dataclass
class _ImportTotals:
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


def _import_games(source: BinaryIO, store: Store, name: str, terminal: Terminal) -> _ImportTotals:
    """Adds the valid games of a file to a store in batches, and reports the others."""
    from papan.records.store import BATCH

    totals = _ImportTotals()
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
    source: BinaryIO, totals: _ImportTotals, name: str, terminal: Terminal
) -> Iterator[Record]:
    """Yields the valid games of a file with ids; the others are reported and counted."""
    from papan.records.text import BadGame, lines_of, read

    for game in read(lines_of(source)):
        if isinstance(game, BadGame):
            _name_bad(game, totals, name, terminal)
        else:
            yield _with_id(game)


def _name_bad(game: BadGame, totals: _ImportTotals, name: str, terminal: Terminal) -> None:
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


def _write_games(records: Iterable[Record], output: BinaryIO) -> int:
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
        with _open_binary(path, mode) as file:
            yield file
    except OSError as error:
        raise UsageError(message, text=path, reason=error.strerror or str(error)) from None


def _open_binary(path: str, mode: str) -> BinaryIO:
    try:
        return cast(BinaryIO, open(path, mode))
    except ValueError as error:  # a NUL character
        raise OSError(errno.EINVAL, str(error)) from None
