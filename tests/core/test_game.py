"""Games and positions for Python users, held to the oracle move by move."""

import copy
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import papan
from papan.core.board.pieces import NOTHING
from papan.core.game import Outcome, Position
from papan.errors import GameOver, IllegalMove, InvalidMove, InvalidPosition, InvalidSpec
from reference import truth
from reference.splitmix import random_moves, replay
from support import SPECS, middles, reached, thoroughly

REPLAYS = [*truth.adjacency_replays(), *truth.platforms_replays(), *truth.corners_replays()]
choices = st.lists(st.integers(0, 1000), max_size=80)


@given(st.sampled_from(SPECS), choices)
def test_a_game_goes_as_the_oracle_says(spec: str, numbers: list[int]) -> None:
    position, root = papan.game(spec).start(), truth.start(spec)
    for number in numbers:
        moves = position.moves()
        assert moves == list(root.moves())
        assert (position.outcome() is not None) == root.over()
        if not moves:
            break
        move = moves[number % len(moves)]
        position, root = position.play(move), root.play(move)
        assert str(position) == getattr(root, "position", root).line()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seed", range(3))
def test_the_end_comes_when_the_oracle_says_with_the_same_winner(spec: str, seed: int) -> None:
    moves = random_moves(truth.start(spec), seed)
    root, end = replay(truth.start(spec), moves), reached(spec, seed)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winner == root.winner()
    assert end.moves() == end.codes() == []


@pytest.mark.parametrize("case", REPLAYS, ids=str)
def test_random_games_lead_to_the_positions_of_the_tables(case: truth.ReplayCase) -> None:
    start = papan.game(case.spec).start()
    position = replay(start, random_moves(start, case.seed, case.plies))
    assert str(position) == case.line
    assert papan.game(case.spec).position(case.line).state == position.state


@pytest.mark.parametrize("case", list(truth.corners_games())[::4], ids=str)
def test_random_games_of_corners_end_as_verified(case: truth.GameCase) -> None:
    start = papan.game(case.spec).start()
    moves = random_moves(start, case.seed)
    outcome = replay(start, moves).outcome()
    assert len(moves) == case.plies
    assert outcome is not None
    assert outcome.winner == case.winner


# --- positions


def test_playing_gives_a_new_position_and_leaves_the_old_one() -> None:
    start = papan.game("adjacency:rounds=8").start()
    after = start.play("c4")
    assert str(start) == "6oo/6oo/8/8/8/8/xx6/xx6 x 16"
    assert str(after) == "6oo/6oo/8/8/2x5/8/xx6/xx6 o 15"
    assert (start.side, after.side) == ("x", "o")


@pytest.mark.parametrize("spec", SPECS)
def test_copies_and_pickles_are_equal_and_hash_alike(spec: str) -> None:
    for position, _ in middles(spec, 3):
        for twin in (
            copy.copy(position),
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),
        ):
            assert twin == position
            assert hash(twin) == hash(position)
            assert twin.moves() == position.moves()


def test_different_games_and_histories_make_different_positions() -> None:
    short, long = papan.game("adjacency:rounds=8"), papan.game("adjacency")
    assert short.position(str(long.start())) != long.start()
    once = reached("corners", 1, 10)
    assert once != Position(once.game, once.state)


@pytest.mark.parametrize("spec", SPECS)
def test_a_random_walk_goes_to_the_end_by_legal_moves_and_comes_again_with_its_seed(
    spec: str,
) -> None:
    start = papan.game(spec).start()
    steps = list(start.random_walk(Random(7)))
    assert steps == list(start.random_walk(Random(7)))
    assert steps != list(start.random_walk(Random(8)))
    position = start
    for move, after in steps:
        position = position.play(move)
        assert position == after
    assert position.outcome() is not None


def test_a_random_walk_can_be_cut_off() -> None:
    start = papan.game("corners").start()
    whole = list(start.random_walk(Random(1)))
    assert list(start.random_walk(Random(1), 5)) == whole[:5]
    assert list(start.random_walk(Random(1), 0)) == []
    assert list(whole[-1][1].random_walk(Random(1))) == []


def test_a_move_may_be_given_as_text_or_number() -> None:
    start = papan.game("corners").start()
    assert start.play(start.codes()[0]) == start.play(start.moves()[0])


@pytest.mark.parametrize(
    ("spec", "move", "error", "named"),
    [
        ("adjacency", "a1", IllegalMove, "'a1'"),
        ("adjacency", "a9", InvalidMove, "'a9'"),
        ("adjacency:size=4", "e1", InvalidMove, "'e1'"),
        ("adjacency", "", InvalidMove, "''"),
        ("adjacency", "C4", InvalidMove, "'C4'"),
        ("adjacency", "c4 ", InvalidMove, "'c4 '"),
        ("adjacency", -1, IllegalMove, "'-1'"),
        ("platforms", "c3", IllegalMove, "'c3'"),
        ("platforms", "a3", IllegalMove, "'a3'"),
        ("platforms", "b22", InvalidMove, "'b22'"),
        ("corners", "f3", InvalidMove, "'f3'"),
        ("corners", "f3-f4", InvalidMove, "'f3-f4'"),
        ("corners", "f3f5", IllegalMove, "'f3f5'"),
        ("corners", "a6a5", IllegalMove, "'a6a5'"),
        ("corners", "f4f3", IllegalMove, "'f4f3'"),
    ],
)
def test_a_wrong_move_is_refused_in_one_line_that_names_it(
    spec: str, move: Any, error: type[Exception], named: str
) -> None:
    with pytest.raises(error) as caught:
        papan.game(spec).start().play(move)
    assert type(caught.value) is error
    assert named in str(caught.value)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["adjacency:size=4", "platforms", "corners"])
