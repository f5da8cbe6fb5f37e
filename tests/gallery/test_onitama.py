"""Onitama of the gallery, beside an oracle."""

from random import Random
from typing import Any

import pytest

from papan.errors import InvalidPosition
from reference import onitama
from support import gallery, plain_perft

GAME = gallery("onitama.py")


def beginning(game: Any) -> onitama.Situation:
    """The oracle's start with the cards that a game deals."""
    cards = game.start_state().cards
    return onitama.start([game.pieces[4 + card].name for card in cards])


def test_it_has_as_many_leaves_as_the_oracle() -> None:
    start = beginning(GAME)
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)] == [9, 81, 963]
    assert [onitama.perft(start, depth) for depth in (1, 2, 3)] == [9, 81, 963]


@pytest.mark.parametrize("deal", range(1, 9))
def test_it_goes_as_the_oracle_says(deal: int) -> None:
    game, chance = gallery(f"onitama.py:deal={deal}"), Random(deal)
    position, at = game.start(), beginning(game)
    while position.outcome() is None:
        assert sorted(position.moves()) == onitama.moves(at)
        assert game.position(str(position)).state == position.state
        move = chance.choice(position.moves())
        position, at = position.play(move), onitama.play(at, move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == onitama.winner(at)


def test_who_cannot_move_only_gives_a_card() -> None:
    position = GAME.position("Xxxxx/5/5/5/3O1 x 5,13,1,2,3")  # elephant, boar: no step back
    assert position.moves() == ["A", "B"]
    assert str(position.play("B")) == "Xxxxx/5/5/5/3O1 o 5,3,1,2,13"


def test_cards_that_are_no_five_are_refused() -> None:
    for cards in ("0,1,2,3,3", "0,1,2,3,16"):
        with pytest.raises(InvalidPosition, match="Onitama"):
            GAME.position(f"ooOoo/5/5/5/xxXxx x {cards}")
