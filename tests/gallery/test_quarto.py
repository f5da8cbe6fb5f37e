"""Quarto of the gallery."""

from random import Random

import pytest

from reference import quarto
from support import gallery

GAME = gallery("quarto.py")


@pytest.mark.parametrize("seed", range(4))
def test_it_goes_as_the_oracle_says(seed: int) -> None:
    position, table, chance = GAME.start(), quarto.Table({}), Random(seed)
    while legal := table.moves():
        assert position.moves() == legal
        assert GAME.position(str(position)) == position
        move = chance.choice(legal)
        position, table = position.play(move), table.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == ("xo"["xo".index(position.side) - 1] if table.is_won() else None)


def test_four_that_have_nothing_in_common_go_on() -> None:
    """Short and tall, light and dark …: a and H have nothing in common."""
    assert GAME.position("aHbg/4/4/4 x 5").outcome() is None
    assert GAME.position("aBCd/4/4/4 x 5").outcome() is not None
