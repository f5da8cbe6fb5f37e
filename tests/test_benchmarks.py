"""Benchmarks are found by name, agree with their C++ twins, and say when a promise is broken."""

import json
import shutil
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest

from benchmarks import ablation, algorithms, alphabeta, collisions, perft, run, tables, threads
from benchmarks.tools.report import Report, Table
from papan.bench import GAMES, SUITE
from papan.search.table import REPLACEMENTS

needs_compiler = pytest.mark.skipif(
    shutil.which("g++") is None, reason="the twins are C++, and there is no compiler"
)


@pytest.mark.parametrize("name", run.names())
def test_every_benchmark_has_a_title_and_can_be_run(name: str) -> None:
    module = import_module(f"benchmarks.{name}")
    assert len(run.title(module)) > 10
    assert callable(module.run)


@needs_compiler
@pytest.mark.parametrize("benchmark", [alphabeta, perft])
def test_papan_and_the_twins_find_what_is_known(benchmark: ModuleType) -> None:
    report: Report = benchmark.run(quick=True)
    facts = [check for check in report.checks if not check.timed]
    assert len(facts) >= 6
    assert [check for check in facts if not check.kept] == []


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of one position of each game, to depths that take no time."""
    shallow = {each.game: each.__class__(each.spec, each.line, 4, 5) for each in SUITE}
    for module in (ablation, tables, threads):
        monkeypatch.setattr(module, "SUITE", tuple(shallow.values()))
    monkeypatch.setattr(tables, "QUICK_SIZES", (8,))
    monkeypatch.setattr(algorithms, "QUICK_DEPTHS", dict.fromkeys(algorithms.QUICK_DEPTHS, 3))


@pytest.mark.thorough
@pytest.mark.usefixtures("few")
def test_threads_are_timed_beside_one() -> None:
    report = threads.run(quick=True)
    assert len(report.tables[0].rows) == len(GAMES)
    assert [check.promised for check in report.checks] == ["< 0.65"]


@pytest.mark.thorough
@pytest.mark.usefixtures("few")
def test_each_strategy_of_the_table_is_counted_on_each_game() -> None:
    costs, means = tables.run(quick=True).tables
    assert {row[0] for row in costs.rows} == set(GAMES)
    assert all(cell > 0 for row in costs.rows for cell in row[-len(REPLACEMENTS) :])  # type: ignore[operator]
    assert min(means.rows[0]) >= 1  # type: ignore[type-var]


def test_collisions_load_and_wrong_answers_of_the_table_are_those_of_random_keys() -> None:
    keys = collisions.keys_of("adjacency", 3000)
    for bits in (12, 16, 20):
        expected = collisions.expected_pairs(len(keys), bits)
        assert abs(collisions.colliding_pairs(keys, bits) - expected) < 5 * expected**0.5
    assert collisions.colliding_pairs(keys, 64) == 0
    probes, expected, found = collisions.wrong_answers(keys, 8, 12)
    assert (probes, abs(found - expected) < 5 * expected**0.5) == (1500, True)
    assert collisions.wrong_answers(keys, 8, 64)[2] == 0


def test_colliding_pairs_and_wrong_answers_are_counted_one_by_one() -> None:
    keys = np.array([7, 7, 7, 1 << 63, (1 << 63) + 5], dtype=np.uint64)
    assert [collisions.colliding_pairs(keys, bits) for bits in (64, 61)] == [3, 4]
    stored, probed = [3, 16 + 5], [32 + 3, 3, 5, 6]
    both = np.array([*stored, 0, 0, *probed], dtype=np.uint64)
    assert [collisions.wrong_answers(both, 4, bits)[2] for bits in (4, 5, 64)] == [3, 2, 1]


@pytest.mark.long
@pytest.mark.usefixtures("few")
def test_each_technique_is_switched_on_each_game() -> None:
    for table in ablation.run(quick=True).tables:
        assert [row[0] for row in table.rows] == ablation.variants()
        assert len(ablation.variants()) == len(ablation.TECHNIQUES)


@pytest.mark.thorough
@pytest.mark.usefixtures("few")
def test_the_algorithms_are_compared_depth_by_depth_and_agree() -> None:
    report = algorithms.run(quick=True)
    assert report.kept
    for table in report.tables:
        assert table.columns[2:] == algorithms.ALGORITHMS
        assert [row[1] for row in table.rows] == [1, 2, 3] * len(GAMES)


def test_a_broken_promise_is_shown_and_changes_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report()
    report.expect_below("seconds", 0.5, 0.3)
    monkeypatch.setattr(alphabeta, "run", lambda quick: report)
    assert run.main(["alphabeta"]) == 1
    assert "BROKEN" in capsys.readouterr().out


def test_a_benchmark_that_cannot_be_run_says_why_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setattr(perft, "run", lambda quick: Report())
    assert run.main(["alphabeta", "perft", "--quick", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["benchmarks"]
    assert "no-such-compiler is not installed" in found["alphabeta"]["error"]
    assert found["perft"]["kept"] is True


def test_json_is_one_object_and_alone_on_stdout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report([Table("speed", ("game", "M/s"))])
    report.tables[0].add("corners", 12.5)
    report.expect_least("M/s", 12.5, 10)
    monkeypatch.setattr(perft, "run", lambda quick: report)
    assert run.main(["perft", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["benchmarks"]["perft"]
    assert found["kept"] is True
    assert found["tables"][0]["rows"] == [["corners", 12.5]]


def test_an_unknown_benchmark_is_refused_with_the_names_of_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as refusal:
        run.main(["chess"])
    assert refusal.value.code == 2
    error = capsys.readouterr().err
    assert "'chess'" in error
    assert "alphabeta" in error


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        Table("speed", ("game", "M/s")).add("corners")
