"""Moves as people make them: a sequence of steps, each a place that is touched or a word.

To a search a move is a number. To a person it is `e2-e4`: the places e2 and e4, one after the
other; or a1-a4/a6, or a word like `pass`. A game says the steps of a move (`Game.steps`); how a
move is written, read, clicked and completed comes from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from papan.core.geometry import JOINTS, Geometry, any_of
from papan.errors import InvalidMove
from papan.kernel.operations import State

if TYPE_CHECKING:
    from papan.core.game import Game


def read(game: Game, text: str, state: State) -> int:
    """The number of the legal move that is written so, with or without what joins its steps; −1
    if the text is written like a move and none of the legal ones is.

    Raises:
        InvalidMove: the text is no move of this game, legal or not.
    """
    found = _by_text(game, state).get(text)
    if found is not None:
        return found
    if _form(game.board, game.words).fullmatch(text):
        return -1
    example = _example(game, state)
    if game.board.find(example) is None:
        raise InvalidMove("move.unreadable", text=text, example=example)
    raise InvalidMove("move.no-square", text=text, extent=game.board.extent)


def _codes(game: Game, state: State) -> list[int]:
    """The legal moves of a state; repetition aside, which only a game under way knows of."""
    from papan.core.game import Position

    return Position(game, state).codes()


@lru_cache(maxsize=64)
def _by_text(game: Game, state: State) -> dict[str, int]:
    """All ways to write the legal moves of a state."""
    found: dict[str, int] = {}
    for code in _codes(game, state):
        steps = game.steps(code)
        bare, dashed = (game.board.written(steps, (joint,)) for joint in ("", "-"))
        for way in (game.write_move(code), dashed, bare):
            found.setdefault(way, code)
    return found


@lru_cache(maxsize=64)
def _form(board: Geometry, words: Sequence[str]) -> re.Pattern[str]:
    """The form of a written move: names of places, words, and what joins them."""
    names = (place.name for place in board.places)
    tokens = f"(?:{any_of([*words, *names])}|{JOINTS})"
    return re.compile(f"(?!{JOINTS}){tokens}+", re.ASCII)


def _example(game: Game, state: State) -> str:
    """A move to show how they are written; nothing where there is none."""
    codes = _codes(game, state) or _codes(game, game.start_state())
    return game.write_move(codes[0]) if codes else ""
