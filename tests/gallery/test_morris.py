"""Nine men's morris of the gallery."""

import pytest

import papan
from support import gallery, plain_perft

GAME = gallery("morris.py")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)] == [24, 552, 12144]


def test_a_mill_takes_a_man_that_is_in_none_if_there_is_one() -> None:
    position = GAME.start().play("a7", "a1", "d7", "d1", "b2")
    mills = [move for move in position.moves() if move.startswith("g1")]
    assert mills == ["g1xa7", "g1xd7", "g1xb2"]
    position = position.play("g1xb2")
    assert [move for move in position.moves() if "x" in move] == ["g7xa1", "g7xd1", "g7xg1"]
    position = position.play("g7xd1", "d1xd7")
    assert GAME.position(str(position)) == position


def test_men_move_along_lines_and_three_fly() -> None:
    """x has its men on a7, d7 and g7, and a fourth one on a1 in the second line."""
    few = GAME.position("xxx/3/3/3oo1/o2/o2/o2 x 0 100")
    assert len(few.moves()) == 3 * (24 - 8)
    many = GAME.position("xxx/3/3/3oo1/o2/o2/x2 x 0 100")
    assert many.moves() == ["a7-a4", "d7-d6", "g7-g4", "a1-a4", "a1-d1"]


@pytest.mark.parametrize(
    ("line", "move", "outcome"),
    [
        ("xx1/3/3/2x3/oo1/3/o2 x 0 9", "c4-g7xa1", papan.Outcome.X_WINS),
        ("x2/3/3/xo4/3/3/xoo x 0 1", "a7-d7", papan.Outcome.DRAW),
    ],
)
def test_games_end(line: str, move: str, outcome: papan.Outcome) -> None:
    assert GAME.position(line).play(move).outcome() is outcome
