"""`papan records …`: the games that are kept, listed, looked at and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli import completion
from papan.cli.parameters import Json, read_whole
from papan.cli.terminal import Terminal, printable
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.messages import Messages
    from papan.records.model import Record
    from papan.records.store import Filters, Store

#: How many games `list` shows unless it is told otherwise.
LISTED = "20"

GameId = Annotated[str, typer.Argument(metavar="ID", help="cli.argument.id")]
Place = Annotated[
    str | None, typer.Option("--store", metavar="PLACE", help="cli.option.records-store")
]
OfGame = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="GAME", help="cli.option.of-game", autocompletion=completion.games
    ),
]
OfPlayer = Annotated[
    str | None,
    typer.Option(
        "--player", metavar="PLAYER", help="cli.option.of-player", autocompletion=completion.players
    ),
]
OfEvent = Annotated[str | None, typer.Option("--event", metavar="NAME", help="cli.option.of-event")]
OfResult = Annotated[
    str | None, typer.Option("--result", metavar="RESULT", help="cli.option.of-result")
]
Since = Annotated[str | None, typer.Option("--since", metavar="DATE", help="cli.option.since")]
Limit = Annotated[str, typer.Option("--limit", metavar="N", help="cli.option.limit")]
Ladder = Annotated[bool, typer.Option("--ladder", help="cli.option.ladder")]
Offset = Annotated[str, typer.Option("--offset", metavar="N", help="cli.option.offset")]


def records(ctx: typer.Context) -> None:
    """What `papan records` alone does: it shows the help page."""
    if ctx.invoked_subcommand is None and not ctx.resilient_parsing:
        print(ctx.get_help())


def list_(
    ctx: typer.Context,
    game: OfGame = None,
    player: OfPlayer = None,
    event: OfEvent = None,
    result: OfResult = None,
    since: Since = None,
    limit: Limit = LISTED,
    offset: Offset = "0",
    store: Place = None,
    as_json: Json = False,
) -> None:
    """Lists games, the newest ones first."""
    terminal = ctx.ensure_object(Terminal)
    filters = read_filters(game, player, event=event, result=result, since=since)
    most, first = read_whole(limit, "--limit", 0) or None, read_whole(offset, "--offset", 0)
    with open_store(store) as kept:
        total = kept.count(**filters)
        found = list(kept.find(limit=most, offset=first, newest_first=True, **filters))
    if as_json:
        terminal.json({"count": total, "games": [described(record) for record in found]})
        return
    titles = [terminal.say(f"records.{name}") for name in _COLUMNS]
    print_table(titles, [_cells(record) for record in found], terminal)
    shown = min(len(found), total)
    terminal.note(terminal.say("records.shown", shown=shown, total=total))


def show(ctx: typer.Context, id: GameId, store: Place = None, as_json: Json = False) -> None:
    """Shows what is kept of a game, and its last board."""
    terminal = ctx.ensure_object(Terminal)
    record = find_game(id, store)
    *_, last = record.replay()
    if as_json:
        terminal.json({**described(record), "position": str(last)})
        return
    _print_headers(record, terminal)
    terminal.line(" ".join(record.moves))
    _print_board(last, record.moves[-1] if record.moves else None, terminal)


def replay(ctx: typer.Context, id: GameId, store: Place = None, as_json: Json = False) -> None:
    """Shows a game move by move."""
    terminal = ctx.ensure_object(Terminal)
    record = find_game(id, store)
    positions = record.replay()
    if as_json:
        terminal.json({**described(record), "positions": list(map(str, positions))})
        return
    _print_board(positions[0], None, terminal)
    steps = zip(record.moves, pairwise(positions), strict=True)
    for ply, (move, (before, after)) in enumerate(steps, start=1):
        terminal.line()
        terminal.line(f"{ply}. {before.side}: {move}")
        _print_board(after, move, terminal)
    terminal.line()
    terminal.line(_ending(record, terminal.say))


def stats(
    ctx: typer.Context,
    game: OfGame = None,
    player: OfPlayer = None,
    event: OfEvent = None,
    result: OfResult = None,
    since: Since = None,
    store: Place = None,
    ladder: Ladder = False,
    as_json: Json = False,
) -> None:
    """Prints how often each player has won, drawn and lost each game, or how skilled it is."""
    terminal = ctx.ensure_object(Terminal)
    filters = read_filters(game, player, event=event, result=result, since=since)
    with open_store(store) as kept:
        if ladder:
            report = {"count": kept.count(**filters), "ladder": _ladder(kept, filters)}
            _print_report(report, "ladder", _LADDER, terminal, as_json)
            return
        found = [asdict(standing) for standing in kept.stats(**filters)]
        total = kept.count(**filters)
    _print_report({"count": total, "players": found}, "players", _STATS, terminal, as_json)


def _ladder(store: Store, filters: Filters) -> list[dict[str, Any]]:
    """The players of each game, the best first."""
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


def events(ctx: typer.Context, store: Place = None, as_json: Json = False) -> None:
    """Lists matches and tournaments."""
    terminal = ctx.ensure_object(Terminal)
    with open_store(store) as kept:
        found = [asdict(event) for event in kept.events()]
    _print_report({"events": found}, "events", _EVENTS, terminal, as_json)


_COLUMNS = ("id", "played", "game", "x", "o", "result", "plies", "event", "round")
_STATS = ("game", "player", "played-games", "won", "drawn", "lost")
_LADDER = ("game", "player", "skill", "deviation", "cautious")
_EVENTS = ("event", "games", "finished", "first", "last")


def open_store(place: str | None, *, create: bool = False) -> Store:
    """The store at a place, or the user's own.

    Args:
        place: a path or URL; one that was named must be there already unless `create`.
        create: whether to make it.

    Raises:
        UsageError: there is none.
    """
    from papan.records.store import Store

    return Store(place, create=create or place is None)


def read_filters(
    game: str | None,
    player: str | None,
    *,
    event: str | None,
    result: str | None,
    since: str | None,
) -> Filters:
    """What games are asked for.

    Raises:
        UsageError: the game is unknown, or the result or the time is none.
    """
    from papan.core import registry
    from papan.records.model import RESULTS

    if result is not None and result not in RESULTS:
        expected = " | ".join(RESULTS)
        raise UsageError("spec.bad-value", option="--result", text=result, expected=expected)
    return {
        "game": registry.game(game).spec if game is not None else None,
        "player": player,
        "event": event,
        "result": result,
        "since": _read_time(since) if since is not None else None,
    }


def _read_time(text: str) -> datetime:
    """A date, with or without the time of day, here unless it says otherwise."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        expected = "2025-12-31, 2025-12-31T20:15"
        raise UsageError("spec.bad-value", option="--since", text=text, expected=expected) from None


