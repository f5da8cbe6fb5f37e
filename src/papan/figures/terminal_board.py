"""Boards for the terminal: text with colours, readable without colours.

    Adjacency after x played c4       Platforms, level 2, after x stepped to b2

    5  ·  ·  ·  ·  ·                  3   1   2   2
    4  ·  · [x] ·  ·                  2   2 [x1]  #
       a  b  c  d  e                  1   2   2  o1
                                          a   b   c

A platform shows its number of remaining steps; `#` marks one that is used up. Places are arranged
in rows as on the picture; rows of hexagons are shifted by half a place. An edge that belongs to a
side is marked with the side's letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rich.text import Text

from papan.core.board.geometry import Geometry, Place
from papan.core.board.pieces import Content
from papan.core.game import Position

_PIECE_STYLES = {"x": "bold red", "o": "bold cyan", "": "bold"}
_LABEL_STYLE = "dim"
_EMPTY_STYLE = "dim"
_LAST_MOVE_STYLE = "reverse"

_EMPTY = "·"
_USED_UP = "#"
#: Signs of drawn edges between boxes.
_DRAWN = {"edge": "─", "post": "│"}

#: Parts of a line: start column and text of each.
Parts = list[tuple[int, Text]]


def text_board(position: Position, last_move: str | None = None) -> Text:
    """Returns the board of a position with coordinates.

    The places of the last move are in square brackets, those of a winning line in parentheses.
    """
    board = position.game.board
    contents = position.game.contents(position.state)
    brackets = dict.fromkeys(map(board.square, position.winning_line()), "()")
    brackets |= dict.fromkeys(board.places_in(last_move or ""), "[]")
    room = max((len(label.text) for label in board.labels() if label.x < 0), default=0)
    margin = room + 1 if room else 0
    margin += 2 if any(board.own_edges()) else 0
    body = {place: _body(board.at_number(place), content) for place, content in contents.items()}
    width = max(map(len, body.values())) + 2
    unit = round(width / _nearest(board))
    if any(place.x % 1 not in (0, 0.5) or place.shape == "hexagon" for place in board.places):
        unit += unit % 2  # so that half a place is a whole number of columns
    lines: list[Parts] = []
    for row in board.text_rows:
        lines.append(
            [
                (
                    margin + round((place.x - _first(board)) * unit),
                    _cell(
                        contents[place.number],
                        body[place.number],
                        width,
                        brackets.get(place.number, ""),
                    ),
                )
                for place in row
            ]
        )
    return _join_lines(_label_lines(board, lines, (margin, width, unit)))


def _nearest(board: Geometry) -> float:
    """Returns the smallest distance between two places of a row, at most 1 (a square)."""
    gaps = [right.x - left.x for row in board.text_rows for left, right in pairwise(row)]
    return min([1.0, *gaps])


def _first(board: Geometry) -> float:
    """Returns the x coordinate of the first column's middle."""
    return min(0.5, *(place.x for place in board.places))


def _label_lines(board: Geometry, lines: list[Parts], sizes: tuple[int, int, int]) -> list[Parts]:
    """Adds the labels of the board to the row of a place, or as separate lines.

    `sizes` are the widths of the margin, of a place, and of a square.
    """
    margin, width, unit = sizes
    parts = {row[0].y: line for row, line in zip(board.text_rows, lines, strict=True)}
    heights = list(parts)
    for y, part in list(_own_edges(board, parts, sizes)):
        parts.setdefault(y, []).append(part)
    for label in board.labels():
        text = Text(label.text, style=_LABEL_STYLE)
        column = margin + round((label.x - _first(board)) * unit) + width - 1 - len(label.text)
        row = _nearest_row(heights, label.y)
        if abs(row - label.y) > _NEAR:
            parts.setdefault(label.y, []).append((column, text))
        else:
            first = min(start for start, _ in parts[row]) - any(board.own_edges())
            parts[row].insert(0, (0 if label.x < 0 else first - len(label.text), text))
    return [parts[height] for height in sorted(parts)]


def _nearest_row(heights: Iterable[float], y: float) -> float:
    return min(heights, key=lambda height: abs(height - y))


def _own_edges(
    board: Geometry, rows: dict[float, Parts], sizes: tuple[int, int, int]
) -> Iterator[tuple[float, tuple[int, Text]]]:
    """Yields the letters along edges that belong to a side, with their heights.

    A letter is next to a row or in a separate line.
    """
    margin, width, unit = sizes
    places = {row[0].y: row for row in board.text_rows}
    for owner, points in board.own_edges():
        letter = Text(owner, style=_PIECE_STYLES[owner])
        for x, y in points[1::2]:
            row = _nearest_row(places, y)
            if abs(row - y) > _NEAR:
                yield y, (margin + round((x - _first(board)) * unit) + width // 2, letter)
            elif x < places[row][0].x:
                yield row, (rows[row][0][0] - 1, letter)
            else:
                yield row, (rows[row][len(places[row]) - 1][0] + width, letter)


#: Maximum distance in squares of a label from its row.
_NEAR = 0.45


def _join_lines(lines: list[Parts]) -> Text:
    """Joins lines to one text with lines of equal width."""
    board = Text(no_wrap=True)
    width = max(start + len(text) for line in lines for start, text in line)
    for number, line in enumerate(lines):
        board.append("\n" if number else "")
        column = 0
        for start, text in sorted(line, key=lambda part: part[0]):
            board.append(" " * (start - column))
            board.append_text(text)
            column = max(column, start) + len(text)
        board.append(" " * (width - column))
    return board


def _body(place: Place, content: Content) -> str:
    """Returns the content of a place in a few characters; a card includes its name."""
    letter = content.piece.letter if content.piece else ""
    if place.shape in _DRAWN:
        return _DRAWN[place.shape] if letter else _EMPTY
    if content.number is not None:
        used_up = place.shape == "stack" and not letter and not content.number
        letter = f"{letter:1}{_USED_UP if used_up else content.number}"
    if place.shape == "card":
        return f"{place.name}:{letter.strip() or _EMPTY}"
    return letter or (" " if place.shape == "box" else _EMPTY)


def _cell(content: Content, body: str, width: int, brackets: str) -> Text:
    """Returns a place, in brackets if marked, padded to the common width."""
    style = _PIECE_STYLES[content.owner] if content.piece or content.number else _EMPTY_STYLE
    if content.number and not content.piece:
        style = ""
    if brackets:
        return Text(
            f"{brackets[0]}{body}{brackets[1]}".center(width), style=f"{style} {_LAST_MOVE_STYLE}"
        )
    return Text(body.center(width), style=style)
