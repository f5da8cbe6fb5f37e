"""Games whose values, symmetries or compiled code break a promise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from fakes.breaking import breaks, put, put_default
from fakes.take_away import NoIdea, TakeAway
from papan.core.game import Game
from papan.games.adjacency.evaluation import PieceDifference
from papan.games.adjacency.rules import AdjacencyState
from papan.games.platforms.evaluation import Undecided
from papan.games.platforms.rules import PlatformsState
from papan.rules.bits import bit, lowest, of_squares, popcount, squares
from papan.rules.operations import moves
from papan.testing import check_game

# --- values --------------------------------------------------------------------------------------


@breaks("whole")
def half_a_piece(patch: pytest.MonkeyPatch) -> str:
    put(patch, "evaluate", PieceDifference, lambda evaluation, state: 0.5)
    return "adjacency:size=4"


@breaks("apart")
def a_heuristic_value_like_a_win(patch: pytest.MonkeyPatch) -> str:
    put(patch, "evaluate", Undecided, lambda evaluation, state: 900)
    return "platforms"


@breaks("evaluate-after")
def a_leaf_value_that_forgets_the_flips(patch: pytest.MonkeyPatch) -> str:
    def value(evaluation: PieceDifference, state: AdjacencyState, move: int, ply: int) -> int:
        return popcount(state.mine) - popcount(state.theirs) + 1

    put(patch, "evaluate_after", PieceDifference, value)
    return "adjacency:size=4"


@breaks("evaluate-after")
def a_leaf_value_that_forgets_the_ply_of_a_win(patch: pytest.MonkeyPatch) -> str:
    right = put(
        patch, "evaluate_after", Undecided, lambda e, state, move, ply: right(e, state, move, 0)
    )
    return "platforms"


@breaks("strategy")
def a_sure_move_that_promises_too_much(patch: pytest.MonkeyPatch) -> str:
    put(patch, "strategy_value", AdjacencyState, lambda state: 16)
    return "adjacency:size=4"


@breaks("strategy")
def a_sure_move_that_cannot_be_followed_up(patch: pytest.MonkeyPatch) -> str:
    put(patch, "strategy_move", PlatformsState, lambda state: state.theirs)
    return "platforms"


@breaks("look-ahead")
def a_game_that_sees_no_win_at_once(patch: pytest.MonkeyPatch) -> str:
    put(patch, "can_win_at_once", PlatformsState, lambda state: False)
    return "platforms:size=3"


@breaks("look-ahead")
def a_game_to_which_all_moves_are_safe(patch: pytest.MonkeyPatch) -> str:
    put(patch, "safe_moves", PlatformsState, moves)
    return "platforms:size=3"


@breaks("index")
def a_game_whose_positions_have_one_number(patch: pytest.MonkeyPatch) -> str:
    put(patch, "index_count", PlatformsState, lambda state: 1)
    return "platforms:size=3"


@breaks("index")
def a_game_with_a_number_beyond_the_last_one(patch: pytest.MonkeyPatch) -> str:
    put(patch, "index_count", PlatformsState, lambda state: 1)
    put(patch, "index", PlatformsState, lambda state: 1)
    return "platforms:size=3"


class NoEvaluation(TakeAway):
    """Take-away that nothing can be searched with."""

    evaluations = {}


@breaks("evaluations")
def a_game_without_evaluation(patch: pytest.MonkeyPatch) -> Game:
    return NoEvaluation()


# --- symmetry ------------------------------------------------------------------------------------


@breaks("symmetry-moves")
def moves_that_all_turn_into_the_same_one(patch: pytest.MonkeyPatch) -> str:
    put(patch, "transform_move", AdjacencyState, lambda state, move, index: 0)
    return "adjacency:size=4"


@breaks("symmetry-values")
def a_value_that_prefers_the_left(patch: pytest.MonkeyPatch) -> str:
    put(patch, "evaluate", PieceDifference, lambda evaluation, s: lowest(s.mine | s.theirs) % 8)
    put_default(patch, PieceDifference, "evaluate_after")
    return "adjacency:size=4"


@breaks("symmetry-play")
def a_move_that_flips_to_the_left_only(patch: pytest.MonkeyPatch) -> str:
    def play(state: AdjacencyState, move: int) -> AdjacencyState:
        flipped = state.theirs & (bit(move) >> np.uint64(1))
        rest = state.empty & ~bit(move)
        mine = state.mine | flipped | bit(move)
        plies = state.plies_left - 1
        return AdjacencyState(state.theirs & ~flipped, mine, rest, plies, 1 - state.side)

    put(patch, "play", AdjacencyState, play)
    put_default(patch, AdjacencyState, "next_key")
    put_default(patch, PieceDifference, "evaluate_after")
    return "adjacency:size=5"


@breaks("symmetry-identity")
def a_numbering_that_does_not_begin_with_the_identity(patch: pytest.MonkeyPatch) -> str:
    def transform(state: PlatformsState, index: int) -> PlatformsState:
        return turned(state, (index + 1) % 8, move)

    def transform_move(state: PlatformsState, square: int, index: int) -> int:
        return move(state, square, (index + 1) % 8)

    move = put(patch, "transform_move", PlatformsState, transform_move)
    put(patch, "transform", PlatformsState, transform)
    return "platforms:size=4"


@breaks("symmetry-bijection")
def a_quarter_turn_without_the_way_back(patch: pytest.MonkeyPatch) -> str:
    def transform(state: PlatformsState, index: int) -> PlatformsState:
        return turned(state, 5 * index, move)

    def transform_move(state: PlatformsState, square: int, index: int) -> int:
        return move(state, square, 5 * index)

    move = put(patch, "transform_move", PlatformsState, transform_move)
    put(patch, "transform", PlatformsState, transform)
    put(patch, "symmetry_count", PlatformsState, lambda state: 2)
    return "platforms:size=4"


def turned(state: PlatformsState, index: int, move: Callable[..., int]) -> PlatformsState:
    """A state under a symmetry, square by square; `move` says where a square goes."""

    def image(found: list[int]) -> np.uint64:
        return of_squares([move(state, square, index) for square in found])

    one, two, three = (image(squares(bits)) for bits in (state.one, state.two, state.three))
    pawns = (move(state, state.mine, index), move(state, state.theirs, index))
    return PlatformsState(one, two, three, *pawns, state.side, state.size)


@breaks("compiled")
def rules_that_changed_after_they_were_compiled(patch: pytest.MonkeyPatch) -> Game:
    check_game(TakeAway(), games=1)
    put(patch, "evaluate", NoIdea, lambda evaluation, state: state.left)
    return TakeAway()
