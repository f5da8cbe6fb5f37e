"""First answers in games with many moves, for which kernels in plain Python are too slow."""

from typing import Any

import pytest

import papan
from papan.jit import interpreter
from papan.search.registry import algorithm
from papan.web.engines.engine_worker import (
    MOST_EVALUATED,
    EngineRequest,
    EngineWorker,
    evaluate_moves,
)
from support import thoroughly

HEX = "hex:size=11"


@pytest.fixture(autouse=True)
def _without_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "is_ready", lambda *_: False)


def answer_of(task: EngineRequest) -> Any:
    """The result of a worker that compiles nothing."""
    told: list[str] = []
    found = EngineWorker().move(task, lambda what, content: told.append(what))
    assert told == ["begin"]
    return found


@pytest.mark.parametrize("player", ["level:5", "best", *thoroughly("engine:time=1", "mcts:time=2")])
@pytest.mark.parametrize("game", [HEX, *thoroughly("amazons", "go:size=9", "gomoku")])
def test_a_first_move_is_legal_and_that_of_its_seed(game: str, player: str) -> None:
    task = EngineRequest("move", game, player=player, seed=3, seconds=10.0)
    first = answer_of(task)
    assert first["plain"] and first["move"] in task.position().moves()
    assert answer_of(task) == first


def test_moves_late_in_a_game_with_many_moves_do_not_wait_either() -> None:
    position = papan.game(HEX).start()
    moves = position.moves()[:60]
    task = EngineRequest("move", HEX, moves=tuple(moves), player="level:5", seconds=10.0)
    assert len(task.position().codes()) <= interpreter.FEW_MOVES
    assert answer_of(task)["move"] in task.position().moves()


def test_an_analysis_begins_with_the_evaluations_of_the_moves() -> None:
    position = papan.game(HEX).start().play("f6")
    evaluation, searching = position.game.strongest_evaluation, algorithm("engine:lines=3")
    found = EngineWorker()._first_result(position, searching, evaluation, 1)
    assert found and found.depth == 1 and not found.proven
    values = [line.value for line in found.lines]
    assert len(values) == 3 and values == sorted(values, reverse=True)
    assert found.lines[0].moves == found.pv == (found.move,)


def test_of_very_many_moves_a_sample_is_evaluated() -> None:
    position = papan.game("amazons").start()
    found = evaluate_moves(position, position.game.default_evaluation, seed=1)
    assert found.nodes == MOST_EVALUATED < len(position.codes())
