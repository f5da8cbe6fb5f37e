"""Dots and Boxes of the gallery."""

import papan
from support import gallery, plain_perft

SMALL = gallery("dots_and_boxes.py:rows=2,columns=2")


def test_it_has_the_published_numbers_of_leaves() -> None:
    assert [plain_perft(SMALL.start(), depth) for depth in (1, 2, 3)] == [12, 132, 1320]


def test_who_closes_a_box_has_it_and_moves_again() -> None:
    position = SMALL.start().play("b5", "a4", "b3", "d3", "c4")
    assert (position.side, str(position)) == ("x", "e1/exe2/ee/5/2 x")
    assert str(SMALL.position(str(position))) == str(position)


def test_a_line_may_close_two_boxes() -> None:
    game = gallery("dots_and_boxes.py:rows=1,columns=2")
    position = game.start().play("b3", "d3", "b1", "d1", "a2", "e2", "c2")
    assert str(position) == "ee/exexe/ee x"
    assert position.outcome() is papan.Outcome.X_WINS


def test_a_board_may_have_more_edges_than_a_word_has_bits() -> None:
    start = gallery("dots_and_boxes.py:rows=8,columns=8").start()
    assert plain_perft(start, 2) == 144 * 143
    assert start.play("b17", "a16", "b15", "q2", "c16").side == "x"
