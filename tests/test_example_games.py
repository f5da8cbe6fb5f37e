"""The games under examples/games keep every promise, and are the games they are called after."""

import random
from pathlib import Path

import pytest

import papan
from papan.core.game import Position
from papan.errors import IllegalMove
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.perft import perft
from papan.search.registry import algorithm
from papan.solve.solve import solve
from papan.testing import check_game
from reference import connect_four, gomoku, othello
from support import at_length

FOLDER = Path(__file__).parent.parent / "examples" / "games"
TIC_TAC_TOE, CONNECT_FOUR, OTHELLO, GOMOKU = (
    str(FOLDER / f"{name}.py") for name in ("tictactoe", "connect_four", "othello", "gomoku")
)
#: Gomoku's games are short on a board that still takes several words.
SMALLER = f"{GOMOKU}:size=9,row=4"
SHORT_ADJACENCY = str(FOLDER / "short_adjacency.py")

#: The lines of a game that the tutorial promises, about.
LINES = 60

#: Published numbers of leaves from the start, from depth 1 on; a pass is a move.
OTHELLO_PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)
CONNECT_FOUR_PERFT = (7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572)


def start(path: str) -> Position:
    """The start of the game in a file."""
    return papan.game(path).start()


@pytest.mark.parametrize(
    "path", [TIC_TAC_TOE, *at_length(CONNECT_FOUR, OTHELLO, SHORT_ADJACENCY, SMALLER)]
)
def test_every_example_keeps_its_promises(path: str) -> None:
    check_game(path, games=8)


@pytest.mark.parametrize("name", ["tictactoe", "short_adjacency"])
def test_a_game_takes_about_sixty_lines(name: str) -> None:
    lines = (FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip()]
    assert len(code) <= LINES


def test_tic_tac_toe_has_its_known_number_of_games() -> None:
    """127,872 games last nine plies, of all 255,168; they end early after 5 to 8."""
    assert [perft(start(TIC_TAC_TOE), depth) for depth in (5, 6, 9)] == [15120, 54720, 127872]


def test_tic_tac_toe_is_a_draw() -> None:
    solution = solve(start(TIC_TAC_TOE))
    assert (solution.outcome, len(solution.moves)) == ("draw", 9)


@pytest.mark.thorough
def test_a_win_in_tic_tac_toe_is_found() -> None:
    position = papan.game(TIC_TAC_TOE).position("xx1/oo1/3 x")
    result = search(position, Limit(depth=3), algorithm=algorithm("engine"))
    assert (result.move, result.proven) == ("c3", True)


@pytest.mark.thorough
def test_games_in_one_process_keep_to_their_own_rules() -> None:
    """All of them call their state `State`, with the same fields."""
    found = {path: perft(start(path), 4) for path in (TIC_TAC_TOE, CONNECT_FOUR, OTHELLO)}
    assert found == {TIC_TAC_TOE: 3024, CONNECT_FOUR: 2401, OTHELLO: 244}
    for path in found:
        search(start(path), Limit(depth=3), algorithm=algorithm("alphabeta"))
        assert perft(start(path), 4) == found[path]


# --- Othello -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(OTHELLO_PERFT, 1)))
def test_othello_has_the_published_numbers_of_leaves(depth: int, leaves: int) -> None:
    assert perft(start(OTHELLO), depth) == leaves


@pytest.mark.parametrize("depth", range(1, 6))
def test_the_oracle_of_othello_has_them_too(depth: int) -> None:
    assert othello.perft(othello.start(), "x", depth) == OTHELLO_PERFT[depth - 1]


@pytest.mark.parametrize("seed", range(10))
def test_othello_goes_as_the_oracle_says_passes_and_all(seed: int) -> None:
    position, board, side = start(OTHELLO), othello.start(), "x"
    chance = random.Random(seed)
    while legal := othello.moves(board, side):
        assert (position.moves(), position.side) == (legal, side)
        move = chance.choice(legal)
        position, board = position.play(move), othello.play(board, side, move)
        side = othello.OTHER[side]
    discs = [list(board.values()).count(one) for one in "xo"]
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == ("x" if discs[0] > discs[1] else "o" if discs[1] > discs[0] else None)


def test_random_games_of_othello_have_passes() -> None:
    """Else the test above would say nothing about them."""
    passes = 0
    for seed in range(10):
        board, side, chance = othello.start(), "x", random.Random(seed)
        while legal := othello.moves(board, side):
            passes += legal == ["pass"]
            board = othello.play(board, side, chance.choice(legal))
            side = othello.OTHER[side]
    assert passes >= 3


