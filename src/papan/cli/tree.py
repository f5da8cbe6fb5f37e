"""`papan tree GAME`: the search tree as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papan.cli.parameters import GameSpec, Json, PositionLine, read_limit, read_position, read_whole
from papan.cli.search import EvaluationName, Moves, evaluation_of
from papan.cli.terminal import Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from papan.search.trace import Trace

Depth = Annotated[str, typer.Option("--depth", metavar="N", help="cli.option.depth")]
Algorithm = Annotated[str, typer.Option("--algorithm", metavar="NAME", help="cli.option.traced")]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="cli.option.tree-format"),
]
Out = Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="cli.option.output")]
Most = Annotated[str | None, typer.Option("--most", metavar="N", help="cli.option.most-drawn")]
View = Annotated[str | None, typer.Option("--max", metavar="SIDE", help="cli.option.max-side")]
Theme = Annotated[str | None, typer.Option("--theme", metavar="NAME", help="cli.option.theme")]

FORMATS = ("svg", "dot", "html", "json")
THEMES = ("light", "dark", "contrast")
DEFAULT_DEPTH = "3"
DEFAULT_ALGORITHM = "alphabeta"


def tree(
    ctx: typer.Context,
    game: GameSpec,
    line: PositionLine = None,
    moves: Moves = "",
    depth: Depth = DEFAULT_DEPTH,
    algorithm: Algorithm = DEFAULT_ALGORITHM,
    evaluation: EvaluationName = None,
    format_: Format = None,
    out: Out = None,
    most: Most = None,
    view: View = None,
    theme: Theme = None,
    as_json: Json = False,
) -> None:
    """Records a search and writes its tree to a file or to stdout."""
    terminal = ctx.ensure_object(Terminal)
    wanted = "json" if as_json else _format(format_, out)
    side = "" if view is None else _one_of(view, "--max", ("x", "o"))
    colours = "" if theme is None else _one_of(theme, "--theme", THEMES)
    drawn = None if most is None else read_whole(most, "--most", 0)
    plies = read_limit(depth).depth or 1
    position = read_position(game, line, moves)

    from papan.search.trace import trace

    leaves = evaluation_of(position, evaluation)
    with terminal.patience("tree.recording"):
        made = trace(position, plies, algorithm, evaluation=leaves)
    text = _drawn(made, wanted, (drawn, side, colours), terminal)
    _write(text, out, terminal)


def _format(given: str | None, out: str | None) -> str:
    """The format asked for, or that of the file's name, or SVG."""
    if given is not None:
        return _one_of(given, "--format", FORMATS)
    suffix = Path(out or "").suffix.lstrip(".").lower()
    return suffix if suffix in FORMATS else "svg"


def _one_of(text: str, option: str, allowed: Iterable[str]) -> str:
    """The text, if it is one of those allowed.

    Raises:
        UsageError: it is not.
    """
    if text not in allowed:
        expected = " | ".join(allowed)
        raise UsageError("spec.bad-value", option=option, text=text, expected=expected)
    return text


def _drawn(made: Trace, wanted: str, how: tuple[int | None, str, str], terminal: Terminal) -> str:
    """The trace in the format that is wanted."""
    if wanted == "json":
        return json.dumps(made.as_dict(), ensure_ascii=False, allow_nan=False)
    from papan.figures.board import Style
    from papan.figures.tree import tree_dot, tree_page, tree_svg
    from papan.tree_figure import MOST_DRAWN, figure_of

    most, side, theme = how
    drawn = MOST_DRAWN if most is None else most
    figure = figure_of(made, most=drawn, view=side, say=terminal.say)
    if wanted == "dot":
        return tree_dot(figure).rstrip("\n")
    if wanted == "html":
        return tree_page(figure, theme=theme, language=terminal.say.language).rstrip("\n")
    return tree_svg(figure, style=Style(theme=theme or "light"))


def _write(text: str, out: str | None, terminal: Terminal) -> None:
    """Writes the picture to the file, or to stdout.

    Raises:
        UsageError: the file cannot be written.
    """
    if out is None:
        terminal.line(text)
        return
    try:
        Path(out).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise UsageError("usage.unwritable", text=out, reason=error.strerror) from None
    terminal.note(terminal.say("tree.written", file=out))
