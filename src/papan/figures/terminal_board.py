"""Boards for the terminal: text with colours that reads as well without them.

    Adjacency after x played c4       Platforms, level 2, after x stepped to b2

    5  ·  ·  ·  ·  ·                  3   1   2   2
    4  ·  · [x] ·  ·                  2   2 [x1]  #
       a  b  c  d  e                  1   2   2  o1
                                          a   b   c

A platform shows how often it can still be stepped on; `#` is one that is used up.
"""

from __future__ import annotations

from rich.text import Text

from papan.core.game import Cell, Position
from papan.figures.highlights import move_squares

_PIECE_STYLES = {"x": "bold red", "o": "bold cyan"}
_LABEL_STYLE = "dim"
_EMPTY_STYLE = "dim"
_LAST_MOVE_STYLE = "reverse"

_EMPTY = "·"
_USED_UP = "#"


def text_board(position: Position, last_move: str | None = None) -> Text:
    """The board of a position with coordinates, the squares of the last move in brackets."""
    frame = position.game.frame
    cells = position.game.cells(position.state)
    marked = move_squares(frame, last_move or "")
    board = Text(no_wrap=True)
    room = len(str(frame.height))
    for row, name in enumerate(frame.row_names):
        board.append(f"{name:<{room}} ", style=_LABEL_STYLE)
        for square in frame.squares[frame.width * row : frame.width * (row + 1)]:
            board.append_text(_cell(cells[square], square in marked))
        board.append("\n")
    width = len(_cell(cells[0], marked=False))
    names = "".join(f"{name:>{width - 1}} " for name in frame.column_names)
    board.append(f"{'':{room}} {names}", style=_LABEL_STYLE)
    return board


def _cell(cell: Cell, marked: bool) -> Text:
    """One square: all squares of a game are equally wide."""
    if cell.steps_left is None:
        body, empty = cell.piece or _EMPTY, not cell.piece
    else:
        steps = str(cell.steps_left)
        empty = not cell.piece and not cell.steps_left
        body = f"{cell.piece:1}{_USED_UP if empty else steps}"
    style = _EMPTY_STYLE if empty else _PIECE_STYLES.get(cell.piece, "")
    if marked:
        return Text(f"[{body}]", style=f"{style} {_LAST_MOVE_STYLE}")
    return Text(f" {body} ", style=style)
