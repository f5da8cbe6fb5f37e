"""`papan solve GAME`: what best play comes to, proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli.interrupt import stopping
from papan.cli.parameters import (
    GameSpec,
    Json,
    PositionLine,
    Seconds,
    read_limit,
    read_number,
    read_position,
)
from papan.cli.search import Moves
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal, signed
from papan.errors import Unsolved

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.messages import Messages
    from papan.search.limits import Limit
    from papan.search.solver.base import Progress, Solution

Every = Annotated[bool, typer.Option("--values", help="cli.option.values")]
Memory = Annotated[str, typer.Option("--memory", metavar="MB", help="cli.option.memory")]

#: What tables may take unless something else is said, in MB.
DEFAULT_MB = "2048"


def solve(
    ctx: typer.Context,
    game: GameSpec,
    line: PositionLine = None,
    moves: Moves = "",
    every: Every = False,
    time: Seconds = None,
    memory: Memory = DEFAULT_MB,
    as_json: Json = False,
) -> None:
    """Solves a position and prints the result with all best moves."""
    terminal = ctx.ensure_object(Terminal)
    limit = read_limit(time=time)
    position = read_position(game, line, moves)
    solution = _solve(position, limit, read_number(memory, "--memory", 0.001), every, terminal)
    _print(solution, terminal, as_json)


def _solve(
    position: Position, limit: Limit, megabytes: float, every: bool, terminal: Terminal
) -> Solution:
    """The solution.

    Raises:
        Unsolved: it cannot be had.
        Exit: Ctrl-C was pressed before anything was proven.
    """
    from papan.search.limits import Stop
    from papan.search.solver import solve as solving

    name = position.game.name
    with terminal.patience("search.compiling", algorithm="solve", game=name):
        solving.prepare(position)
    terminal.start_clock()
    stop = Stop()
    with stopping(stop.set) as interruption:
        try:
            return solving.solve(
                position,
                memory_mb=megabytes,
                limit=limit,
                every=every,
                stop=stop,
                on_progress=lambda done: terminal.progress(progress(done, terminal.say)),
            )
        except Unsolved as error:
            if not interruption.happened:
                raise
            terminal.note(terminal.say.explain(error))
            raise typer.Exit(EXIT_INTERRUPTED) from None
        finally:
            terminal.clear_progress()


def progress(done: Progress, say: Messages) -> str:
    """How far the work is, on one line."""
    share = "" if done.share is None else f"{100 * done.share:.0f} %"
    return say("solve.progress", nodes=done.nodes, seconds=f"{done.seconds:.0f}", share=share)


def _print(solution: Solution, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        terminal.json(solution.as_dict())
        return
    from papan.figures.terminal_board import text_board

    terminal.show(text_board(solution.position))
    rows = _rows(solution, terminal.say)
    width = max(map(len, rows))
    for label, value in rows.items():
        terminal.line(f"{label:{width}}  {value}")


def _rows(solution: Solution, say: Messages) -> dict[str, Any]:
    """What is printed of a solution: label → value."""
    side = solution.position.side
    rows = {
        say("search.game"): solution.position.game.spec,
        say("search.position"): solution.position,
        say("solve.outcome"): say(f"solve.{solution.outcome}", side=side),
        say("search.score"): say("search.score-of", score=signed(solution.value), side=side),
        say("solve.plies"): "–" if solution.plies is None else solution.plies,
        say("solve.moves"): " ".join(solution.moves) or "–",
        say("search.nodes"): solution.nodes,
        say("search.seconds"): f"{solution.seconds:.3f}",
    }
    return rows | {f"  {move}": signed(value) for move, value in solution.values.items()}
