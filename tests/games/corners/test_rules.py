"""Corners: what the oracle and the tables say about moves, ends and values."""

import pytest

import papan
from papan.core.game import Outcome
from papan.games.corners.evaluation import CornerDistance, progress, steps_to_go
from papan.games.corners.rules import CornersState
from papan.rules import operations as rules
from reference import corners, truth
from support import middles

WON = "xxx5/xxx5/xxx5/3o4/8/6oo/5ooo/5ooo o"


@pytest.mark.parametrize("case", list(truth.corners_moves()), ids=str)
def test_each_position_has_the_moves_of_the_oracle_and_the_table(case: truth.MovesCase) -> None:
    position = papan.game("corners").position(case.line)
    assert position.moves() == corners.parse(case.line).moves()
    assert rules.count_moves(position.state) == len(position.moves()) == case.legal_moves


def test_only_pieces_in_their_goal_step_back_and_only_for_want_of_a_forward_move() -> None:
    kinds = {case.line: case.kind for case in truth.corners_moves()}
    backward = [line for line, kind in kinds.items() if kind == "backward_only"]
    for line in backward:
        position = papan.game("corners").position(line)
        state: CornersState = position.state
        assert position.codes()
        assert all(progress(state.side, code) == -1 for code in position.codes())
    for position, _ in middles("corners", 6):
        forward = [progress(position.state.side, code) > 0 for code in position.codes()]
        assert all(forward) or not any(forward)


def test_a_filled_goal_wins() -> None:
    position = papan.game("corners").position(WON)
    assert position.outcome() is Outcome.X_WINS
    assert position.moves() == []
    assert rules.terminal_points(position.state, 3) == corners.evaluate(corners.parse(WON), 3)


def test_a_filled_goal_comes_before_a_third_occurrence() -> None:
    once = papan.game("corners").position(WON)
    thrice = papan.Position(once.game, once.state, (once.key, 1, once.key, 1))
    assert thrice.outcome() is Outcome.X_WINS


def test_a_side_without_any_move_loses() -> None:
    (stuck,) = (case for case in truth.corners_moves() if case.kind == "stuck")
    position = papan.game("corners").position(stuck.line)
    outcome = position.outcome()
    assert position.moves() == []
    assert outcome is not None
    assert outcome.winner == corners.parse(stuck.line).winner() != position.side


def test_the_evaluation_is_the_difference_of_the_steps_to_go() -> None:
    for position, game in middles("corners", 8):
        root, state = game.position, position.state
        assert rules.evaluate(CornerDistance(), state) == root.difference()
        assert steps_to_go(state.side, state.mine) == root.distance(root.side)


def test_the_facts_count_down_to_nought() -> None:
    start = papan.game("corners").start()
    assert start.facts()["fact.x-to-go"] == start.facts()["fact.o-to-go"] > 0
    assert papan.game("corners").position(WON).facts()["fact.x-to-go"] == 0
