"""`papan solve GAME`: proves the value of best play."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, PositionOptions, option
from papan.cli.terminal import EXIT_DONE, Terminal, solving
from papan.errors import PapanError, Unsolved

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.messages import Messages
    from papan.search.limits import Limit
    from papan.solve.base import Progress, Solution

#: Default memory limit of tables in MB.
DEFAULT_MB = "2048"


@dataclass(frozen=True, kw_only=True)
class SolveOptions(GameArgument, PositionOptions, JsonOptions):
    """Options of `papan solve`."""

    time: str | None = option("--time S", "time", None)
    threads: str | None = option("--threads N", "solve-threads", None)
    keep: str | None = option("--keep FILE", "keep-proofs", None, complete=completion.files)
    every: bool = option("--values", "values", False)
    memory: str = option("--memory MB", "memory", DEFAULT_MB)


@command(SolveOptions)
def solve(options: SolveOptions, terminal: Terminal) -> int:
    """Solves a position and prints the value and all best moves."""
    limit = parse.limit(time=options.time)
    position = parse.position(options.game, options.position, options.moves)
    solution = _solve(position, limit, options, terminal)
    _print(solution, terminal, options.as_json)
    return EXIT_DONE


def _solve(position: Position, limit: Limit, options: SolveOptions, terminal: Terminal) -> Solution:
    """Returns the solution.

    Raises:
        Unsolved: There is no proof within the limits.
        KeyboardInterrupt: Ctrl-C was pressed before anything was proven.
    """
    from papan.search.limits import Stop
    from papan.solve import solve as solver
    from papan.solve.base import DEFAULT_THREADS, MOST_THREADS

    megabytes = parse.number(options.memory, "--memory", 0.001)
    text = options.threads or str(DEFAULT_THREADS)
    threads = parse.whole(text, "--threads", 1, MOST_THREADS)
    name = position.game.name
    with terminal.compiling("search.compiling", algorithm="solve", game=name):
        solver.prepare(position)
    terminal.start_clock()
    stop = Stop()
    with solving(terminal, stop.set), _telling(terminal, options.as_json):
        return solver.solve(
            position,
            memory_mb=megabytes,
            limit=limit,
            every=options.every,
            threads=threads,
            keep=None if options.keep is None else Path(options.keep),
            stop=stop,
            on_progress=lambda done: terminal.progress(progress(done, terminal.say)),
        )


@contextlib.contextmanager
def _telling(terminal: Terminal, as_json: bool) -> Iterator[None]:
    """Prints proven bounds as JSON, if requested, when the work inside ends without a solution.

    The line for people still goes to stderr.
    """
    try:
        yield
    except Unsolved as error:
        if as_json and error.partial is not None:
            known = error.values.get("known")
            words = terminal.say.explain(known) if isinstance(known, PapanError) else None
            terminal.clear_progress()
            terminal.json({**error.partial, "known": words})
        raise


def progress(done: Progress, say: Messages) -> str:
    """Returns the progress in one line."""
    share = "" if done.share is None else f"{100 * done.share:.0f} %"
    return say("solve.progress", nodes=done.nodes, seconds=f"{done.seconds:.0f}", share=share)


def _print(solution: Solution, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        terminal.json(solution.as_dict())
        return
    from papan.figures.terminal_board import text_board
    from papan.report import rows_of_solution

    terminal.show(text_board(solution.position))
    terminal.pairs(rows_of_solution(solution, terminal.say))
