"""Benchmarks are found by name, agree with their C++ twins, and say when a promise is broken."""

import json
import shutil
from importlib import import_module
from types import ModuleType

import pytest

from benchmarks import alphabeta, perft, run
from benchmarks.tools.report import Report, Table

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
