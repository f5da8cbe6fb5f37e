"""`papan search GAME`: the best move of a position."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, PositionOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, stopping
from papan.core import spec
from papan.report import format_value, rows_of_search

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.messages import Messages
    from papan.rules.operations import Evaluation
    from papan.search.algorithm import Algorithm
    from papan.search.limits import Limit
    from papan.search.result import SearchResult

DEFAULT_ALGORITHM = "engine"


@dataclass(frozen=True, kw_only=True)
class SearchOptions(GameArgument, PositionOptions, JsonOptions):
    """Options of `papan search`."""

    time: str | None = option("--time S", "time", None)
    depth: str | None = option("--depth N", "depth", None)
    nodes: str | None = option("--nodes N", "nodes", None)
    algorithm: str = option(
        "--algorithm NAME", "algorithm", DEFAULT_ALGORITHM, complete=completion.algorithms
    )
    evaluation: str | None = option(
        "--evaluation NAME", "evaluation", None, complete=completion.evaluations
    )
    threads: str | None = option("--threads N", "option.threads", None)
    hash: str | None = option("--hash MB", "option.hash", None)
    lines: str | None = option("--lines N", "option.lines", None)


@command(SearchOptions)
def search(options: SearchOptions, terminal: Terminal) -> int:
    """Searches and prints the result; on Ctrl-C, the best result so far."""
    from papan.search.registry import algorithm as algorithm_of

    limit = parse.limit(options.depth, options.time, options.nodes)
    position = parse.position(options.game, options.position, options.moves)
    besides = {"threads": options.threads, "hash": options.hash, "lines": options.lines}
    searching = algorithm_of(with_options(options.algorithm, besides))
    leaves = evaluation_of(position, options.evaluation) or searching.evaluation_for(
        position.game, limit.or_default()
    )
    with _first_answer(position, limit, searching):
        result, interrupted = _find(position, limit, searching, leaves, terminal)
    _print(result, terminal, options.as_json, interrupted)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _first_answer(
    position: Position, limit: Limit, algorithm: Algorithm
) -> contextlib.AbstractContextManager[object]:
    """Returns the context of a search: plain Python if the search is shorter than compiling."""
    from papan.jit.interpreter import FEW_MOVES, without_compiling

    is_small = limit.nodes is not None and limit.nodes <= algorithm.few_nodes
    is_small = is_small and len(position.codes()) <= FEW_MOVES
    return without_compiling() if is_small else contextlib.nullcontext()


def _find(
    position: Position,
    limit: Limit,
    algorithm: Algorithm,
    leaves: Evaluation,
    terminal: Terminal,
) -> tuple[SearchResult, bool]:
    """Returns the best result, and true if Ctrl-C ended the search."""
    from papan.search import algorithm as searching
    from papan.search.limits import Stop

    if position.outcome() is None:
        name = position.game.name
        with terminal.compiling("search.compiling", algorithm=algorithm.spec, game=name):
            timed = limit.or_default().seconds is not None
            algorithm.prepare(position, leaves, timed=timed)
    terminal.start_clock()
    stop = Stop()
    with stopping(stop.set) as interruption:
        result = searching.search(
            position,
            limit,
            algorithm=algorithm,
            evaluation=leaves,
            on_result=lambda partial: terminal.progress(progress(partial, terminal.say)),
            stop=stop,
        )
    terminal.clear_progress()
    return result, interruption.happened


def with_options(algorithm: str, options: dict[str, str | None]) -> str:
    """Returns the spec of an algorithm with more options."""
    name, texts = spec.split(algorithm)
    more = [f"{key}={value}" for key, value in options.items() if value is not None]
    return f"{name}:{','.join(filter(None, [texts, *more]))}"


def evaluation_of(position: Position, name: str | None) -> Evaluation | None:
    """Returns the evaluation of a name; None without a name.

    Raises:
        InvalidSpec: The game has no such evaluation, or the weights do not fit.
    """
    if not name:
        return None
    from papan.learn.choice import evaluation_named  # imports all that reads weights

    return evaluation_named(position.game, name)


def progress(result: SearchResult, say: Messages) -> str:
    """Returns a result in one line, shown during the search."""
    return say(
        "search.progress",
        depth=result.depth,
        score=format_value(result),
        nodes=result.nodes,
        pv=" ".join(result.pv),
    )


def _print(result: SearchResult, terminal: Terminal, as_json: bool, interrupted: bool) -> None:
    if as_json:
        note = {"interrupted": True} if interrupted else {}
        terminal.json({**result.as_dict(), **note})
        return
    from papan.figures.terminal_board import text_board

    terminal.show(text_board(result.position))
    if interrupted:
        terminal.note(terminal.say("search.interrupted"))
    terminal.pairs(rows_of_search(result, terminal.say))
