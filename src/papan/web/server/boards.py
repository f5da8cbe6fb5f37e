"""Boards as pages beside the game show them: the picture, its squares as buttons, its pieces in
words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from papan.core.game import Cell, Position
from papan.figures.highlights import last_squares, squares_of
from papan.messages import Messages


@dataclass(frozen=True)
class BoardSquare:
    """A square as a button.

    Attributes:
        name: `d5`.
        label: what it is in words.
        state: `target`, `source`, or nothing where nothing can be done.
    """

    name: str
    label: str
    state: str = ""


def actions(position: Position, source: str = "") -> dict[str, tuple[str, str]]:
    """Squares that do something in a position: name → (`target` or `source`, what is meant: a
    move, or the square of the piece that is to move)."""
    found: dict[str, tuple[str, str]] = {}
    for move in position.moves():
        squares = squares_of(position, move)
        if len(squares) == 1:
            found[squares[0]] = ("target", move)
        elif squares and squares[0] == source:
            found[squares[-1]] = ("target", move)
        elif squares:
            found.setdefault(squares[0], ("source", squares[0]))
    return found


def rows(
    position: Position,
    say: Messages,
    states: Mapping[str, str],
    last: Collection[str] = (),
) -> list[list[BoardSquare]]:
    """All squares from the top row down, with what each can do."""
    frame, cells = position.game.frame, position.game.cells(position.state)
    squares = []
    for place in frame.squares:
        name = frame.name(place)
        state = states.get(name, "")
        words = [name, *content(cells[place], say)]
        words += [say("web.square.last")] if name in last else []
        words += [say(f"web.square.{state}")] if state else []
        squares.append(BoardSquare(name, ", ".join(words), state))
    return [squares[i : i + frame.width] for i in range(0, len(squares), frame.width)]


def content(cell: Cell, say: Messages) -> list[str]:
    """What stands on a square, in words."""
    name = say(f"web.side-name.{cell.piece}") if cell.piece else ""
    words = [say("web.square.piece", name=name) if name else say("web.square.empty")]
    if cell.steps_left is not None:
        words.append(say("web.square.steps", steps=cell.steps_left))
    return words


def in_words(position: Position, say: Messages) -> str:
    """Where each side's pieces stand, for those who cannot see the board."""
    frame, cells = position.game.frame, position.game.cells(position.state)
    parts = []
    for side in ("x", "o"):
        names = [frame.name(place) for place in frame.squares if cells[place].piece == side]
        parts.append(f"{say(f'web.side-name.{side}')}: {', '.join(names) or '–'}.")
    return " ".join(parts)


def marked_last(before: Position | None, move: str) -> list[str]:
    """The squares of the last move; none at the start."""
    return list(last_squares(before, move)) if before is not None and move else []


@dataclass(frozen=True)
class ListedMove:
    """A move in a list.

    Attributes:
        number: how many moves had been made when it was.
        side: who made it.
        text: how it is written.
    """

    number: int
    side: str
    text: str


def paired(
    positions: tuple[Position, ...], moves: tuple[str, ...]
) -> list[list[ListedMove | None]]:
    """The moves of a game in pairs, as they were made; none without its positions."""
    if not positions:
        return []
    listed: list[ListedMove | None] = [
        ListedMove(number, positions[number - 1].side, move)
        for number, move in enumerate(moves, start=1)
    ]
    if positions[0].side == "o":
        listed.insert(0, None)
    return [listed[i : i + 2] for i in range(0, len(listed), 2)]
