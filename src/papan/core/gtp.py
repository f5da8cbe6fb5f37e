"""Names of moves and games in GTP, the Go Text Protocol.

A point is a letter and a number, `D4`. The letter I is left out, and rows count from the bottom.
Black, which is `x` here, moves first. A game with other names for its moves overrides
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
#: Name of a pass, in lower case.
PASS = "pass"
#: Letters of columns; GTP leaves out the I.
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class NamedInGtp(CheckedMethods):
    """The methods of `Game` that GTP uses; a game may override them."""

    def gtp_move(self, move: int) -> str:
        """Returns the GTP name of a move; by default a point like `D4`, or the move's usual
        notation.
        """
        return default_name(cast("Game", self), move)

    def gtp_setup(self) -> dict[str, float]:
        """Returns the commands that select this variant of the game: `boardsize` on square
        boards.
        """
        return default_setup(cast("Game", self))


def default_name(game: Game, move: int) -> str:
    """Returns the default GTP name of a move: a point of the board, else the move's usual
    notation.
    """
    board, steps = game.board, game.steps(move)
    if isinstance(board, Grid) and len(steps) == 1 and isinstance(steps[0], int):
        name = board.name(steps[0])
        column = LETTERS.index(name[0])
        if column < len(COLUMNS):
            return f"{COLUMNS[column]}{name[1:]}"
    return game.write_move(move).replace(" ", "")


def default_setup(game: Game) -> dict[str, float]:
    """Returns `boardsize` with the size of a square board; an empty dict for other boards."""
    board = game.board
    if not isinstance(board, Grid) or board.area.width != board.area.height:
        return {}
    return {"boardsize": int(board.area.width)}


def find_move(position: Position, text: str) -> int | None:
    """Returns the number of the legal move with a GTP name; None if no legal move has that name.

    Upper and lower case are treated as equal.
    """
    lowered = text.strip().lower()
    named = position.game.gtp_move
    return next((code for code in position.codes() if named(code).lower() == lowered), None)


def is_forced_pass(position: Position) -> bool:
    """Returns True if a pass is the only legal move."""
    codes = position.codes()
    return len(codes) == 1 and position.game.gtp_move(codes[0]).lower() == PASS


def colour(side: str) -> str:
    """Returns the colour of a side, `b` or `w`."""
    return COLOURS[SIDES.index(side)]


def side_of(text: str) -> str | None:
    """Returns the side of a colour (`b`, `black`, `w` or `white`); None for other words."""
    words = {"b": "x", "black": "x", "w": "o", "white": "o"}
    return words.get(text.lower())


def with_setup(game: Game, command: str, number: float) -> Game | None:
    """Returns the game with another number for a command of `Game.gtp_setup`; None if impossible.

    Tries all values of each integer option, one option at a time.
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
    except PapanError:  # the value is not allowed together with the other options
        return None


def _sets(game: Game, setup: Mapping[str, float]) -> bool:
    return dict(game.gtp_setup()) == dict(setup)
