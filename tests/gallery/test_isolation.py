"""Isolation of the gallery, beside an oracle."""

import random

import pytest

from reference import isolation
from support import gallery


@pytest.mark.parametrize("spec", ["isolation.py", "isolation.py:rows=4,columns=5"])
def test_it_goes_as_the_oracle_says(spec: str) -> None:
    game = gallery(spec)
    position, side, chance = game.start(), "x", random.Random(spec)
    board = isolation.start(game.board.rows, game.board.columns)  # type: ignore[attr-defined]
    while legal := isolation.moves(board, side):
        squares = [game.board.at(*square) for square in legal]  # type: ignore[attr-defined]
        assert (position.codes(), position.side) == (squares, side)
        chosen = chance.randrange(len(legal))
        position, board = (
            position.after(squares[chosen]),
            isolation.play(board, side, legal[chosen]),
        )
        assert game.position(str(position)) == position
        side = isolation.OTHER[side]
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == isolation.OTHER[side]


def test_squares_left_behind_are_written() -> None:
    position = gallery("isolation.py:rows=3,columns=4").start().play("a1", "d3", "b3")
    assert (str(position), position.moves()) == ("1x1o/4/*3 o", ["b2", "c1"])
