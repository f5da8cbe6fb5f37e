"""Hex of the gallery."""

import pytest

import papan
from papan.rules.operations import evaluate
from papan.search.perft import perft
from reference.hex import leaves
from support import gallery, plain_perft

SMALL = gallery("hex.py:size=3")


@pytest.mark.thorough
def test_it_has_its_numbers_of_leaves() -> None:
    assert [plain_perft(gallery("hex.py").start(), depth) for depth in (1, 2)] == [121, 14_520]


@pytest.mark.thorough
def test_it_has_as_many_when_chains_end_games() -> None:
    start, nothing = SMALL.start(), (frozenset[tuple[int, int]](), frozenset[tuple[int, int]]())
    assert [perft(start, depth) for depth in (5, 6)] == [
        leaves(3, 5, nothing),
        leaves(3, 6, nothing),
    ]
    assert perft(start, 6) < 9 * 8 * 7 * 6 * 5 * 4


def test_x_joins_the_upper_and_the_lower_edge() -> None:
    position = SMALL.start().play("b1", "a1", "b2", "a2", "a3")
    assert (str(position), position.outcome()) == ("ox1/ox1/x2 o", papan.Outcome.X_WINS)
    assert SMALL.position(str(position)) == position


def test_o_joins_the_left_and_the_right_edge() -> None:
    position = SMALL.start().play("a1", "a2", "a3", "b2", "b3", "c1")
    assert (str(position), position.outcome()) == ("x1o/oo1/xx1 x", papan.Outcome.O_WINS)
    assert SMALL.position(str(position)) == position


def test_cells_above_to_the_left_are_no_neighbours() -> None:
    assert SMALL.start().play("a1", "c1", "b2", "c2", "c3").outcome() is None


def test_the_first_stone_may_be_taken_over() -> None:
    game = gallery("hex.py:size=3,swap=yes")
    first = game.start().play("c1")
    assert "swap" in first.moves() and game.position(str(first)) == first
    assert "swap" not in game.start().moves()
    taken = first.play("swap")
    assert (str(taken), len(taken.moves())) == ("3/3/o2 x", 8)
    assert game.position(str(taken)) == taken
    assert {"c1", "swap"} & {*first.play("a1").moves()} == set()


@pytest.mark.parametrize("size", [7, 8, 9])
def test_the_swap_has_a_number_above_those_of_the_cells(size: int) -> None:
    first = gallery(f"hex.py:size={size},swap=yes").start().play("a2")
    assert first.moves()[-1] == "swap"
    assert len(first.moves()) == size * size
    assert str(first.play("swap")).startswith(f"1o{size - 2}/")


def test_it_values_the_stones_that_are_lacking() -> None:
    """x lacks one stone and o two."""
    position = SMALL.position("1x1/1x1/o2 x")
    value = evaluate(SMALL.evaluations["distance"], position.state)
    assert value == 2 - 1
