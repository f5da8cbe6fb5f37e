"""Ataxx of the gallery, beside published numbers and an oracle."""

import random

import pytest

import papan
from papan.search.perft import perft
from reference import ataxx
from support import gallery, plain_perft

GAME = gallery("ataxx.py")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)] == [16, 256, 6_460]


@pytest.mark.thorough
def test_it_has_them_compiled_too() -> None:
    assert perft(GAME.start(), 4) == 155_888


def named(move: ataxx.Move) -> str:
    """`a7` for a doubling, `a7-c7` for a jump."""
    return "-".join(GAME.board.name(8 * y + x) for y, x in move) or "pass"


@pytest.mark.parametrize("seed", range(3))
def test_it_goes_as_the_oracle_says(seed: int) -> None:
    position, pieces, side, chance = GAME.start(), ataxx.START, "x", random.Random(seed)
    while position.moves():
        legal = {named(move): move for move in ataxx.moves(pieces, side)}
        assert (set(position.moves()), position.side) == (set(legal), side)
        move = chance.choice(sorted(legal))
        position, pieces = position.play(move), ataxx.play(pieces, side, legal[move])
        assert str(GAME.position(str(position))) == str(position)
        side = ataxx.OTHER[side]
    outcome = position.outcome()
    assert outcome is not None
    assert ataxx.moves(pieces, side) == set() and (outcome.winner or "") == ataxx.winner(pieces)


def test_who_cannot_move_passes() -> None:
    position = GAME.position("xoo4/ooo4/ooo4/7/7/7/7 x")
    assert position.moves() == ["pass"]
    assert position.play("pass").side == "o"


def test_who_loses_all_pieces_has_lost() -> None:
    position = GAME.position("x6/2o4/7/7/7/7/7 x").play("b7")
    assert (str(position), position.outcome()) == ("xx5/2x4/7/7/7/7/7 o", papan.Outcome.X_WINS)
