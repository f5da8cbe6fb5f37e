"""`papan perft GAME --depth N`: counts the leaves of the complete tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, stopping

if TYPE_CHECKING:
    from papan.core.game import Position


@dataclass(frozen=True, kw_only=True)
class PerftOptions(GameArgument, JsonOptions):
    """Options of `papan perft`."""

    position: str | None = option("--position LINE", "position", None, complete=completion.files)
    depth: str = option("--depth N", "plies")
    divide: bool = option("--divide", "divide", False)


@command(PerftOptions)
def perft(options: PerftOptions, terminal: Terminal) -> int:
    """Counts the leaves, in total or below each move; on Ctrl-C, prints the finished moves."""
    from papan.rules.operations import MAX_PLY

    plies = parse.whole(options.depth, "--depth", 0, MAX_PLY)
    position = parse.position(options.game, options.position)
    counts, interrupted = _count(position, plies, terminal)
    report: dict[str, Any] = {
        "game": position.game.spec,
        "position": str(position),
        "depth": plies,
        "nodes": sum(counts.values()) if plies else 1,
    }
    if options.divide:
        report["divide"] = counts
    if interrupted:
        report["interrupted"] = True
    _print(report, terminal, options.as_json)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _count(position: Position, plies: int, terminal: Terminal) -> tuple[dict[str, int], bool]:
    """Returns the leaves below each move, and true if Ctrl-C interrupted the count."""
    from papan.search import perft as counting
    from papan.search.limits import Stop

    if plies == 0:
        return {}, False
    with terminal.compiling("perft.compiling"):
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
