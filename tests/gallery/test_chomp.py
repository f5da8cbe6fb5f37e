"""Chomp of the gallery."""

import pytest

import papan
from reference import chomp
from support import gallery, plain_perft


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (4, 5)])
def test_it_has_as_many_leaves_as_the_oracle_counts(rows: int, columns: int) -> None:
    start = gallery(f"chomp.py:rows={rows},columns={columns}").start()
    for depth in (1, 2, 3):
        assert plain_perft(start, depth) == chomp.perft(chomp.start(rows, columns), depth)


def test_who_eats_the_poison_loses() -> None:
    position = gallery("chomp.py:rows=2,columns=2").start().play("b1", "a1")
    assert str(position) == "pc/2 x"
    assert position.play("a2").outcome() is papan.Outcome.O_WINS
    assert position.game.position(str(position)) == position


def test_the_first_player_wins_by_the_moves_of_the_oracle() -> None:
    bar = chomp.start(3, 4)
    best = {f"{'abcd'[c]}{3 - r}" for r, c in bar if not chomp.is_won(chomp.play(bar, r, c))}
    assert best == {"c2"}
