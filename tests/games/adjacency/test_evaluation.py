"""The evaluation that counts empty neighbours."""

import random

import numpy as np

from papan import game
from papan.games.adjacency.evaluation import (
    FEATURES,
    QUARTERS,
    UNIT,
    Exposure,
    expand,
    exposures,
    quarter_of,
)
from papan.games.adjacency.exposure_weights import ANCHORS
from papan.games.adjacency.rules import NEIGHBOURS
from papan.rules.bits import popcount
from papan.rules.operations import evaluate


def test_squares_are_sorted_by_their_number_of_empty_neighbours() -> None:
    chance = random.Random(1)
    for _ in range(50):
        empty = np.uint64(chance.getrandbits(64))
        for count, squares in enumerate(exposures(empty)):
            for square in range(64):
                found = popcount(NEIGHBOURS[square] & empty) == count
                assert found == bool(int(squares) >> square & 1)


def test_what_was_not_fitted_lies_between_its_neighbours() -> None:
    row = tuple(range(FEATURES))
    weights = expand({(2, 1): row, (6, 1): tuple(3 * w for w in row), (3, 1): row})
    assert weights[4, 1].tolist() == [2 * w for w in row]
    assert weights[5, 1].tolist() == list(row)  # odd: the nearest odd anchor
    assert weights[20, 1].tolist() == [3 * w for w in row]
    assert not weights[:, 2].any()


def test_every_quarter_and_parity_has_weights() -> None:
    weights = expand(ANCHORS)
    assert weights.shape[1:] == (QUARTERS, FEATURES)
    assert weights.any(axis=2)[1:].all()


def test_the_quarter_says_how_much_of_the_empty_board_will_be_filled() -> None:
    position = game("adjacency:rounds=14").start()
    assert quarter_of(position.state) == 2  # 28 plies for 56 empty squares
    assert quarter_of(game("adjacency").start().state) == 4


def test_settled_pieces_count_about_one_each_and_exposed_ones_much_less() -> None:
    board = "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/oooooooo/oooooooo/ooooooo1/8 x 8"
    state = game("adjacency").position(board).state
    settled = int(evaluate(Exposure(), state)) / UNIT
    assert settled > popcount(state.mine) - popcount(state.theirs) + 2  # o's last row is exposed
