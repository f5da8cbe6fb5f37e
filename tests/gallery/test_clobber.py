"""Clobber of the gallery."""

import papan
from support import gallery, plain_perft

GAME = gallery("clobber.py")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)] == [49, 2_116, 80_063]


def test_who_cannot_capture_has_lost() -> None:
    position = gallery("clobber.py:rows=2,columns=3").position("xo1/3 x").play("a2-b2")
    assert (str(position), position.outcome()) == ("1x1/3 o", papan.Outcome.X_WINS)
    assert position.game.position(str(position)) == position
