"""Pentago of the gallery."""

import pytest

import papan
from support import gallery, plain_perft

GAME = gallery("pentago.py")


def test_every_stone_goes_with_every_turn() -> None:
    assert plain_perft(GAME.start(), 1) == 36 * 8
    assert len(GAME.start().play("a1-b5-left").moves()) == 35 * 8


def test_a_quarter_is_turned_by_90_degrees() -> None:
    """Upper left: a stone on b6 comes to c5 by a turn to the right, to a5 by one to the left."""
    start = GAME.start()
    assert str(start.play("b6-b5-right")) == "6/2x3/6/6/6/6 o"
    assert str(start.play("b6-b5-left")) == "6/x5/6/6/6/6 o"
    assert str(start.play("f1-e2-left")) == "6/6/6/5x/6/6 o"


@pytest.mark.parametrize(
    ("move", "outcome"),
    [
        ("e6-e2-left", papan.Outcome.X_WINS),
        ("f6-b2-left", papan.Outcome.O_WINS),
        ("e6-b2-left", papan.Outcome.DRAW),
        ("f6-e2-left", None),
    ],
)
def test_rows_count_after_the_turn(move: str, outcome: papan.Outcome | None) -> None:
    """x needs e6; when the quarter below on the left is turned to the left, o has five below."""
    position = GAME.position("xxxx2/6/5x/o5/o5/o2oo1 x")
    assert position.play(move).outcome() is outcome
