"""Lines of Action of the gallery."""

import pytest

import papan
from papan.search.perft import perft
from support import gallery, plain_perft

GAME = gallery("lines_of_action.py")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2)] == [36, 1_244]


@pytest.mark.thorough
def test_it_has_them_compiled_too() -> None:
    assert perft(GAME.start(), 3) == 44_952


def test_pieces_go_as_far_as_there_are_pieces_on_the_line_and_over_none_of_the_others() -> None:
    position = GAME.position("8/8/8/x1o2x2/8/8/o7/8 x")
    one = {"a5-a7", "a5-a3", "a5-b6", "a5-b4"}  # not to d5: c5 is in the way
    other = {f"f5-{square}" for square in ("c5", "f6", "f4", "e6", "g4", "e4", "g6")}
    assert set(position.moves()) == one | other


def test_who_brings_both_sides_together_wins() -> None:
    position = GAME.position("8/8/4x3/8/4o3/5x2/8/oo6 x").play("e6-e4")
    assert (str(position), position.outcome()) == (
        "8/8/8/8/4x3/5x2/8/oo6 o",
        papan.Outcome.X_WINS,
    )
    assert str(GAME.position(str(position))) == str(position)


def test_who_has_joined_the_other_side_only_has_lost() -> None:
    position = GAME.position("8/8/3o4/8/3x4/8/ooo5/x7 x").play("d4-d6")
    assert position.outcome() is papan.Outcome.O_WINS
