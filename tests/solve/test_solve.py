"""The way into exact solving: limits, stopping, progress, and what cannot be solved."""

import threading
from collections.abc import Callable

import pytest

import papan
from fakes.take_away import TakeAway
from papan.core.game import Position
from papan.errors import InvalidLimit, Unsolved, UsageError
from papan.messages import Messages
from papan.search.limits import Limit, Stop, memory_of_machine
from papan.solve import base, proof_table
from papan.solve.base import Progress, Work
from papan.solve.null_window import NullWindowSolver
from papan.solve.proof_table import most_slots, new_proofs
from papan.solve.solve import cheap_solution, prepare, solve
from support import CountingStop

#: One position for each solver that takes far longer than any test.
ENDLESS = ["adjacency:size=6,rounds=12", "adjacency:size=6", "platforms:size=6,level=3", "corners"]
#: Nodes between a word to stop and the end: some milliseconds.
FEW = 20_000
KEYS = {"game", "position", "outcome", "value", "plies", "moves", "nodes", "seconds"}


def test_a_solution_as_json_has_the_promised_keys() -> None:
    found = solve(papan.game("platforms:size=3,level=1").start()).as_dict()
    assert set(found) == KEYS | {"method", "proven", "value_nodes"}
    assert found["outcome"] == "win"
    assert (found["value"], found["plies"], found["moves"]) == (993, 7, ["b2"])
    assert found["proven"] is True
    assert found["nodes"] > 0


@pytest.mark.parametrize("spec", ["adjacency:size=4", "platforms:size=3,level=1"])
def test_a_finished_game_has_its_result_and_no_moves(spec: str) -> None:
    position = papan.game(spec).start()
    while position.outcome() is None:
        position = position.play(position.moves()[0])
    solution = solve(position)
    assert (solution.moves, solution.plies) == ((), 0)
    winner = position.outcome()
    assert winner is not None
    expected = {1.0: "win", 0.5: "draw", 0.0: "loss"}[winner.points(position.side)]
    assert solution.outcome == expected


@pytest.mark.parametrize("spec", ENDLESS)
def test_the_word_to_stop_ends_the_work_after_few_nodes(spec: str) -> None:
    position, stop = papan.game(spec).start(), CountingStop()
    prepare(position)
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    with pytest.raises(Unsolved, match="stopped"):
        solve(position, stop=stop)
    timer.join()
    assert stop.nodes_since <= FEW


@pytest.mark.parametrize("spec", ENDLESS)
def test_a_time_limit_holds_and_leaves_the_callers_switch_alone(spec: str) -> None:
    stop = Stop()
    with pytest.raises(Unsolved, match=r"within 0\.1 seconds"):
        solve(papan.game(spec).start(), limit=Limit(seconds=0.1), stop=stop)
    assert not stop.is_set()


@pytest.mark.parametrize("spec", ENDLESS)
def test_what_takes_too_long_is_not_cheap(spec: str) -> None:
    assert cheap_solution(papan.game(spec).start(), seconds=0.1, nodes=10_000) is None


def reports_on(
    position: Position,
    monkeypatch: pytest.MonkeyPatch,
    counts: Callable[[Progress], object] = lambda report: report.nodes,
) -> list[Progress]:
    """Three reports that count, on a work that is stopped then."""
    monkeypatch.setattr(base, "REPORT_EVERY", 0.05)
    reports, stop = list[Progress](), Stop()

    def take(report: Progress) -> None:
        if counts(report):
            reports.append(report)
        if len(reports) == 3:
            stop.set()

    with pytest.raises(Unsolved, match="stopped"):
        solve(position, stop=stop, on_progress=take)
    return reports


def test_progress_is_reported_until_the_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = reports_on(papan.game("platforms:size=6,level=3").start(), monkeypatch)
    assert all(one.nodes > 0 and one.share is None for one in reports)
    assert "papan-progress" not in {thread.name for thread in threading.enumerate()}


def test_progress_over_sets_of_squares_says_how_much_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = papan.game("adjacency:size=6").start()
    reports = reports_on(start, monkeypatch, lambda report: report.share)
    shares = [one.share or 0.0 for one in reports]
    assert shares[0] > 0 and shares == sorted(shares) and shares[-1] <= 1


@pytest.mark.thorough
@pytest.mark.parametrize("counters", [1, 3, 4, 8, 21])
def test_a_game_that_solving_knows_nothing_about_is_solved_too(counters: int) -> None:
    """Take one to three counters, the last one wins: multiples of four are lost."""
    position = TakeAway(heap=counters).start()
    solution = solve(position)
    assert solution.outcome == ("loss" if counters % 4 == 0 else "win")
    assert solution.plies is None
    if counters % 4:
        assert solution.moves == (str(counters % 4),)


@pytest.mark.parametrize("megabytes", [0, -1, 0.5, 10**6, float("nan")])
def test_memory_out_of_range_is_refused(megabytes: float) -> None:
    with pytest.raises(InvalidLimit, match="memory"):
        solve(papan.game("platforms").start(), memory_mb=megabytes)


def test_tables_stay_within_memory_while_they_grow() -> None:
    position = papan.game("platforms:size=3,level=3").start()
    small = solve(position, memory_mb=1)
    large = solve(position)
    assert (small.value, small.moves) == (large.value, large.moves)
    work = Work(position, 1)
    slots = most_slots(work, 24)
    assert slots * 24 * 9 // 8 <= 2**20
    assert new_proofs(work, 1 << 40).words.nbytes == slots * 24


def test_a_table_grows_without_losing_what_was_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_table, "_SMALLEST", 1 << 13)
    position = papan.game("platforms:size=3,level=3").start()
    work = Work(position)
    solver = NullWindowSolver()
    value = solver.exact(work, position.state, 0)
    assert solver.proofs is not None
    assert int(solver.proofs.mask) + 1 > 1 << 13
    nodes = work.nodes
    assert solver.exact(work, position.state, 0, value) == value
    assert work.nodes - nodes <= 4


def test_tables_never_take_more_than_most_of_the_machine() -> None:
    assert 0 < Work(papan.game("platforms").start(), 16_384).bytes < memory_of_machine()


@pytest.mark.parametrize("language", ["en", "id"])
def test_why_there_is_no_solution_is_one_line_that_names_the_position(language: str) -> None:
    position = papan.game("corners").start()
    with pytest.raises(UsageError) as caught:
        solve(position, limit=Limit(nodes=100))
    text = Messages(language).explain(caught.value)
    assert str(position) in text
    assert "\n" not in text
