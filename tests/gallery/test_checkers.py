"""English draughts of the gallery, beside published numbers and an oracle."""

from random import Random

import pytest

from papan.core.game import Outcome
from papan.search.perft import perft
from reference import checkers
from support import gallery, plain_perft, thoroughly

GAME = gallery("checkers.py")

#: Leaves from depth 1 on, a chain of jumps being one move.
LEAVES = (7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680)


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert tuple(plain_perft(GAME.start(), depth) for depth in (1, 2, 3)) == LEAVES[:3]


@pytest.mark.thorough
def test_it_has_them_compiled_too() -> None:
    assert tuple(perft(GAME.start(), depth) for depth in range(1, 10)) == LEAVES


@pytest.mark.parametrize("seed", [1, *thoroughly(*range(2, 40))])
def test_it_goes_as_the_oracle_says(seed: int) -> None:
    position, board, side, chance = GAME.start(), checkers.start(), "x", Random(seed)
    while position.state.quiet < 80 and (moves := checkers.moves(board, side)):
        named = {checkers.name(move): move for move in moves}
        assert sorted(position.moves()) == sorted(named)
        move = chance.choice(position.moves())
        position, board = position.play(move), checkers.play(board, named[move])
        side = checkers.OTHER[side]
        assert GAME.position(str(position)) == position
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == (None if position.state.quiet == 80 else checkers.OTHER[side])


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("8/2o5/8/2o1o3/3X4/8/8/8 x 0", ["d4xb6xd8", "d4xf6"]),
        ("8/8/2o1o3/8/2o1o3/3X4/8/8 x 0", ["d3xb5xd7xf5xd3", "d3xf5xd7xb5xd3"]),  # all around
        ("8/2o1o3/1x6/8/8/8/8/8 x 0", ["b6xd8"]),  # a new king stops
        ("8/8/8/8/8/2o5/1x3x2/8 x 7", ["b2xd4"]),  # who can jump must
    ],
)
def test_chains_of_jumps_go_on_as_long_as_they_can(line: str, moves: list[str]) -> None:
    assert sorted(GAME.position(line).moves()) == moves


def test_who_cannot_move_has_lost() -> None:
    position = GAME.position("8/8/8/8/8/1o6/8/x1x5 x 0").play("c1-d2")
    assert str(position) == "8/8/8/8/8/1o6/3x4/x7 o 0"
    assert GAME.position("8/8/8/8/o7/1x6/8/8 o 0").outcome() is None
    assert GAME.position("8/8/8/8/8/8/8/o7 o 0").outcome() is Outcome.X_WINS


def test_forty_moves_of_kings_alone_are_a_draw() -> None:
    position = GAME.position("8/8/8/8/8/8/1O6/6X1 x 79").play("g1-h2")
    assert position.outcome() is Outcome.DRAW
