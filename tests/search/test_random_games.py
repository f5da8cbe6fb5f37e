"""Random games: every one is a legal game to its end, and seeds repeat them."""

import math
from collections import Counter

import numpy as np
import pytest

import papan
from papan.core.game import Position
from papan.errors import UsageError
from support import GALLERY

#: One with each rule of repetition, one without; go on a small board fills up and forbids moves.
GAMES = ("tictactoe", "corners", f"{GALLERY / 'go.py'}:size=5", str(GALLERY / "chess.py"))


@pytest.mark.parametrize("spec", GAMES)
def test_every_game_is_legal_and_complete(spec: str) -> None:
    game = papan.game(spec)
    for played in papan.random_games(game, 3, seed=1):
        position = game.start().play(*played.codes)
        assert position.codes() == []
        assert position.outcome() is played.outcome is not None


def test_seeds_repeat_games() -> None:
    first = papan.random_games("tictactoe", 20, seed=7)
    assert first == papan.random_games("tictactoe", 20, seed=7)
    assert first != papan.random_games("tictactoe", 20, seed=8)
    assert first == papan.random_games("tictactoe", 20, seed=np.int64(7))
    assert len({tuple(game.codes) for game in first}) > 15


def test_results_of_tic_tac_toe_have_their_known_shares() -> None:
    """Of all random games x wins 58.5 %, o 28.8 %, and 12.7 % are drawn."""
    count = 20_000
    games = papan.random_games("tictactoe", count, seed=1)
    shares = Counter(game.outcome for game in games)
    for outcome, share in zip(papan.Outcome, (0.585, 0.288, 0.127), strict=True):
        assert abs(shares[outcome] / count - share) < 4 * math.sqrt(0.25 / count)


def test_earlier_positions_count_as_repetitions() -> None:
    """In a position that stood twice before, the game is over before it begins."""
    start = papan.game("corners").start()
    key = start.position_key
    over = Position(start.game, start.state, (key, 1, key, 2))
    assert papan.random_games(over, 1)[0] == ([], papan.Outcome.DRAW)


def test_a_finished_game_has_no_moves() -> None:
    won = papan.game("tictactoe").position("xxx/oo1/3 o")
    assert papan.random_games(won, 2) == [([], papan.Outcome.X_WINS)] * 2


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(UsageError, match="games"):
        papan.random_games("tictactoe", -1)
    assert papan.random_games("tictactoe", 0) == []
