"""Boards as text."""

import pytest

import papan
from papan.figures.terminal_board import text_board
from support import SPECS, gallery, reached


def lines(position, last_move=None):
    return [line.rstrip() for line in text_board(position, last_move).plain.split("\n")]


def test_a_board_has_its_coordinates_and_its_pieces():
    assert lines(papan.game("adjacency:size=4x5").start()) == [
        "4  ·  ·  ·  o  o",
        "3  ·  ·  ·  o  o",
        "2  x  x  ·  ·  ·",
        "1  x  x  ·  ·  ·",
        "   a  b  c  d  e",
    ]


def test_the_last_move_stands_in_brackets():
    position = papan.game("adjacency:size=4").start().play("b3")
    assert lines(position, "b3")[1] == "3  · [x] x  o"


def test_the_row_that_has_won_stands_in_round_brackets():
    position = papan.game("tictactoe").start().play(*["a1", "b1", "a2", "b2", "a3"])
    assert lines(position, "a3") == ["3 [x] ·  ·", "2 (x) o  ·", "1 (x) o  ·", "   a  b  c"]


def test_a_move_from_one_square_to_another_marks_both():
    position = papan.game("corners").start().play("f3f4")
    assert lines(position, "f3f4")[4:6] == [
        "4  ·  ·  ·  ·  · [x] ·  ·",
        "3  ·  ·  ·  ·  · [·] x  x",
    ]


def test_platforms_show_steps_left_pawns_and_what_is_used_up():
    position = papan.game("platforms:level=2").position("012/222/201 x a3 c1")
    assert lines(position) == [
        "3  x0   1   2",
        "2   2   2   2",
        "1   2   #  o1",
        "    a   b   c",
    ]
    assert lines(position.play("b2"), "b2")[1] == "2   2 [x1]  2"


def test_the_sides_and_the_last_move_have_styles_of_their_own():
    position = papan.game("corners").start().play("f3f4")
    styles = {
        text: str(span.style)
        for span in text_board(position, "f3f4").spans
        if (text := text_board(position, "f3f4").plain[span.start : span.end].strip())
    }
    assert "reverse" in styles["[x]"]
    assert "reverse" not in styles["x"]
    assert len({styles["x"], styles["o"], styles["·"]}) == 3


@pytest.mark.parametrize("spec", SPECS)
def test_every_line_of_every_board_is_equally_wide(spec):
    for plies in (0, 1, 5):
        board = text_board(reached(spec, seed=3, plies=plies))
        assert len({len(line) for line in board.plain.split("\n")}) == 1


def test_words_that_name_no_squares_mark_nothing():
    frame = papan.game("corners").board
    assert frame.places_in("f3f4") == [frame.square("f3"), frame.square("f4")]
    assert frame.places_in("pass") == []
    assert frame.places_in("") == []


def test_lying_and_upright_edges_stand_where_they_are():
    start = papan.game("dots_and_boxes:rows=1,columns=2").start()
    assert lines(start.play("b3", "c2")) == [
        "3     ─     ·",
        "2  ·     │     ·",
        "1     ·     ·",
        "   a  b  c  d  e",
    ]


def test_letters_stand_along_the_edges_that_belong_to_a_side() -> None:
    position = gallery("hex.py:size=3").start().play("b2")
    assert [line.rstrip() for line in text_board(position).plain.split("\n")] == [
        "     x   x   x",
        "1  o ·   ·   · o",
        "   2 o ·   x   · o",
        "     3 o ·   ·   · o",
        "         x   x   x",
        "          a   b   c",
    ]
