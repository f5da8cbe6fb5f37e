"""Ultimate tic-tac-toe of the gallery."""

from random import Random

import pytest

import papan
from papan.errors import InvalidPosition
from support import gallery, plain_perft

GAME = gallery("ultimate_tic_tac_toe.py")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2)] == [81, 720]


def test_the_square_says_where_the_other_side_plays() -> None:
    position = GAME.start().play("b9")
    assert position.moves() == [f"{column}{row}" for row in (9, 8, 7) for column in "def"]


@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_is_read_back(seed: int) -> None:
    for _, position in GAME.start().random_walk(Random(seed)):
        assert GAME.position(str(position)) == position


#: x has the first two boards, and needs i9 for the third.
LATE = "xxxxxxxx1/9/9/o2o2o2/1o2o2o1/9/o8/1o7/9 x"


def test_three_boards_in_a_row_win() -> None:
    position = GAME.position(f"{LATE} 3")
    assert position.play("i9").outcome() is papan.Outcome.X_WINS
    assert position.play("g7").outcome() is None


def test_who_is_sent_to_a_board_that_is_won_may_choose() -> None:
    position = GAME.position(f"{LATE} 6").play("h6")
    assert str(position).endswith(" o 0")
    assert "i9" in position.moves()
    assert "b8" not in position.moves()


@pytest.mark.parametrize(
    "line", ["x8/9/9/9/9/9/9/9/9 x 0", "9/9/9/9/9/9/9/9/9 x 10", "xxx6/oo7/9/9/9/9/9/9/9 o 1"]
)
def test_positions_that_no_game_has_are_refused(line: str) -> None:
    with pytest.raises(InvalidPosition):
        GAME.position(line)
