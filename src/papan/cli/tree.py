"""`papan tree GAME`: the search tree as a picture."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import (
    SIDES,
    THEMES,
    TREE_FORMATS,
    GameArgument,
    JsonOptions,
    PositionOptions,
    option,
)
from papan.cli.search import evaluation_of
from papan.cli.terminal import EXIT_DONE, Terminal

if TYPE_CHECKING:
    from papan.search.trace.record import Trace

DEFAULT_DEPTH = "3"
DEFAULT_ALGORITHM = "alphabeta"


@dataclass(frozen=True, kw_only=True)
class TreeOptions(GameArgument, PositionOptions, JsonOptions):
    """Options of `papan tree`."""

    format: str | None = option("--format FORMAT", "tree-format", None, choices=TREE_FORMATS)
    depth: str = option("--depth N", "depth", DEFAULT_DEPTH)
    algorithm: str = option(
        "--algorithm NAME", "traced", DEFAULT_ALGORITHM, complete=completion.traceable
    )
    evaluation: str | None = option(
        "--evaluation NAME", "evaluation", None, complete=completion.evaluations
    )
    most: str | None = option("--most N", "most-drawn", None)
    side: str | None = option("--max SIDE", "max-side", None, choices=SIDES)
    theme: str | None = option("--theme NAME", "theme", None, choices=THEMES)
    out: str | None = option("--out -o FILE", "output", None, complete=completion.files)


@command(TreeOptions)
def tree(options: TreeOptions, terminal: Terminal) -> int:
    """Records a search and writes its tree to a file or to stdout."""
    most = None if options.most is None else parse.whole(options.most, "--most", 0)
    out = parse.output(options.out, TREE_FORMATS)
    plies = parse.limit(options.depth).depth or 1
    position = parse.position(options.game, options.position, options.moves)

    from papan.tree_figure import record_trace

    leaves = evaluation_of(position, options.evaluation)
    with terminal.patience("tree.recording"):
        recording = record_trace(position, plies, options.algorithm, evaluation=leaves)
    terminal.write(_draw(recording, options, most, terminal), out, "tree.written")
    return EXIT_DONE


def _format(options: TreeOptions) -> str:
    """Returns the requested format, or that of the file name, or SVG."""
    if options.as_json:
        return "json"
    if options.format is not None:
        return options.format
    return Path(options.out or "").suffix.lstrip(".").lower() or "svg"


def _draw(recording: Trace, options: TreeOptions, most: int | None, terminal: Terminal) -> str:
    """Returns the trace in the requested format."""
    form = _format(options)
    if form == "json":
        return json.dumps(recording.as_dict(), ensure_ascii=False, allow_nan=False)
    from papan.figures.board import Style
    from papan.figures.tree.draw import tree_dot, tree_svg
    from papan.figures.tree.page import tree_page
    from papan.tree_figure import MOST_DRAWN, figure_of

    drawn = MOST_DRAWN if most is None else most
    figure = figure_of(recording, most=drawn, view=options.side or "", say=terminal.say)
    if form == "dot":
        return tree_dot(figure).rstrip("\n")
    if form == "html":
        return tree_page(figure, theme=options.theme or "", language=terminal.say.language).rstrip(
            "\n"
        )
    return tree_svg(figure, style=Style(theme=options.theme or "light"))
