"""Marks on a board: the last move, legal targets, what a move would turn, a hint.

Squares and moves are written as the game writes them (`d5`, `f3f4`). The functions here find out
what to mark by the rules of any game, from what stands on its squares before and after a move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from papan.core.game import Position


@dataclass(frozen=True)
class Marks:
    """The squares to mark, by the kind of mark.

    Attributes:
        last: squares of the last move.
        targets: squares that get a dot: one can move there.
        selected: the square of the piece that is about to move, or the one with the focus.
        flips: squares whose pieces would change sides.
        hint: squares of a move that is suggested.
        arrow: the squares from which and to which an arrow points; empty for none.
    """

    last: Collection[str] = ()
    targets: Collection[str] = ()
    selected: str = ""
    flips: Collection[str] = ()
    hint: Collection[str] = ()
    arrow: tuple[str, str] | tuple[()] = ()

    def by_square(self) -> dict[str, tuple[str, ...]]:
        """The marks of each square that has any, as the class names of the picture."""
        found: dict[str, tuple[str, ...]] = {}
        marked = {
            "last": self.last,
            "target": self.targets,
            "selected": [self.selected] if self.selected else [],
            "flip": self.flips,
            "hint": self.hint,
        }
        for name, squares in marked.items():
            for square in squares:
                found[square] = (*found.get(square, ()), name)
        return found


def squares_of(position: Position, move: str) -> list[str]:
    """The places that a written move names; none if it names no places (a pass)."""
    board = position.game.board
    return [board.name(place) for place in board.places_in(move)]


def suggestion(position: Position, move: str) -> Marks:
    """The marks of a move that is suggested: its squares, and an arrow if it leads from one to
    another."""
    squares = squares_of(position, move)
    arrow = (squares[0], squares[-1]) if len(squares) > 1 else ()
    return Marks(hint=squares or last_squares(position, move), arrow=arrow)


def last_squares(before: Position, move: str) -> list[str]:
    """The squares of a move: those it names, or else those where it put or took a piece."""
    named = squares_of(before, move)
    return named or _changed(before, _after(before, move), lambda old, new: not (old and new))


def sources(position: Position) -> list[str]:
    """The squares from which a piece can move; none in games whose moves only name a target."""
    pairs = [squares_of(position, move) for move in position.moves()]
    return sorted({squares[0] for squares in pairs if len(squares) > 1})


def reaching(position: Position, source: str = "") -> dict[str, str]:
    """The moves to each square: square → move, of `source` alone if moves name two squares.

    A move that names no square goes to where it puts a piece (a column of Connect Four); one that
    puts none (a pass) goes nowhere.
    """
    found = {}
    for move in position.moves():
        squares = squares_of(position, move)
        if len(squares) > 1 and squares[0] != source:
            continue
        squares = squares or last_squares(position, move)
        if squares:
            found[squares[-1]] = move
    return found


def targets(position: Position, source: str = "") -> list[str]:
    """The squares to which one can move, from `source` if the game's moves name two squares."""
    return sorted(reaching(position, source))


def flips(position: Position, move: str) -> list[str]:
    """The squares whose pieces a legal move would turn to the other side."""
    return _changed(position, _after(position, move), lambda old, new: bool(old and new))


def _after(position: Position, move: str) -> Position:
    """The position after a move that is known to be legal, which saves looking for it."""
    return position.after(position.game.read_move(move, position.state))


def _changed(before: Position, after: Position, wanted: Callable[[str, str], bool]) -> list[str]:
    """The squares whose piece a move has changed as wanted."""
    board = before.game.board
    old, new = before.game.contents(before.state), after.game.contents(after.state)
    return [
        place.name
        for place in board.places
        if old[place.number].piece != new[place.number].piece
        and wanted(old[place.number].owner, new[place.number].owner)
    ]
