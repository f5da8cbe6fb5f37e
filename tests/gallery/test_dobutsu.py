"""Dōbutsu shōgi of the gallery."""

from pathlib import Path
from random import Random

import pytest

import papan
from papan.core.game import Outcome
from papan.search.perft import perft
from papan.tablebase.lookup import verify
from reference import tablebase as oracle
from reference.dobutsu import Dobutsu
from support import GALLERY, gallery, plain_perft

GAME = gallery("dobutsu.py")


def test_it_has_the_published_number_of_leaves() -> None:
    assert [plain_perft(GAME.start(), depth) for depth in (1, 2, 3)] == [4, 17, 123]


@pytest.mark.thorough
def test_it_has_it_at_depth_six_too() -> None:
    assert perft(GAME.start(), 6) == 71_677


def test_random_games_are_those_of_the_oracle() -> None:
    chance = Random(5)
    for _ in range(60):
        position, plain = GAME.start(), Dobutsu()
        while moves := plain.moves():
            assert (str(position), sorted(position.moves())) == (plain.line(), sorted(moves))
            move = chance.choice(moves)
            plain, position = plain.play(move), GAME.position(str(position)).play(move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == ("o" if plain.side == "x" else "x")


def test_an_elephant_beside_another_one_still_catches_a_lion_on_a_diagonal() -> None:
    position = GAME.position("1L1/e1l/1e1/3 o 0,0,0,0,0,0")
    assert position.outcome() is None
    assert "a3-b4" in position.moves()


@pytest.mark.long
def test_positions_with_the_sides_exchanged_are_one_in_a_tablebase(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    text = (GALLERY / "dobutsu.py").read_text(encoding="utf-8")
    file.write_text(text.replace("(lambda state: 4)", "(lambda state: 1)"), encoding="utf-8")
    root = Dobutsu("l.....C....L", (0, 0, 0, 0, 0, 1))
    less = papan.tablebase(GAME.position(root.line()))
    plain = papan.tablebase(papan.game(str(file)).position(root.line()))
    assert 3.9 * less.positions < plain.positions == less.images == plain.images
    assert verify(less) == less.positions
    met = Random(3).choices(sorted(lines(root)), k=300)
    assert all(less.value(line) == plain.value(line) for line in met)


def lines(root: Dobutsu) -> set[str]:
    """All positions that can be reached from one."""
    return {position.line() for position in oracle.reachable(root)}


def test_what_is_caught_is_put_on_the_board_again() -> None:
    position = GAME.start().play("b2-b3")
    assert str(position) == "gle/1C1/3/ELG o 1,0,0,0,0,0"
    position = position.play("b4-b3", "C-b2")
    assert str(position) == "g1e/1l1/1C1/ELG o 0,0,0,1,0,0"
    assert GAME.position(str(position)).state == position.state


def test_a_chick_that_arrives_is_a_hen_and_once_caught_a_chick() -> None:
    position = GAME.position("2l/C2/3/L2 x 0,0,0,0,0,0").play("a3-a4")
    assert str(position) == "H1l/3/3/L2 o 0,0,0,0,0,0"
    position = GAME.position("Hl1/3/3/L2 o 0,0,0,0,0,0").play("b4-a4")
    assert str(position) == "l2/3/3/L2 x 0,0,0,1,0,0"
    put = GAME.position("2l/3/3/L2 x 1,0,0,0,0,0").play("C-a4")
    assert str(put) == "C1l/3/3/L2 o 0,0,0,0,0,0"


def test_who_catches_the_lion_wins() -> None:
    position = GAME.position("1l1/1C1/3/1L1 x 0,0,0,0,0,0").play("b3-b4")
    assert (position.moves(), position.outcome()) == ([], Outcome.X_WINS)


def test_a_lion_that_crosses_the_board_wins_unless_it_can_be_caught() -> None:
    tried = GAME.position("3/L2/2l/3 x 0,0,0,0,0,0").play("a3-a4")
    assert tried.outcome() is Outcome.X_WINS
    caught = GAME.position("1l1/L2/3/3 x 0,0,0,0,0,0").play("a3-a4")
    assert caught.outcome() is None
    assert caught.play("b4-a4").outcome() is Outcome.O_WINS


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    around = ("c1-c2", "a4-a3", "c2-c1", "a3-a4")
    assert GAME.start().play(*around).outcome() is None
    assert GAME.start().play(*around, *around).outcome() is Outcome.DRAW
