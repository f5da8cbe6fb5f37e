"""Boards for the terminal: text with colours that reads as well without them.

    Adjacency after x played c4       Platforms, level 2, after x stepped to b2

    5  ·  ·  ·  ·  ·                  3   1   2   2
    4  ·  · [x] ·  ·                  2   2 [x1]  #
       a  b  c  d  e                  1   2   2  o1
                                          a   b   c

A platform shows how often it can still be stepped on; `#` is one that is used up. Places stand in
rows as on the picture: a row of hexagons is set in by half of one. Along an edge that belongs to a
side stand its letters.
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
#: Edges between boxes that have been drawn.
_DRAWN = {"edge": "─", "post": "│"}

#: Parts of a line: the column where each begins, and its text.
Parts = list[tuple[int, Text]]


def text_board(position: Position, last_move: str | None = None) -> Text:
    """The board of a position with coordinates, the places of the last move in brackets; of a game
    that was won by a row or a chain, those of it in round ones."""
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
        unit += unit % 2  # half a place is a whole number of columns
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
    """The least distance of two places of one row; at most the edge of a square."""
    gaps = [right.x - left.x for row in board.text_rows for left, right in pairwise(row)]
    return min([1.0, *gaps])


def _first(board: Geometry) -> float:
    """The middle of the first column."""
    return min(0.5, *(place.x for place in board.places))


def _label_lines(board: Geometry, lines: list[Parts], sizes: tuple[int, int, int]) -> list[Parts]:
    """The lines with the labels of the board: in a place's row, or in lines of their own. Sizes are
    the width of the margin, of a place, and of the edge of a square."""
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
    """The letters along edges that belong to a side, each with its height: beside a row, or in a
    line of their own."""
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


#: A label this near to a row belongs to it, in squares.
_NEAR = 0.45


def _join_lines(lines: list[Parts]) -> Text:
    """The lines as one text, all of them equally wide."""
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
    """The content of a place in a few characters; a card has its name with it."""
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
    """One place, in brackets if it is marked: all places of a board are equally wide."""
    style = _PIECE_STYLES[content.owner] if content.piece or content.number else _EMPTY_STYLE
    if content.number and not content.piece:
        style = ""
    if brackets:
        return Text(
            f"{brackets[0]}{body}{brackets[1]}".center(width), style=f"{style} {_LAST_MOVE_STYLE}"
        )
    return Text(body.center(width), style=style)
