"""The value of every move, as far as it can be proven."""

from random import Random

import pytest

import papan
from papan.errors import InvalidLimit
from papan.search.limits import Limit
from papan.solve.move_values import ProvenMove, move_values
from papan.solve.solve import solve
from reference import platforms
from reference import search as oracle
from support import GALLERY, gallery

FOUR = "connect_four.py"
WORDS = {1: "win", 0: "draw", -1: "loss"}


def test_moves_have_the_outcomes_and_distances_that_playing_all_games_out_gives() -> None:
    position = papan.game("platforms:size=3,level=1").start()
    found = oracle.solve_moves(platforms.parse(str(position)), {})
    told = {one.move: (one.outcome, one.plies) for one in move_values(position)}
    assert told == {move: (WORDS[found[move].value], found[move].plies) for move in found}


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["adjacency:size=4", f"{GALLERY}/{FOUR}"])
def test_they_are_those_of_solving_each_move_in_the_games_order(spec: str) -> None:
    walk = list(papan.game(spec).start().random_walk(Random(3)))
    position = walk[-6][1]
    values = move_values(position)
    solution = solve(position, every=True)
    assert [value.move for value in values] == position.moves()
    assert {value.move: value.value for value in values} == solution.values
    assert max(value.value or 0 for value in values) == solution.value


@pytest.mark.thorough
def test_a_near_win_is_known_where_the_rest_is_not() -> None:
    position = gallery(FOUR).start().play("a", "b", "a", "b", "a", "c")
    values = {one.move: one for one in move_values(position, limit=Limit(nodes=2000))}
    assert values["a"] == ProvenMove("a", "win", 1, 9999)
    assert (values["a"].sign, values["d"].sign) == ("+", "?")


def test_moves_of_a_game_that_cannot_be_solved_are_not_known() -> None:
    values = move_values(gallery("go.py:size=9").start())
    assert {value.sign for value in values} == {"?"}
    assert values[0].as_dict() == {"move": "a9", "outcome": None, "plies": None, "value": None}


def test_a_finished_game_has_no_moves_and_memory_out_of_range_is_refused() -> None:
    start = gallery(FOUR).start()
    assert move_values(start.play("a", "b", "a", "b", "a", "b", "a")) == ()
    with pytest.raises(InvalidLimit, match="memory"):
        move_values(start, memory_mb=0)


def test_a_win_at_once_in_corners_is_known_where_the_graph_of_its_positions_is_too_large() -> None:
    position = papan.game("corners").position("xxx5/xxx5/xx1x4/3ooo2/3ooo2/3ooo2/8/8 x")
    found = {value.move: value for value in move_values(position, limit=Limit(nodes=20_000))}
    assert (found["d6c6"].outcome, found["d6c6"].plies) == ("win", 1)
    assert [value.outcome for value in found.values()].count("win") == 1
    assert None in [value.outcome for value in found.values()]
