"""Quoridor of the gallery, beside an oracle."""

from random import Random

import pytest

from papan.core.game import Outcome
from reference import quoridor
from support import gallery, plain_perft

GAME = gallery("quoridor.py:size=5")


def test_it_has_as_many_leaves_as_the_oracle() -> None:
    start = quoridor.start(5)
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2)] == [35, 1109]
    assert [quoridor.perft(start, depth) for depth in (1, 2)] == [35, 1109]


@pytest.mark.parametrize("size", [5, 6])
def test_it_goes_as_the_oracle_says(size: int) -> None:
    game, chance = gallery(f"quoridor.py:size={size}"), Random(size)
    position, at = game.start(), quoridor.start(size)
    while position.outcome() is None:
        legal = quoridor.moves(at)
        assert sorted(position.moves()) == legal
        assert game.position(str(position)).state == position.state
        move = chance.choice(legal)
        position, at = position.after(game.read_move(move, position.state)), quoridor.play(at, move)
    assert (position.moves(), position.is_over()) == ([], quoridor.is_over(at))


def test_a_pawn_goes_over_the_other_one_and_around_it_where_a_wall_is_behind() -> None:
    near = GAME.position("9/9/4o4/9/4x4/9/9/9/9 x 0,0")
    assert set(near.moves()) == {"c5", "g5", "e3", "e9"}
    walled = GAME.position("9/4###2/4o4/9/4x4/9/9/9/9 x 0,0")
    assert set(walled.moves()) == {"c5", "g5", "e3", "c7", "g7"}


def test_no_wall_shuts_a_pawn_off() -> None:
    moves = GAME.position("4o4/###1###2/9/9/9/9/9/9/4x4 x 1,0").moves()
    assert "h7" in moves
    assert "h9" not in moves  # o's only way is from g9 to i9


def test_who_arrives_wins() -> None:
    position = GAME.position("2o6/9/4x4/9/9/9/9/9/9 x 0,0").play("e9")
    assert (position.moves(), position.outcome()) == ([], Outcome.X_WINS)
