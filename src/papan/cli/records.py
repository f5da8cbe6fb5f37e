"""`papan records …`: lists, shows, replays and counts recorded games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli import completion
from papan.cli.command import Group, command
from papan.cli.options import (
    THEMES,
    JsonOptions,
    argument,
    option,
    read_choice,
    read_output,
    read_whole,
)
from papan.cli.terminal import EXIT_DONE, Terminal, align_columns, printable, writable
from papan.errors import UsageError, naming
from papan.whole_files import write_whole

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.messages import Messages
    from papan.records.model import Record
    from papan.records.queries import Filters
    from papan.records.store import Store

#: The subcommands in the order of the help page.
COMMANDS = {
    "list": "papan.cli.records:list_",
    "show": "papan.cli.records:show",
    "replay": "papan.cli.records:replay",
    "animate": "papan.cli.records:animate",
    "stats": "papan.cli.records:stats",
    "events": "papan.cli.records:events",
    "export": "papan.cli.record_files:export",
    "import": "papan.cli.record_files:import_",
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
            read_choice(self.result, "--result", RESULTS)
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
    most = read_whole(options.limit, "--limit", 0) or None
    first = read_whole(options.offset, "--offset", 0)
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

    out = read_output(options.out, ("svg",))
    record = find_game(GameOptions(id=options.id, game=options.game, store=options.store))
    film = game_film(
        record.replay(),
        record.moves,
        title=f"{record.x} – {record.o}",
        result=_ending(record, terminal.say),
        style=Style(theme=options.theme or "light"),
    )
    if out is None:
        terminal.line(film)
        return EXIT_DONE
    with naming(out):
        write_whole(Path(out), f"{film}\n")
    terminal.note(terminal.say("records.animated", file=out))
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
    how = f"termination.{record.termination.replace(' ', '-')}"
    reason = say(how) if say(how) != how else record.termination
    sentence = record.detail.partition("\n")[0]
    detail = f": {sentence}" if sentence else ""
    return printable(f"{record.result} ({reason}{detail})")


def _print_board(position: Position, last_move: str | None, terminal: Terminal) -> None:
    from papan.figures.terminal_board import text_board

    terminal.show(text_board(position, last_move))