def test_a_move_after_the_end_is_refused_with_the_outcome(spec: str) -> None:
    end = reached(spec, 4)
    outcome = end.outcome()
    assert outcome is not None
    move = papan.game(spec).start().moves()[0]
    with pytest.raises(GameOver, match=outcome.value):
        end.play(move)


def test_a_position_shows_its_game_and_line() -> None:
    position = papan.game("platforms:level=2").start()
    assert repr(position) == "<platforms:level=2 122/222/221 x a3 c1>"


def test_the_empty_line_is_the_start() -> None:
    game = papan.game("corners")
    assert game.position() == game.position("") == game.start()


# --- outcomes and contents


def test_points_are_a_half_for_a_draw() -> None:
    assert [Outcome.DRAW.points(side) for side in "xo"] == [0.5, 0.5]
    assert [Outcome.X_WINS.points(side) for side in "xo"] == [1.0, 0.0]
    assert [Outcome.O_WINS.points(side) for side in "xo"] == [0.0, 1.0]


def test_an_outcome_names_its_winner() -> None:
    assert [outcome.winner for outcome in Outcome] == ["x", "o", None]
    assert [Outcome.of_winner(side) for side in (0, 1)] == [Outcome.X_WINS, Outcome.O_WINS]


@pytest.mark.parametrize("spec", SPECS)
def test_contents_show_what_the_line_says(spec: str) -> None:
    for position, root in middles(spec, 4):
        contents = position.game.contents(position.state)
        pieces = [content.owner or "." for _, content in sorted(contents.items())]
        board = getattr(root, "position", root)
        if position.game.name == "platforms":
            assert [content.number for _, content in sorted(contents.items())] == [
                *board.durability
            ]
            assert (pieces[board.x], pieces[board.o]) == ("x", "o")
        else:
            assert "".join(pieces) == board.squares


def test_an_empty_cell_has_no_piece() -> None:
    assert (
        papan.game("adjacency").start().game.contents(papan.game("adjacency").start().state)[0]
        == NOTHING
    )


# --- options


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("adjacency:rounds=1", "rounds"),
        ("adjacency:rounds=29", "2 … 28"),
        ("adjacency:size=4,rounds=5", "2 … 4"),
        ("adjacency:size=3", "'3'"),
        ("adjacency:size=9", "'9'"),
        ("adjacency:size=4x", "'4x'"),
        ("adjacency:first=z", "'z'"),
        ("adjacency:colour=red", "'colour'"),
        ("platforms:size=7", "3 … 6"),
        ("platforms:level=0", "1 … 3"),
        ("platforms:level=two", "'two'"),
        ("corners:size=8", "'size'"),
    ],
)
def test_an_option_out_of_range_is_refused_with_what_was_expected(spec: str, named: str) -> None:
    with pytest.raises(InvalidSpec) as caught:
        papan.game(spec)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_builds_an_equal_game_again(spec: str) -> None:
    game = papan.game(spec)
    assert papan.game(game.spec) == game
    assert hash(papan.game(game.spec)) == hash(game)


def test_positions_of_another_size_are_refused() -> None:
    line = str(papan.game("adjacency:size=5").start())
    with pytest.raises(InvalidPosition, match="5 rows, expected 8"):
        papan.game("adjacency").position(line)


@pytest.mark.parametrize(
    ("spec", "moves", "line"),
    [
        ("tictactoe", "a1 b1 a2 b2 a3", "a1 a2 a3"),
        ("tictactoe", "a1 b1 a2 b2", ""),
        ("tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3 c3", ""),
        ("gomoku:size=5,row=3", "a1 a2 b1 b2 e5 d2 c1", "a1 b1 c1"),
        ("hex:size=3", "a1 b1 a2 b2 a3", "a1 a2 a3"),
        ("adjacency:size=4", "", ""),
    ],
)
def test_a_won_game_tells_the_row_or_chain_that_has_won_it(
    spec: str, moves: str, line: str
) -> None:
    position = papan.game(spec).start().play(*moves.split())
    assert sorted(position.winning_line()) == line.split()


@pytest.mark.parametrize(
    ("spec", "length"),
    [("ultimate_tic_tac_toe", 9), *thoroughly(("connect_four", 4), ("pentago", 5))],
)
def test_the_places_that_have_won_belong_to_the_winner(spec: str, length: int) -> None:
    start = papan.game(spec).start()
    for seed in range(6):
        *_, (_, position) = start.random_walk(Random(seed))
        outcome, line = position.outcome(), position.winning_line()
        contents = position.game.contents(position.state)
        owners = {contents[position.game.board.square(name)].owner for name in line}
        assert owners == ({outcome.winner} if outcome and outcome.winner else set())
        assert not line or len(line) >= length
