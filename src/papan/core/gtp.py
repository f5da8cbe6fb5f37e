"""Names of moves and games in GTP, the Go Text Protocol: the one place that knows both.

A point is a letter and a number, `D4`; the letter I is left out, and rows count from the bottom.
Black, who is `x` here, begins. A game whose programs call its moves otherwise says so in
`Game.gtp_move`.

Source: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002, sections 2.11
and 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from papan.core import spec
from papan.core.board.geometry import LETTERS, Grid
from papan.core.checked_methods import CheckedMethods
from papan.core.notation import SIDES
from papan.errors import PapanError

if TYPE_CHECKING:
    from papan.core.game import Game, Position

#: The colours of `x` and of `o`.
COLOURS = ("b", "w")
#: Columns of a board of squares: Go has no column I.
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class NamedInGtp(CheckedMethods):
    """The part of `Game` that GTP asks for; a game may say it otherwise."""

    def gtp_move(self, move: int) -> str:
        """The name of a move; by default a point like `D4`, or as it is written."""
        return default_name(cast("Game", self), move)

    def gtp_setup(self) -> dict[str, float]:
        """Commands that choose this form of the game: `boardsize` on square boards."""
        return default_setup(cast("Game", self))


def default_name(game: Game, move: int) -> str:
    """The name of a move where the game says nothing else: a point of the board, or the move as it
    is written."""
    board, steps = game.board, game.steps(move)
    if isinstance(board, Grid) and len(steps) == 1 and isinstance(steps[0], int):
        name = board.name(steps[0])
        column = LETTERS.index(name[0])
        if column < len(COLUMNS):
            return f"{COLUMNS[column]}{name[1:]}"
    return game.write_move(move).replace(" ", "")


def default_setup(game: Game) -> dict[str, float]:
    """The size of a square board, by the command that sets it; nothing for others."""
    board = game.board
    if not isinstance(board, Grid) or board.area.width != board.area.height:
        return {}
    return {"boardsize": int(board.area.width)}


def find_move(position: Position, text: str) -> int | None:
    """Returns the number of the legal move with a GTP name; None if there is none.

    Upper and lower case are the same.
    """
    lowered = text.strip().lower()
    named = position.game.gtp_move
    return next((code for code in position.codes() if named(code).lower() == lowered), None)


def colour(side: str) -> str:
    """The colour of a side, `b` or `w`."""
    return COLOURS[SIDES.index(side)]


def side_of(text: str) -> str | None:
    """The side of a colour, `b` or `black`, `w` or `white`; None for other words."""
    words = {"b": "x", "black": "x", "w": "o", "white": "o"}
    return words.get(text.lower())


def with_setup(game: Game, command: str, number: float) -> Game | None:
    """Returns the game with another number for a command of `Game.gtp_setup`; None if impossible.

    Tries all values of each integer option.
    """
    setup = {**game.gtp_setup(), command: number}
    if setup == game.gtp_setup():
        return game
    for name, facts in spec.options_of(type(game)).items():
        if isinstance(facts["default"], int) and None not in (facts["low"], facts["high"]):
            for value in range(int(facts["low"]), int(facts["high"]) + 1):
                candidate = _with(game, name, value)
                if candidate is not None and _sets(candidate, setup):
                    return candidate
    return None


def _with(game: Game, name: str, value: int) -> Game | None:
    try:
        return replace(game, **{name: value})
    except PapanError:  # not with the other options
        return None


def _sets(game: Game, setup: Mapping[str, float]) -> bool:
    return dict(game.gtp_setup()) == dict(setup)
