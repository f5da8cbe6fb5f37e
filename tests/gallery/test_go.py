"""Go of the gallery, beside an oracle in plain dicts."""

from random import Random

import pytest

from papan.core.game import Outcome
from papan.search.perft import perft
from reference import go
from support import gallery, plain_perft, thoroughly

GAME = gallery("go.py")


def test_it_has_the_known_number_of_moves() -> None:
    """With a pass at each ply: 82, and then 81 · 81 + 82."""
    assert plain_perft(GAME.start(), 1) == 82
    assert len(GAME.start().play("e5").moves()) == 81
    assert len(GAME.start().play("pass").moves()) == 82


@pytest.mark.thorough
def test_it_has_the_known_number_of_leaves() -> None:
    assert perft(GAME.start(), 2) == 6643


@pytest.mark.parametrize("size", [5, 8, *thoroughly(7, 13, 19)])
def test_passing_has_a_number_of_its_own_on_each_board(size: int) -> None:
    position = gallery(f"go.py:size={size}").start()
    assert len(position.moves()) == size * size + 1
    assert position.play("a1").moves()[-1] == "pass"
    ended = position.play("a1", "pass", "pass")
    assert (ended.moves(), ended.outcome()) == ([], Outcome.X_WINS)


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize(("seed", "size"), [(1, 5), *thoroughly((1, 9), (2, 9), (3, 9), (4, 7))])
def test_it_goes_as_the_oracle_says(seed: int, size: int, suicide: bool) -> None:
    """Boards that are nearly full are played on, so that much is captured; some are compared."""
    game = gallery(f"go.py:size={size},suicide={'yes' if suicide else 'no'}")
    letters = "abcdefghi"
    position, chance = game.start(), Random(seed)
    board, side, past = go.start(size), "x", [go.start(size)]
    for ply in range(160):
        moves = [move for move in position.moves() if move != "pass"]
        if ply % 16 == 0 or ply > 150:
            legal = go.moves(board, side, past, suicide=suicide)
            assert moves == sorted(moves, key=moves.index)
            assert set(moves) == {f"{letters[x]}{y + 1}" for x, y in legal}
        if not moves:
            break
        move = chance.choice(moves)
        position = position.play(move)
        board = go.play(board, side, (letters.index(move[0]), int(move[1]) - 1))
        past, side = [*past, board], go.OTHER[side]
    assert game.position(str(position)).state == position.state
    ended = position.play("pass", "pass")
    ahead = 2 * (go.area(board, "x") - go.area(board, "o")) - 15
    assert ended.outcome() is (Outcome.X_WINS if ahead > 0 else Outcome.O_WINS)


def test_a_ko_cannot_be_taken_back_at_once() -> None:
    position = GAME.position("9/9/9/3xo4/2x1xo3/3xo4/9/9/9 o 0").play("d5")
    assert str(position) == "9/9/9/3xo4/2xo1o3/3xo4/9/9/9 x 0"
    assert "e5" not in position.moves()
    assert "e5" in position.play("a1", "i9").moves()


def test_a_stone_that_takes_its_own_chain_away_is_suicide() -> None:
    position = GAME.position("9/9/9/9/9/9/9/oo7/1xo6 x 0")
    assert "a1" in position.moves()
    assert str(position.play("a1")) == "9/9/9/9/9/9/9/oo7/2o6 o 0"


def test_suicide_can_be_forbidden_but_captures_stay_legal() -> None:
    game = gallery("go.py:suicide=no")
    suicide = game.position("9/9/9/9/9/9/9/oo7/1xo6 x 0")
    capture = game.position("9/9/9/9/9/9/x8/ox7/1o7 x 0")
    single = game.position("9/9/9/9/9/9/9/o8/1o7 x 0")
    assert "a1" not in suicide.moves() and "c2" in suicide.moves()
    assert "a1" in capture.moves()
    assert "a1" not in single.moves()
    assert "a1" in game.position("9/9/9/9/9/9/9/o8/1o7 o 0").moves()


def test_two_passes_end_the_game_and_the_komi_decides() -> None:
    position = GAME.start().play("pass", "pass")
    assert (position.moves(), position.outcome()) == ([], Outcome.O_WINS)
    one_stone = GAME.start().play("e5", "pass", "pass")
    assert one_stone.outcome() is Outcome.X_WINS
