"""`papan perft GAME --depth N`: the leaves of the complete tree, counted."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from papan.cli.interrupt import stopping
from papan.cli.parameters import GameSpec, Json, PositionLine, read_position, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal


def perft(
    ctx: typer.Context,
    game: GameSpec,
    depth: Annotated[str, typer.Option("--depth", metavar="N", help="cli.option.plies")],
    line: PositionLine = None,
    divide: Annotated[bool, typer.Option("--divide", help="cli.option.divide")] = False,
    as_json: Json = False,
) -> None:
    """Counts the leaves, all together or below each move."""
    from papan.kernel.vocabulary import MAX_PLY
    from papan.search import perft as counting
    from papan.search.limits import Stop

    terminal = ctx.ensure_object(Terminal)
    plies = read_whole(depth, "--depth", 0, MAX_PLY)
    position = read_position(game, line)
    with terminal.patience("perft.compiling"):
        counting.divide(position, 1)
    stop = Stop()
    with stopping(stop.set) as interruption:
        counts = counting.divide(position, plies, stop) if plies else {}
    report: dict[str, Any] = {
        "game": position.game.spec,
        "position": str(position),
        "depth": plies,
        "nodes": sum(counts.values()) if plies else 1,
    }
    if divide:
        report["divide"] = counts
    if interruption.happened:
        report["interrupted"] = True
    _print(report, terminal, as_json)
    if interruption.happened:
        raise typer.Exit(EXIT_INTERRUPTED)


def _print(report: dict[str, Any], terminal: Terminal, as_json: bool) -> None:
    if as_json:
        terminal.json(report)
        return
    for move, count in report.get("divide", {}).items():
        terminal.line(f"{move} {count}")
    if "interrupted" in report:
        terminal.note(terminal.say("perft.interrupted"))
    terminal.line(f"{report['nodes']}")
