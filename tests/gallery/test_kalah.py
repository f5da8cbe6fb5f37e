"""Kalah of the gallery."""

import pytest

import papan
from support import gallery, plain_perft

START = gallery("kalah.py").start()


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(START, depth) for depth in (1, 2, 3, 4)] == [6, 35, 185, 942]


def test_a_last_seed_in_the_store_moves_again() -> None:
    again = START.play("c")
    assert str(again) == "x 4,4,0,5,5,5,1,4,4,4,4,4,4,0"
    assert again.play("f").side == "o"


def test_a_last_seed_in_an_empty_pit_takes_it_and_those_opposite() -> None:
    after = gallery("kalah.py:pits=3,seeds=2").position("x 1,0,2,3,1,4,1,0").play("a")
    assert str(after) == "o 0,0,2,8,1,0,1,0"


def test_the_game_ends_where_a_side_has_nothing_to_sow() -> None:
    position = gallery("kalah.py").position("x 0,0,0,0,0,1,20,1,0,0,0,0,0,26")
    assert position.play("f").outcome() is papan.Outcome.O_WINS


def test_lines_are_read_back() -> None:
    line = str(START.play("c", "f", "A"))
    assert str(gallery("kalah.py").position(line)) == line


#: The winner with so many seeds in each pit, from one on, for boards of two and of three pits: G.
#: Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
PUBLISHED = {2: "win loss loss loss win win", 3: "draw win win"}


@pytest.mark.thorough
@pytest.mark.parametrize("pits", PUBLISHED)
def test_small_boards_have_the_published_values(pits: int) -> None:
    for seeds, outcome in enumerate(PUBLISHED[pits].split(), start=1):
        tablebase = papan.tablebase(f"kalah:pits={pits},seeds={seeds}")
        assert tablebase.value(tablebase.root).outcome == outcome
