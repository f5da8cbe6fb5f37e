"""Platforms: what the oracle and the tables say about steps, ends and values."""

import pytest

import papan
from papan.rules import operations as rules
from reference import platforms, truth
from support import reached

SOLVED = list(truth.platforms_solved())


@pytest.mark.parametrize("size", range(3, 7))
@pytest.mark.parametrize("level", range(1, 4))
@pytest.mark.parametrize("first", ["x", "o"])
def test_every_board_starts_as_the_rules_say(size: int, level: int, first: str) -> None:
    start = papan.game(f"platforms:size={size},level={level},first={first}").start()
    assert str(start) == platforms.start(size, level, first).line()
    assert rules.max_plies_left(start.state) == start.game.max_plies == size * size * level - 2


@pytest.mark.parametrize("case", SOLVED, ids=str)
def test_each_solved_position_has_the_moves_of_the_table(case: truth.SolvedCase) -> None:
    position = papan.game(case.spec).position(case.line)
    assert position.moves() == [move for move, _, _ in case.moves]
    assert case.plies <= rules.max_plies_left(position.state)


@pytest.mark.parametrize("seed", range(6))
def test_who_cannot_step_has_lost(seed: int) -> None:
    end = reached("platforms:size=4,level=2", seed)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winner != end.side
    assert rules.terminal_points(end.state, 7) == platforms.evaluate(platforms.parse(str(end)), 7)


def test_an_unfinished_game_is_worth_nothing_yet() -> None:
    start = papan.game("platforms").start()
    assert rules.evaluate(start.game.default_evaluation, start.state) == 0