def find_game(id: str, place: str | None) -> Record:
    """The game of that id.

    Raises:
        UsageError: the store has none.
    """
    with open_store(place) as kept:
        record = kept.get(id)
        if record is None:
            raise UsageError("records.unknown", text=id, store=kept.name)
    return record


def described(record: Record) -> dict[str, Any]:
    """A record as JSON has it: its fields, in text that can be written anywhere."""
    fields = asdict(record)
    id = fields.pop("id")
    return {"id": id} | {name: _writable(value) for name, value in fields.items()}


def _writable(value: Any) -> Any:
    """A value without lone surrogates, which UTF-8 does not have."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], terminal: Terminal) -> None:
    """Prints rows below their titles, a line each."""
    lines = [list(titles), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        padded = (f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True))
        terminal.line("  ".join(padded).rstrip())


def _print_report(
    report: dict[str, Any], rows: str, titles: Sequence[str], terminal: Terminal, as_json: bool
) -> None:
    """Prints a report, for people as a table of some of it."""
    if as_json:
        report[rows] = [
            {name: _writable(value) for name, value in row.items()} for row in report[rows]
        ]
        terminal.json(report)
        return
    cells = [[str(value) for value in row.values()] for row in report[rows]]
    print_table([terminal.say(f"records.{name}") for name in titles], cells, terminal)


def _cells(record: Record) -> list[str]:
    """A game's line in a table."""
    number = str(record.round or "")
    known = (record.id, record.played, record.game, record.x, record.o, record.result)
    return [*known, str(len(record.moves)), record.event, number]


def _print_headers(record: Record, terminal: Terminal) -> None:
    """Prints what is known of a game, apart from its moves."""
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
    }
    rows = {terminal.say(f"records.{name}"): value for name, value in values.items() if value}
    width = max(map(len, rows))
    for label, value in rows.items():
        terminal.line(f"{label:{width}}  {printable(value)}")


def _ending(record: Record, say: Messages) -> str:
    """Who won, and how."""
    how = f"termination.{record.termination.replace(' ', '-')}"
    reason = say(how) if say(how) != how else record.termination
    detail = f": {record.detail}" if record.detail else ""
    return printable(f"{record.result} ({reason}{detail})")


def _print_board(position: Position, last_move: str | None, terminal: Terminal) -> None:
    from papan.figures.terminal_board import text_board

    terminal.show(text_board(position, last_move))
