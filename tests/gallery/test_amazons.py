"""The Game of the Amazons of the gallery."""

import pytest

import papan
from papan.search.perft import perft
from support import gallery, plain_perft

GAME = gallery("amazons.py:size=6")


def test_it_has_the_published_number_of_moves() -> None:
    assert plain_perft(gallery("amazons.py").start(), 1) == 2176


@pytest.mark.thorough
def test_it_has_its_numbers_of_leaves() -> None:
    assert [perft(GAME.start(), depth) for depth in (1, 2)] == [544, 238_532]


def test_an_arrow_may_hit_the_square_that_was_left() -> None:
    position = GAME.start().play("a2-a4/a2")
    assert str(position) == "1o2o1/o4o/x5/6/*4x/1x2x1 o"
    assert GAME.position(str(position)) == position


def test_who_cannot_move_has_lost() -> None:
    position = GAME.position("o*4/**4/6/6/6/5x x").play("f1-f2/f1")
    assert position.outcome() is papan.Outcome.X_WINS
