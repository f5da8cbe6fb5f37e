"""perft counts what the verified tables say, compiled and in plain Python."""

import os
import signal
import threading
from typing import Any

import pytest

import papan
from papan.core.game import Position
from papan.errors import InvalidLimit
from papan.search.limits import Stop
from papan.search.perft import divide, perft
from papan.search.workspace import new_workspace
from reference import search as oracle
from reference import truth
from support import SPECS, Sample, middles

MOST_PLAIN = 3_000  # leaves that the plain Python rules count in a moment
CASES = [*truth.adjacency_perft(), *truth.platforms_perft(), *truth.corners_perft()]
FEW_LEAVES = [case for case in CASES if case.nodes <= MOST_PLAIN]


def position_of(case: truth.Case) -> Position:
    return papan.game(case.spec).position(case.line)


def plain_perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(plain_perft(position.after(code), depth - 1) for code in position.codes())


def test_compiled_perft_counts_as_many_leaves_as_verified() -> None:
    found = {case: perft(position_of(case), case.depth) for case in CASES}
    assert found == {case: case.nodes for case in found}


def test_the_same_rules_in_plain_python_count_as_many(sample: Sample) -> None:
    found = {case: plain_perft(position_of(case), case.depth) for case in sample(FEW_LEAVES, 3)}
    assert found == {case: case.nodes for case in found}


def test_six_plies_of_corners_have_the_published_number_of_leaves() -> None:
    assert perft(papan.game("corners").start(), 6) == 9_305_982


def test_divide_gives_each_move_its_share_in_order(sample: Sample) -> None:
    for case in sample(FEW_LEAVES, 3):
        shares = divide(position_of(case), case.depth)
        expected = oracle.divide(truth.parse(case), case.depth)
        assert list(shares.items()) == list(expected.items()), str(case)


@pytest.mark.parametrize("spec", SPECS)
def test_perft_sees_what_a_position_sees(spec: str) -> None:
    for position, _ in middles(spec, 4):
        assert perft(position, 2) == plain_perft(position, 2)


def test_the_tree_of_depth_0_is_one_leaf() -> None:
    assert perft(papan.game("corners").start(), 0) == 1


def test_a_finished_game_has_no_leaves() -> None:
    over = papan.game("platforms").position("001/000/110 x a3 c1")
    assert perft(over, 3) == 0
    assert divide(over, 1) == {}


@pytest.mark.parametrize("depth", [-1, 129])
def test_a_depth_out_of_range_is_refused_by_name(depth: int) -> None:
    with pytest.raises(InvalidLimit, match=str(depth)):
        perft(papan.game("corners").start(), depth)


def test_a_thrown_switch_leaves_out_the_moves_not_counted() -> None:
    stop = Stop()
    stop.set()
    assert divide(papan.game("corners").start(), 9, stop) == {}


def test_ctrl_c_ends_the_counting() -> None:
    def count() -> None:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        perft(papan.game("corners").start(), 20)

    with pytest.raises(KeyboardInterrupt):
        count()


def test_an_error_while_counting_is_not_taken_for_no_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*args: object) -> int:
        raise LookupError("no rules")

    monkeypatch.setattr("papan.search.perft.count_leaves", fail)
    with pytest.raises(LookupError, match="no rules"):
        perft(papan.game("corners").start(), 2)


def test_the_memory_of_one_move_is_free_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = list[Any]()

    def noted(position: Position) -> Any:
        kept.append(workspace := new_workspace(position))
        return workspace

    monkeypatch.setattr("papan.search.perft.new_workspace", noted)
    stop = Stop()
    assert len(divide(papan.game("tictactoe").start(), 2, stop)) == len(kept) == 9
    assert stop._workspaces == kept[-1:]