def test_a_pass_is_no_square_and_no_square_is_a_pass() -> None:
    position = papan.game(OTHELLO).position("8/8/8/3xo3/3xx3/8/8/8 o")
    assert "pass" not in position.moves()
    with pytest.raises(IllegalMove):
        position.play("d5")


# --- Connect Four --------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(CONNECT_FOUR_PERFT, 1)))
def test_connect_four_has_the_published_numbers_of_leaves(depth: int, leaves: int) -> None:
    assert perft(start(CONNECT_FOUR), depth) == leaves


def test_the_oracle_of_connect_four_counts_the_same_near_the_end() -> None:
    """From the start it would take the oracle hours to come to a win."""
    position, columns, side = start(CONNECT_FOUR), connect_four.EMPTY, "x"
    chance = random.Random(1)
    for _ in range(24):
        after = {move: connect_four.play(columns, side, move) for move in position.moves()}
        quiet = [move for move in after if not connect_four.winner(after[move])]
        move = chance.choice(quiet)
        position, columns = position.play(move), after[move]
        side = connect_four.OTHER[side]
    assert position.outcome() is None
    for depth in range(1, 6):
        assert perft(position, depth) == connect_four.perft(columns, side, depth)


@pytest.mark.parametrize("seed", range(20))
def test_connect_four_goes_as_the_oracle_says(seed: int) -> None:
    position, columns, side = start(CONNECT_FOUR), connect_four.EMPTY, "x"
    chance = random.Random(seed)
    while legal := connect_four.moves(columns):
        assert (position.moves(), position.side) == (legal, side)
        move = chance.choice(legal)
        position, columns = position.play(move), connect_four.play(columns, side, move)
        side = connect_four.OTHER[side]
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner or "") == connect_four.winner(columns)


# --- Gomoku --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_gomoku_has_its_number_of_leaves() -> None:
    assert [perft(start(GOMOKU), depth) for depth in (1, 2, 3)] == [225, 50_400, 11_239_200]


@pytest.mark.thorough
def test_gomoku_on_a_small_board_has_as_many_as_the_oracle_counts() -> None:
    small = start(f"{GOMOKU}:size=3,row=3")
    for depth in range(1, 7):
        assert perft(small, depth) == gomoku.perft({}, "x", depth, (3, 3))


@pytest.mark.parametrize("spec", ["size=3,row=3", "size=8,row=4", "size=9,row=4", "size=15,row=5"])
@pytest.mark.parametrize("seed", range(3))
def test_gomoku_goes_as_the_oracle_says(spec: str, seed: int) -> None:
    game = papan.game(f"{GOMOKU}:{spec}")
    position, stones, side = game.start(), {}, "x"
    size, row = game.size, game.row  # type: ignore[attr-defined]
    chance = random.Random(seed)
    while legal := gomoku.moves(stones, size, row):
        assert (position.moves(), position.side) == (legal, side)
        move = chance.choice(legal)
        position, stones = position.play(move), gomoku.play(stones, side, move)
        assert game.position(str(position)) == position
        side = gomoku.OTHER[side]
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner or "") == gomoku.winner(stones, row)


@pytest.mark.thorough
def test_the_oracle_of_gomoku_counts_the_same_near_the_end() -> None:
    game, chance = papan.game(f"{GOMOKU}:size=9,row=4"), random.Random(4)
    squares = chance.sample(game.start().moves(), 14)
    stones, position = {}, game.start()
    for move in squares:
        stones, position = gomoku.play(stones, position.side, move), position.play(move)
    for depth in (1, 2):
        assert perft(position, depth) == gomoku.perft(stones, position.side, depth, (9, 4))


@pytest.mark.parametrize("name", at_length("alphabeta", "pvs", "engine", "mcts"))
def test_searches_see_a_row_that_wins_on_a_board_of_several_words(name: str) -> None:
    position = papan.game(GOMOKU).start().play("k11", "a1", "k12", "a2", "k13", "a3", "k14", "c15")
    result = search(position, Limit(depth=2, seconds=20), algorithm=algorithm(name))
    assert result.move in ("k10", "k15")


@pytest.mark.thorough
def test_a_small_board_of_gomoku_is_solved() -> None:
    assert solve(start(f"{GOMOKU}:size=3,row=3")).outcome == "draw"
