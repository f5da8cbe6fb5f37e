"""The changes of the board that each legal move makes."""

from random import Random

import pytest

import papan
from papan.errors import InvalidGame
from papan.jit.interpreter import without_compiling
from papan.search import board_changes
from papan.search.board_changes import Change, changes_of
from papan.usercode.gallery import gallery
from support import at_length

#: One kind of piece a side, several kinds, numbers on places, and changes far from the move.
QUICK = ("adjacency", "chess", "kalah", "othello")


@pytest.mark.parametrize("name", [*QUICK, *at_length(*sorted({*gallery()} - {*QUICK}))])
def test_changes_are_the_differences_of_both_boards(name: str) -> None:
    start = papan.game(name).start()
    for _, position in start.random_walk(Random(1), 6):
        before = position.game.contents(position.state)
        with without_compiling():
            changes = changes_of(position)
        assert changes.keys() <= {*position.codes()}
        for code in position.codes()[:40]:
            after = position.game.contents(position.after(code).state)
            places = enumerate(position.game.board.places)
            assert changes.get(code, []) == [
                Change(index, after[place.number])
                for index, place in places
                if after[place.number] != before[place.number]
            ]


def test_a_table_that_is_too_small_is_made_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    position = papan.game("othello").start()
    with without_compiling():
        changes = changes_of(position)
        monkeypatch.setattr(board_changes, "_FIRST_ROWS", 3)
        assert changes_of(position) == changes


def test_an_impossible_piece_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    position = papan.game("tictactoe").start()
    monkeypatch.setattr(type(position.game), "pieces", ())
    with without_compiling(), pytest.raises(InvalidGame, match="piece_at"):
        changes_of(position)
