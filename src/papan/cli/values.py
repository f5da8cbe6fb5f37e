"""`papan values GAME`: proves the value of every move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import THEMES, GameArgument, JsonOptions, PositionOptions, option
from papan.cli.solve import DEFAULT_MB, progress
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, stopping

if TYPE_CHECKING:
    from papan.core.game import Game, Position
    from papan.solve.known_values import MoveValues
    from papan.solve.move_values import ProvenMove
    from papan.tablebase.lookup import Tablebase

#: Default time limit in seconds; other moves stay unknown.
DEFAULT_SECONDS = "10"

#: Colours of outcomes in addition to signs; near ends are bold.
_STYLES = {"win": "green", "draw": "yellow", "loss": "red", None: "dim"}
_NEAR = 5  # plies


@dataclass(frozen=True, kw_only=True)
class ValuesOptions(GameArgument, PositionOptions, JsonOptions):
    """Options of `papan values`."""

    time: str = option("--time S", "values-time", DEFAULT_SECONDS)
    memory: str = option("--memory MB", "memory", DEFAULT_MB)
    theme: str | None = option("--theme NAME", "theme", None, choices=THEMES)
    out: str | None = option("--out -o FILE", "values-out", None, complete=completion.files)
    tablebase: str | None = option(
        "--tablebase FILE",
        "values-tablebase",
        None,
        complete=completion.files,
        formerly="--database",
    )


@command(ValuesOptions)
def values(options: ValuesOptions, terminal: Terminal) -> int:
    """Prints the value of each move; on Ctrl-C, those proven so far."""
    from papan.search.limits import Limit, Stop
    from papan.solve.base import DEFAULT_THREADS
    from papan.solve.known_values import known_values

    limit: Limit = parse.limit(time=options.time)
    out = parse.output(options.out, ("svg",))
    position = parse.position(options.game, options.position, options.moves)
    megabytes = parse.number(options.memory, "--memory", 0.001)
    tablebase = open_tablebase(options.tablebase, position.game)
    prepare_solver(position, tablebase, terminal)
    terminal.start_clock()
    stop = Stop()
    with stopping(stop.set) as interruption:
        result = known_values(
            position,
            tablebase,
            memory_mb=megabytes,
            limit=limit,
            threads=DEFAULT_THREADS,
            stop=stop,
            on_progress=lambda done: terminal.progress(progress(done, terminal.say)),
        )
    terminal.clear_progress()
    if out is not None:
        _draw(result, out, options.theme, terminal)
    _print(result, terminal, options.as_json)
    return EXIT_INTERRUPTED if interruption.happened else EXIT_DONE


def open_tablebase(path: str | None, game: Game) -> Tablebase | None:
    """Returns the tablebase at a path, or by default the one next to the game file, if any.

    Raises:
        UsageError: The file cannot be read, or is of another game.
    """
    from papan.solve.known_values import tablebase_of
    from papan.tablebase.lookup import Tablebase

    return tablebase_of(game) if path is None else Tablebase.open(path, game)


def prepare_solver(position: Position, tablebase: Tablebase | None, terminal: Terminal) -> None:
    """Compiles the solver of a position, unless the tablebase has its values."""
    from papan.solve.known_values import values_in
    from papan.solve.solve import prepare, solver_of

    if values_in(tablebase, position) is None and solver_of(position) is not None:
        with terminal.compiling("search.compiling", algorithm="solve", game=position.game.name):
            prepare(position)


def _draw(table: MoveValues, out: str, theme: str | None, terminal: Terminal) -> None:
    """Writes the picture of the board with the values.

    Raises:
        UsageError: The file cannot be written.
    """
    from papan.figures.board import Style
    from papan.figures.values import values_svg

    values = {value.move: value.value for value in table.moves}
    drawn = values_svg(table.position, values, style=Style(theme=theme or "light"))
    terminal.write(str(drawn), out, "values.written")


def _print(table: MoveValues, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        terminal.json(table.as_dict())
        return
    from papan.figures.terminal_board import text_board

    terminal.show(text_board(table.position))
    show_values(table.moves, terminal)


def show_values(moves: Sequence[ProvenMove], terminal: Terminal) -> None:
    """Prints each move with its value as sign, word and colour, best first."""
    from rich.text import Text

    width = max((len(value.move) for value in moves), default=0)
    for value in sorted(moves, key=_rank):
        near = value.plies is not None and value.plies <= _NEAR
        style = _STYLES[value.outcome] + (" bold" if near else "")
        row = f"{value.sign} {value.move:{width}}  {_words(value, terminal)}"
        terminal.show(Text(row, style=style))


def _rank(value: ProvenMove) -> tuple[bool, int]:
    """Returns the sort key: best moves first, unknown ones last."""
    return value.value is None, -(value.value or 0)


def _words(value: ProvenMove, terminal: Terminal) -> str:
    """Returns the outcome in words, with its distance or margin."""
    if value.outcome is None:
        return terminal.say("values.unknown")
    text = terminal.say(f"values.{value.outcome}")
    if value.plies is not None:
        return terminal.say("values.in", outcome=text, plies=value.plies)
    return text if not value.value else terminal.say("values.by", outcome=text, value=value.value)
