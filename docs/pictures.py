"""Draws the pictures of the README: `python docs/pictures.py`."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.terminal_theme import DIMMED_MONOKAI

import papan
from papan.figures.text import text_board

#: A game and the moves played in it.
BOARDS = (
    ("adjacency", "f8 f7 c3 d5 d3 d4 e4 e5 c2 g6 f4 g4 f5"),
    ("platforms:size=4,level=2", "b4 c2 a4 b3 b4 c4 a3"),
    ("corners", "g3e3 b8d8 e3e4 c7d7 f2d4 d8d6 g1e5 d7f5 h2f6"),
)

#: rich's own frame for pictures loads its letters from the network.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-size="20"
 font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">
<style>{styles}</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}"
 height="{terminal_height}"/></clipPath>{lines}</defs>
<rect width="{width}" height="{height}" rx="8" fill="#191919"/>
<g transform="translate({terminal_x}, {terminal_y})"
 clip-path="url(#{unique_id}-clip-terminal)">{backgrounds}<g>{matrix}</g></g>
</svg>
"""


def boards() -> Table:
    """The boards side by side, each after its moves."""
    table = Table.grid(padding=(1, 3), pad_edge=True)
    drawn = []
    for spec, moves in BOARDS:
        position = papan.game(spec).start()
        for move in moves.split():
            position = position.play(move)
        drawn.append((f"[bold]{spec}[/bold]", text_board(position, move)))
    for cells in zip(*drawn, strict=True):
        table.add_row(*cells)
    return table


def main() -> None:
    """Writes `boards.svg` beside this file."""
    console = Console(record=True, width=88, file=io.StringIO(), force_terminal=True)
    console.print(boards())
    picture = console.export_svg(code_format=FRAME, theme=DIMMED_MONOKAI, unique_id="boards")
    Path(__file__).with_name("boards.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
