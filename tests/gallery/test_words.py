"""Whatever is given as a move is read, or refused as no move or an illegal one, by every game."""

import contextlib
import random

import pytest

import papan
from papan.errors import IllegalMove, InvalidMove
from papan.usercode.gallery import gallery
from papan.usercode.registry import names

ODD = (
    "",
    " ",
    "-",
    "x",
    "0",
    "17",
    "-1",
    "99999999999",
    "a",
    "zz",
    "a0",
    "a1a1a1",
    "pass",
    "\0",
    "é",
)
#: Names of places that a board may have, and some that it has not.
NAMES = [f"{column}{row}" for column in "abcdehimtz" for row in (1, 2, 5, 8, 10, 19)]


@pytest.mark.parametrize("name", [*gallery(), *names()])
def test_every_word_is_a_legal_move_or_refused(name: str) -> None:
    chance, position = random.Random(name), papan.game(name).start()
    game, legal, tried = position.game, position.codes(), 0
    places = [game.board.name(place) for place in game.board.squares]
    moves = [game.write_move(code) for code in legal[:9]]
    words = [*ODD, *NAMES, *places, *game.words, *moves]
    for word in (*words, *(f"{chance.choice(words)}-{word}" for word in words)):
        code = None
        with contextlib.suppress(InvalidMove):
            code = game.read_move(word, position.state)
        assert code in legal or word not in moves
        tried += 1
    assert tried > 150
    with pytest.raises((InvalidMove, IllegalMove)):
        position.play("z99")
