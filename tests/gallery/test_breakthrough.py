"""Breakthrough of the gallery."""

import pytest

import papan
from papan.search.perft import perft
from support import gallery, plain_perft

GAME = gallery("breakthrough.py")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)] == [22, 484, 11_132]


@pytest.mark.thorough
def test_it_has_them_compiled_too() -> None:
    assert perft(GAME.start(), 4) == 256_036


@pytest.mark.parametrize(
    ("line", "move", "after", "outcome"),
    [
        ("o7/1x6/8/8/8/8/8/7x x", "b7-a8", "x7/8/8/8/8/8/8/7x o", papan.Outcome.X_WINS),
        ("o7/8/8/8/8/8/o7/7x o", "a2-a1", "o7/8/8/8/8/8/8/o6x x", papan.Outcome.O_WINS),
        ("8/8/8/8/3o4/2x5/8/8 x", "c3-d4", "8/8/8/8/3x4/8/8/8 o", papan.Outcome.X_WINS),
    ],
)
def test_who_breaks_through_or_takes_all_wins(
    line: str, move: str, after: str, outcome: papan.Outcome
) -> None:
    position = GAME.position(line).play(move)
    assert (str(position), position.outcome()) == (after, outcome)
    assert GAME.position(str(position)) == position


def test_pieces_capture_aslant_only() -> None:
    position = GAME.position("8/8/8/2ooo3/3x4/8/8/8 x")
    assert position.moves() == ["d4-c5", "d4-e5"]


def test_a_game_lasts_no_longer_than_the_rows_allow() -> None:
    assert GAME.max_plies == 208
