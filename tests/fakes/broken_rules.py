"""Games whose rules break a promise."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest

from fakes.breaking import breaks, put, put_default
from fakes.take_away import TakeAway, TakeAwayState
from papan.core.game import Game, Outcome, Position
from papan.games.adjacency.evaluation import PieceDifference
from papan.games.adjacency.rules import AdjacencyState
from papan.games.corners import Corners
from papan.games.corners.rules import CornersState
from papan.games.platforms.rules import PlatformsState
from papan.rules import operations as rules
from papan.rules.bits import bit, squares
from papan.rules.operations import nth_walked

# --- rules that are wrong ------------------------------------------------------------------------


@breaks("ascending")
def moves_from_the_last_to_the_first(patch: pytest.MonkeyPatch) -> str:
    put(patch, "head", AdjacencyState, lambda state, rest: squares(rest)[-1])
    put(patch, "tail", AdjacencyState, lambda state, rest: rest & ~bit(squares(rest)[-1]))
    return "adjacency:size=4"


@breaks("walk-ends")
def a_walk_that_stays_where_it_is(patch: pytest.MonkeyPatch) -> str:
    put(patch, "tail", PlatformsState, lambda state, rest: rest)
    return "platforms"


@breaks("same-answer")
def moves_that_depend_on_how_often_they_were_made(patch: pytest.MonkeyPatch) -> Game:
    made = count()
    right = rules.play.implementation(TakeAwayState)
    put(patch, "play", TakeAwayState, lambda state, m: right(state, m + next(made) % 2))
    return TakeAway()


@breaks("move-numbers")
def moves_with_numbers_beyond_the_tables(patch: pytest.MonkeyPatch) -> str:
    right = rules.head.implementation(CornersState)
    put(patch, "head", CornersState, lambda state, rest: right(state, rest) + 4096)
    return "corners"


@breaks("over")
def over_one_move_too_early(patch: pytest.MonkeyPatch) -> str:
    put(patch, "is_over", AdjacencyState, lambda state: state.plies_left <= 1)
    return "adjacency:size=4"


@breaks("over")
def never_over(patch: pytest.MonkeyPatch) -> str:
    put(patch, "is_over", PlatformsState, lambda state: False)
    return "platforms"


@breaks("count")
def one_move_too_many_in_the_count(patch: pytest.MonkeyPatch) -> str:
    right = rules.count_moves.implementation(CornersState)
    put(patch, "count_moves", CornersState, lambda state: right(state) + 1)
    return "corners"


@breaks("nth")
def a_quick_way_to_a_move_that_leads_to_the_next_one(patch: pytest.MonkeyPatch) -> str:
    def next_one(state: AdjacencyState, rest: np.uint64, index: int) -> int:
        return nth_walked(state, rest, (index + 1) % rules.count_moves(state))

    put(patch, "nth_left", AdjacencyState, next_one)
    return "adjacency:size=4"


@breaks("codes")
def moves_that_stay_after_the_end(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Position, "codes", lambda self: [1, 2, 3])
    return "adjacency:size=4"


@breaks("outcome")
def the_loser_wins(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Position, "outcome", lambda self: Outcome.X_WINS if not _walked(self) else None)
    return "platforms:size=4"


def _walked(position: Position) -> bool:
    return bool(rules.more(position.state, rules.moves(position.state)))


@breaks("win-value")
def a_loss_that_is_worth_something_of_its_own(patch: pytest.MonkeyPatch) -> str:
    put(patch, "final_value", PlatformsState, lambda state: -7)
    return "platforms"


@breaks("finite")
def a_final_value_beyond_infinity(patch: pytest.MonkeyPatch) -> str:
    put(patch, "final_value", AdjacencyState, lambda state: 1 << 30)
    put_default(patch, PieceDifference, "evaluate_after")
    return "adjacency:size=4"


@breaks("max-plies-left")
def a_bound_one_ply_too_low(patch: pytest.MonkeyPatch) -> str:
    put(patch, "max_plies_left", AdjacencyState, lambda state: state.plies_left - 1)
    return "adjacency:size=4"


@breaks("max-plies")
def a_maximum_that_games_exceed(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Corners, "max_plies", property(lambda self: 20))
    return "corners"


@breaks("raises")
def a_rule_that_fails(patch: pytest.MonkeyPatch) -> str:
    put(patch, "play", AdjacencyState, lambda state, move: [][move])
    return "adjacency:size=4"


@breaks("raises")
def an_operation_that_is_missing(patch: pytest.MonkeyPatch) -> str:
    patch.delitem(rules.final_value._implementations, PlatformsState)
    return "platforms"


@breaks("raises")
def moves_that_cannot_be_walked(patch: pytest.MonkeyPatch) -> str:
    put(patch, "moves", PlatformsState, lambda state: 1 / 0)
    return "platforms"


# --- states and keys -----------------------------------------------------------------------------


@breaks("state-class")
def a_move_that_returns_a_bare_tuple(patch: pytest.MonkeyPatch) -> str:
    right = put(patch, "play", PlatformsState, lambda state, move: tuple(right(state, move)))
    return "platforms"


class LooseState(TakeAway):
    """Take-away that starts from a state with a number of numpy's."""

    def start_state(self) -> Any:
        return super().start_state()._replace(left=np.int64(21))


@breaks("state-fields")
def a_state_of_other_numbers(patch: pytest.MonkeyPatch) -> Game:
    return LooseState()


@breaks("same-types")
def a_move_that_turns_bits_into_plain_numbers(patch: pytest.MonkeyPatch) -> str:
    def play(state: AdjacencyState, move: int) -> AdjacencyState:
        child = right(state, move)
        return child._replace(mine=int(child.mine))

    right = put(patch, "play", AdjacencyState, play)
    return "adjacency:size=4"


@breaks("sides")
def a_side_that_moves_twice(patch: pytest.MonkeyPatch) -> str:
    right = put(patch, "play", PlatformsState, lambda s, move: right(s, move)._replace(side=s.side))
    return "platforms"


@breaks("key-type")
def a_key_that_is_a_plain_number(patch: pytest.MonkeyPatch) -> str:
    right = put(patch, "key", AdjacencyState, lambda state: int(right(state)))
    return "adjacency:size=4"


@breaks("next-key")
def a_key_that_forgets_the_flipped_pieces(patch: pytest.MonkeyPatch) -> str:
    def next_key(state: AdjacencyState, old: np.uint64, move: int) -> np.uint64:
        return right(state._replace(theirs=np.uint64(0)), old, move)

    right = put(patch, "next_key", AdjacencyState, next_key)
    return "adjacency:size=4"


@breaks("keys-differ")
def a_key_that_forgets_the_plies_left(patch: pytest.MonkeyPatch) -> str:
    right = put(patch, "key", PlatformsState, lambda s: right(s._replace(one=s.one & bit(s.mine))))
    put_default(patch, PlatformsState, "next_key")
    return "platforms:size=4"


@breaks("copies")
def positions_that_hash_by_address(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Position, "__hash__", object.__hash__)
    return "adjacency:size=4"
