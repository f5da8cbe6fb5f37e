"""`papan perft GAME --depth N`: the leaves of the complete tree, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli.interrupt import stopping
from papan.cli.parameters import GameSpec, Json, PositionLine, read_position, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal

if TYPE_CHECKING:
    from papan.core.game import Position


Plies = Annotated[str, typer.Option("--depth", metavar="N", help="cli.option.plies")]
Divide = Annotated[bool, typer.Option("--divide", help="cli.option.divide")]


def perft(
    ctx: typer.Context,
    game: GameSpec,
    depth: Plies,
    line: PositionLine = None,
    divide: Divide = False,
    as_json: Json = False,
) -> None:
    """Counts the leaves, all together or below each move; on Ctrl-C, those of the moves that
    are finished by then."""
    from papan.kernel.operations import MAX_PLY

    terminal = ctx.ensure_object(Terminal)
    plies = read_whole(depth, "--depth", 0, MAX_PLY)
    position = read_position(game, line)
    counts, interrupted = _count(position, plies, terminal)
    report: dict[str, Any] = {
        "game": position.game.spec,
        "position": str(position),
        "depth": plies,
        "nodes": sum(counts.values()) if plies else 1,
    }
    if divide:
        report["divide"] = counts
    if interrupted:
        report["interrupted"] = True
    _print(report, terminal, as_json)
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _count(position: Position, plies: int, terminal: Terminal) -> tuple[dict[str, int], bool]:
    """The leaves below each move, and whether Ctrl-C left some out."""
    from papan.search import perft as counting
    from papan.search.limits import Stop

    if plies == 0:
        return {}, False
    with terminal.patience("perft.compiling"):
        counting.divide(position, 1)
    stop = Stop()
    with stopping(stop.set) as interruption:
        counts = counting.divide(position, plies, stop)
    return counts, interruption.happened


def _print(report: dict[str, Any], terminal: Terminal, as_json: bool) -> None:
    if as_json:
        terminal.json(report)
        return
    for move, count in report.get("divide", {}).items():
        terminal.line(f"{move} {count}")
    if "interrupted" in report:
        terminal.note(terminal.say("perft.interrupted"))
    terminal.line(f"{report['nodes']}")
