"""Moves as actions, positions as planes, boards as pixels."""

import random

import numpy as np
import pytest

import papan
from papan.adapters.observation import (
    MOST_CODES,
    SQUARE,
    Actions,
    View,
    actions_of,
    board_pixels,
    planes_of,
)
from papan.errors import IllegalMove, UsageError
from support import SPECS, TESTS, reached

EXAMPLES = TESTS.parent / "examples" / "games"


@pytest.mark.parametrize("spec", SPECS)
def test_the_legal_actions_are_the_legal_moves_to_the_end_of_a_random_game(spec: str) -> None:
    position = papan.game(spec).start()
    actions = actions_of(position.game)
    chance = random.Random(1)
    while True:
        legal = actions.legal(position)
        assert [actions.text(action) for action in legal] == position.moves()
        assert np.flatnonzero(actions.mask(position)).tolist() == legal
        if not legal:
            break
        action = chance.choice(legal)
        assert actions.action(actions.text(action)) == action
        assert actions.after(position, action) == position.play(actions.text(action))
        position = actions.after(position, action)
    assert position.outcome() is not None


@pytest.mark.parametrize(
    ("spec", "count"),
    [("adjacency", 64), ("adjacency:size=5", 25), ("platforms:size=3", 9), ("corners", 4096)],
)
def test_actions_have_no_gaps(spec: str, count: int) -> None:
    assert len(actions_of(papan.game(spec))) == count


ROLES = {"pawn": 8, "knight": 2, "bishop": 2, "rook": 2, "queen": 1, "king": 1}


def test_a_pass_is_an_action_as_any_other() -> None:
    actions = actions_of(papan.game(str(EXAMPLES / "othello.py")))
    assert len(actions) == 64
    assert actions.text(actions.action("pass")) == "pass"


@pytest.mark.parametrize("action", [-1, 6, 63, 64, 10**9])
def test_an_action_that_is_not_legal_is_refused(action: int) -> None:
    position = papan.game("adjacency").position("6oo/6oo/8/8/8/8/xx6/xx5x x 5")
    with pytest.raises(IllegalMove, match="legal"):
        actions_of(position.game).after(position, action)


def test_a_game_whose_moves_have_no_actions_is_refused_by_name() -> None:
    game = papan.game("adjacency")
    with pytest.raises(UsageError, match=f"adjacency.*{MOST_CODES}"):
        Actions(game, tuple(range(32))).legal(game.start())


def test_planes_tell_pieces_side_turn_and_what_is_left() -> None:
    position = papan.game("adjacency:size=4,rounds=3").position("2oo/2oo/xxo1/xx2 x 2")
    planes = planes_of(position.game)
    seen = dict(zip(planes.names, planes.observe(position, "o"), strict=True))
    assert seen["own"].tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert seen["other"].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]
    assert {float(seen["is-x"].min()), float(seen["to-move"].max())} == {0.0}
    assert np.allclose(seen["plies-left"], 2 / 6)
    assert planes.observe(position, "x")[list(planes.names).index("is-x")].all()


def test_planes_tell_how_often_a_square_can_be_stepped_on() -> None:
    position = papan.game("platforms:size=3,level=2").position("122/202/221 x a3 c1")
    planes = planes_of(position.game)
    seen = dict(zip(planes.names, planes.observe(position, "x"), strict=True))
    assert seen["steps-1"].tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    assert seen["steps-2"].tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_planes_tell_kinds_of_pieces_and_numbers_apart() -> None:
    chess = papan.game("chess").start()
    planes = planes_of(chess.game)
    seen = dict(zip(planes.names, planes.observe(chess, "x"), strict=True))
    assert planes.shape[1:] == (8, 8)
    assert {name: int(plane.sum()) for name, plane in seen.items() if name.startswith("o")} == {
        f"{side}-{role}": count for side in ("own", "other") for role, count in ROLES.items()
    }
    assert seen["own-pawn"][6].all() and seen["other-pawn"][1].all()
    kalah = papan.game("kalah").start()
    names = planes_of(kalah.game).names
    numbers = planes_of(kalah.game).observe(kalah, "x")[names.index("number")]
    assert sorted(set(numbers.flat)) == [0.0, np.float32(4 / 5)]


def test_planes_tell_that_a_position_is_near_a_draw_by_repetition() -> None:
    position = papan.game("corners").start()
    planes = planes_of(position.game)
    again = type(position)(position.game, position.state, (position.key, 1))
    index = planes.names.index("repeated")
    assert planes.observe(position, "x")[index].max() == 0.0
    assert planes.observe(again, "x")[index].min() == 0.5


@pytest.mark.parametrize("spec", SPECS)
def test_planes_are_between_0_and_1_to_the_end_of_a_game(spec: str) -> None:
    for plies in (0, 3, None):
        position = reached(spec, 1, plies)
        planes = planes_of(position.game)
        for side in "xo":
            seen = planes.observe(position, side)
            assert (seen.shape, seen.dtype) == (planes.shape, np.float32)
            assert 0 <= seen.min() <= seen.max() <= 1


def test_pixels_show_discs_rings_and_used_up_squares() -> None:
    pixels = board_pixels(papan.game("platforms:size=3,level=1").start())
    assert (pixels.shape, pixels.dtype) == ((3 * SQUARE, 3 * SQUARE, 3), np.uint8)
    middle = SQUARE // 2
    disc, ring, fresh = (pixels[at, at] for at in (middle, 2 * SQUARE + middle, SQUARE + middle))
    used_up = pixels[SQUARE // 8, SQUARE // 8]
    assert disc.tolist() != used_up.tolist() == ring.tolist() != fresh.tolist()


def test_an_unknown_way_to_render_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"'human'.*ansi, rgb_array"):
        View.of("corners", "human")


def test_a_game_from_a_file_has_a_view() -> None:
    view = View.of(str(EXAMPLES / "connect_four.py"), "ansi")
    assert view.mask(view.game.start(), "x").tolist() == [1] * 7
    assert view.mask(view.game.start(), "o").tolist() == [0] * 7
    assert "a  b  c  d  e  f  g" in view.render(view.game.start(), None)
