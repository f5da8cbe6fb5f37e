"""Chess of the gallery, beside the numbers of the Chess Programming Wiki's perft page."""

import pytest

from papan.core.game import Outcome
from papan.errors import InvalidPosition
from papan.search.perft import perft
from support import gallery, plain_perft

GAME = gallery("chess.py")

#: Position -> leaves from depth 1 on.
LEAVES = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8902, 197_281, 4_865_609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (
        *(48, 2039, 97_862, 4_085_603),
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43_238, 674_624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422_333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62_379, 2_103_487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        *(46, 2079, 89_890, 3_894_594),
    ),
}


@pytest.mark.parametrize("line", LEAVES)
def test_positions_are_read_and_written_and_have_the_published_number_of_moves(line: str) -> None:
    position = GAME.position(line)
    assert str(position) == line
    assert plain_perft(position, 1) == LEAVES[line][0]


@pytest.mark.thorough
@pytest.mark.parametrize("line", LEAVES)
def test_they_have_the_published_numbers_of_leaves(line: str) -> None:
    position = GAME.position(line)
    found = tuple(perft(position, depth) for depth in range(1, len(LEAVES[line]) + 1))
    assert found == LEAVES[line]


def test_checkmate_wins() -> None:
    position = GAME.start().play("f2f3", "e7e5", "g2g4", "d8h4")
    assert (position.moves(), position.outcome()) == ([], Outcome.O_WINS)


@pytest.mark.parametrize(
    "line",
    [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # stalemate
        "7k/8/6K1/8/8/8/8/5B2 b - - 0 1",  # a bishop cannot mate
        "b6k/8/6K1/8/8/5B2/8/8 b - - 0 1",  # nor can two on squares of one colour
        "7k/8/6K1/8/8/8/8/5R2 b - - 100 90",  # fifty moves
    ],
)
def test_these_are_drawn(line: str) -> None:
    assert GAME.position(line).outcome() is Outcome.DRAW


def test_a_mate_on_the_last_of_fifty_moves_counts() -> None:
    position = GAME.position("7k/8/6K1/8/8/8/8/5R2 w - - 99 90").play("f1f8")
    assert position.outcome() is Outcome.X_WINS


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    there, back = ("g1f3", "g8f6"), ("f3g1", "f6g8")
    position = GAME.start().play(*there, *back, *there, "f3g1")
    assert position.outcome() is None
    assert position.play("f6g8").outcome() is Outcome.DRAW


def test_pawns_are_promoted_as_one_likes_and_pass_each_other() -> None:
    position = GAME.position("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert [move for move in position.moves() if move[:2] == "a7"] == [
        *("a7a8n", "a7a8b", "a7a8r", "a7a8q"),
    ]
    assert str(position.play("a7a8q")) == "Q6k/8/8/8/8/8/8/K7 b - - 0 1"
    passing = GAME.position("7k/8/8/8/p7/8/1P6/K7 w - - 0 1").play("b2b4")
    assert str(passing) == "7k/8/8/8/pP6/8/8/K7 b - b3 0 1"
    assert str(passing.play("a4b3")) == "7k/8/8/8/8/1p6/8/K7 w - - 0 2"


@pytest.mark.parametrize(
    "line",
    [
        "7k/8/8/8/8/8/8/8 w - - 0 1",  # no white king
        "7k/8/8/8/8/8/8/K6R b - - 0 x",
        "6Rk/8/8/8/8/8/8/K7 w - - 0 1",  # the king could be taken
        "P6k/8/8/8/8/8/8/K7 w - - 0 1",
    ],
)
def test_positions_that_cannot_be_are_refused(line: str) -> None:
    with pytest.raises(InvalidPosition):
        GAME.position(line)
