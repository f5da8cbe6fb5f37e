"""Marks for a board: last move, possible destinations, turned pieces and suggestions.

Squares and moves are in the game's notation (`d5`, `f3f4`). The functions work for any game: they
compare the contents of the squares before and after a move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.core.board.pieces import Content
from papan.core.game import Position
from papan.core.moves import Partial
from papan.figures.board import Marks


def squares_of(position: Position, move: str) -> list[str]:
    """Returns the places in a written move; empty for a move without places, such as a pass."""
    board = position.game.board
    return [board.name(place) for place in board.places_in(move)]


def suggestion(position: Position, move: str) -> Marks:
    """Returns the marks of a suggested move: its squares, and an arrow if it has several."""
    squares = squares_of(position, move)
    arrow = (squares[0], squares[-1]) if len(squares) > 1 else ()
    return Marks(hint=squares or last_squares(position, move), arrow=arrow)


def last_squares(before: Position, move: str) -> list[str]:
    """Returns the squares of a move: those in its notation, else those that gained or lost a
    piece."""
    named = squares_of(before, move)
    return named or _changed_squares(before, _after(before, move), _puts_or_takes)


def last_marks(positions: Sequence[Position], moves: Sequence[str], ply: int) -> Marks:
    """Returns the marks of a ply: squares of the last move, turned pieces and the winning line."""
    won = positions[ply].winning_line()
    if not ply:
        return Marks(won=won)
    before, move = positions[ply - 1], moves[ply - 1]
    return Marks(last=last_squares(before, move), turned=flips(before, move), won=won)


def targets(position: Position, chosen: Sequence[str] = ()) -> list[str]:
    """Returns the possible destinations after the selected steps.

    A move without squares in its notation (such as a column of Connect Four) has the square where
    it puts a piece. A move that puts no piece (such as a pass) has none.
    """
    begun, squares = Partial.of(position, chosen), set[str]()
    for step, codes in begun.following.items():
        settled = begun.after(step).chosen_move
        if not begun.steps and (isinstance(step, str) or position.game.touches(codes[0])):
            squares.update(puts(position, codes[0]))
        elif not isinstance(step, str) and (begun.steps or settled is not None):
            squares.add(begun.name(step))
    return sorted(squares)


def puts(position: Position, code: int) -> list[str]:
    """Returns the empty squares on which a move puts a piece."""
    return _changed_squares(
        position, position.after(code), lambda old, new: bool(new.piece and not old.piece)
    )


def flips(position: Position, move: str) -> list[str]:
    """Returns the squares whose pieces a legal move would turn to the other side.

    Captured pieces on the squares of the move itself do not count.
    """
    turned = _changed_squares(position, _after(position, move), _changes_sides)
    named = squares_of(position, move)
    return [square for square in turned if square not in named]


def _puts_or_takes(old: Content, new: Content) -> bool:
    return not (old.owner and new.owner)


def _changes_sides(old: Content, new: Content) -> bool:
    return bool(old.owner and new.owner) and old.owner != new.owner


def _after(position: Position, move: str) -> Position:
    """Returns the position after a legal move, without a check of legality (faster)."""
    return position.after(position.game.read_move(move, position.state))


def _changed_squares(
    before: Position, after: Position, is_shown: Callable[[Content, Content], bool]
) -> list[str]:
    """Returns the squares with a change of content that `is_shown` accepts."""
    old, new = before.game.contents(before.state), after.game.contents(after.state)
    return [
        place.name
        for place in before.game.board.places
        if old[place.number] != new[place.number] and is_shown(old[place.number], new[place.number])
    ]
