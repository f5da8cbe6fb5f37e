"""Marks for a board: the last move, legal targets, squares that a move would turn, a hint.

Squares and moves are written as the game writes them (`d5`, `f3f4`). The functions here find it
out by the rules of any game, from what stands on its squares before and after a move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.core.board.pieces import Content
from papan.core.game import Position
from papan.core.moves import Partial
from papan.figures.board import Marks


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
    """The squares of a move: those it names, or else those where it put or took something."""
    named = squares_of(before, move)
    return named or _changed_squares(before, _after(before, move), _puts_or_takes)


def targets(position: Position, chosen: Sequence[str] = ()) -> list[str]:
    """The squares to which one can move, after the steps that were chosen. A move that names no
    square goes to where it puts a piece (a column of Connect Four); one that puts none (a pass)
    goes nowhere."""
    begun, squares = Partial.of(position, chosen), set[str]()
    for step, codes in begun.following.items():
        settled = begun.after(step).chosen_move
        if not begun.steps and (isinstance(step, str) or position.game.touches(codes[0])):
            squares.update(puts(position, codes[0]))
        elif not isinstance(step, str) and (begun.steps or settled is not None):
            squares.add(begun.name(step))
    return sorted(squares)


def puts(position: Position, code: int) -> list[str]:
    """The squares on which a move puts a piece where there was none."""
    return _changed_squares(
        position, position.after(code), lambda old, new: bool(new.piece and not old.piece)
    )


def flips(position: Position, move: str) -> list[str]:
    """The squares whose pieces a legal move would turn to the other side; not those on which it
    takes a piece by taking its place."""
    turned = _changed_squares(position, _after(position, move), _changes_sides)
    named = squares_of(position, move)
    return [square for square in turned if square not in named]


def _puts_or_takes(old: Content, new: Content) -> bool:
    return not (old.owner and new.owner)


def _changes_sides(old: Content, new: Content) -> bool:
    return bool(old.owner and new.owner) and old.owner != new.owner


def _after(position: Position, move: str) -> Position:
    """The position after a move that is known to be legal, which saves looking for it."""
    return position.after(position.game.read_move(move, position.state))


def _changed_squares(
    before: Position, after: Position, is_shown: Callable[[Content, Content], bool]
) -> list[str]:
    """The squares whose change of content is to be shown."""
    old, new = before.game.contents(before.state), after.game.contents(after.state)
    return [
        place.name
        for place in before.game.board.places
        if old[place.number] != new[place.number] and is_shown(old[place.number], new[place.number])
    ]
