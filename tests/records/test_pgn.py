"""Chess in the notation of books, and games in PGN."""

import re
from random import Random

import pytest

import papan
from papan.errors import IllegalMove, InvalidMove, RecordError
from papan.records.model import Record
from papan.records.text import is_pgn, read_pgn, write_pgn

SICILIAN = """[Event "Casual game"]
[White "Ani"]
[Black "Budi"]
[Result "0-1"]

1. e4 {best by test} c5 2. Nf3 $1 d6 ; a remark
3. d4 cxd4 4. Nxd4 Nf6 0-1

[Event "Another"]
"""


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "b1d2", "Nbd2"),
        ("R7/8/8/4k3/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4"),
        ("8/7k/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "a4d1", "Qa4d1"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_moves_of_chess_in_algebraic_notation(line: str, code: str, text: str) -> None:
    position = papan.game("chess").position(line)
    assert position.book_line([code]) == [text]
    assert str(position.play(text)) == str(position.play(code))


def test_what_is_written_reads_back_as_the_same_move() -> None:
    game = papan.game("chess")
    position = game.start()
    for move, after in position.random_walk(Random(3), 60):
        [text] = position.book_line([move])
        assert game.read_move(text, position.state) == game.read_move(move, position.state)
        position = after


def test_signs_and_zeros_do_not_matter_and_illegal_moves_are_refused() -> None:
    start = papan.game("chess").start()
    assert str(start.play("e4!?")) == str(start.play("e2e4"))
    castled = start.play("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
    assert str(castled.play("0-0")) == str(castled.play("e1g1"))
    with pytest.raises((IllegalMove, InvalidMove)):
        start.play("Nf4")


def test_other_games_keep_their_notation() -> None:
    position = papan.game("adjacency").start()
    assert not position.game.has_book_notation
    assert position.book_line(["c4"]) == ["c4"]


def test_a_game_in_pgn_is_read_without_its_remarks() -> None:
    assert is_pgn(SICILIAN)
    start, moves = read_pgn(SICILIAN)
    assert start == ""
    words = re.findall(r"[A-Za-z]\S+", moves)
    assert words == ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6"]


def test_a_record_is_written_as_pgn() -> None:
    record = Record("chess", 'Ani "A"', "Budi", ("e2e4", "e7e5"), "draw", "agreement")
    text = write_pgn(record, papan.game("chess").start())
    assert '[White "Ani \\"A\\""]' in text
    assert text.endswith("\n\n1. e4 e5 1/2-1/2\n\n")
    assert is_pgn(text)


def test_a_line_that_is_no_header_is_named() -> None:
    with pytest.raises(RecordError, match="nonsense"):
        read_pgn('[Event "x"]\nnonsense\n\n1. e4')
