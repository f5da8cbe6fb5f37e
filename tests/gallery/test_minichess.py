"""Gardner's minichess of the gallery, beside an oracle."""

from random import Random

import pytest

from papan.core.game import Outcome
from papan.search.perft import perft
from reference import minichess
from support import gallery, plain_perft, thoroughly

GAME = gallery("minichess.py")


def test_it_has_as_many_leaves_as_the_oracle_counts() -> None:
    found = [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)]
    assert found == [7, 53, 506]
    assert found == [minichess.perft(minichess.start(), "x", depth) for depth in (1, 2, 3)]


@pytest.mark.thorough
def test_compiled_it_has_as_many() -> None:
    assert [perft(GAME.start(), depth) for depth in (4, 5)] == [4775, 52_512]


@pytest.mark.parametrize("seed", [1, *thoroughly(*range(2, 12))])
def test_it_goes_as_the_oracle_says(seed: int) -> None:
    position, board, side, chance = GAME.start(), minichess.start(), "x", Random(seed)
    while moves := minichess.moves(board, side):
        if position.outcome() is Outcome.DRAW:
            return  # by repetition
        named = {minichess.name(move): move for move in moves}
        assert sorted(position.moves()) == sorted(named)
        move = chance.choice(position.moves())
        position, board = position.play(move), minichess.play(board, named[move])
        side = minichess.OTHER[side]
        assert GAME.position(str(position)).state == position.state
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == (minichess.OTHER[side] if minichess.in_check(board, side) else None)


def test_checkmate_wins_and_stalemate_draws() -> None:
    assert GAME.position("k4/1Q3/K4/5/5 o").outcome() is Outcome.X_WINS
    assert GAME.position("k4/2Q2/5/5/K4 o").outcome() is Outcome.DRAW
