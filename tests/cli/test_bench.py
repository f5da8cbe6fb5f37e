"""`papan bench [KIND…]`."""

import pytest

from papan.cli.bench import KINDS
from papan.search.bench import ablation, algorithms, tables, threads
from papan.search.bench.signature import SIGNATURE
from papan.search.bench.suite import SUITE
from papan.search.table import REPLACEMENTS


@pytest.fixture
def few(monkeypatch):
    """A suite of one position of each game, to depths that take no time."""
    shallow = {
        exercise.game: exercise.__class__(exercise.spec, exercise.line, 4, 5) for exercise in SUITE
    }
    for module in (ablation, tables, threads):
        monkeypatch.setattr(module, "SUITE", tuple(shallow.values()))
    monkeypatch.setattr(algorithms, "QUICK_DEPTHS", dict.fromkeys(algorithms.QUICK_DEPTHS, 3))
    return list(shallow.values())


def test_an_unknown_kind_is_refused_and_the_known_ones_are_named(papan):
    complaint = papan("bench signatur").complaint
    assert "signatur" in complaint
    for kind in KINDS:
        assert kind in complaint


def test_the_report_says_what_the_numbers_depend_on(papan, few):
    report = papan("bench threads --quick --json").report
    assert report["quick"] is True
    assert report["machine"]["cpus"] >= 1
    assert report["machine"]["numba"]


def test_the_signature_is_counted_and_compared_with_that_of_the_repository(papan):
    report = papan("bench signature --json").report["signature"]
    assert report["signature"] == sum(row["nodes"] for row in report["rows"]) == SIGNATURE
    assert report["met"] is True
    assert len(report["rows"]) == len(SUITE)


def test_threads_are_timed_beside_one(papan, few):
    report = papan("bench threads --quick --json").report["threads"]
    assert report["threads"] == 2
    assert report["promised"] == 0.65
    assert report["median"] > 0
    assert report["unshared"] > 0
    assert [row["position"] for row in report["rows"]] == [exercise.line for exercise in few]


def test_each_strategy_of_the_table_is_counted_on_each_game(papan, few):
    rows = papan("bench tables --quick --json").report["tables"]["rows"]
    assert {row["replacement"] for row in rows} == set(REPLACEMENTS)
    assert {row["game"] for row in rows} == {exercise.game for exercise in few}
    assert all(row["nodes"] > 0 for row in rows)


def test_each_technique_is_switched_on_each_game(papan, few):
    rows = papan("bench ablation --quick --json").report["ablation"]["rows"]
    variants = {row["variant"] for row in rows}
    assert len(variants) == len(ablation.TECHNIQUES)
    assert all(row["nodes"] > 0 for row in rows)


def test_the_algorithms_are_compared_depth_by_depth(papan, few):
    rows = papan("bench algorithms --quick --json").report["algorithms"]["rows"]
    assert {"alphabeta", "memory", "mtdf", "pvs"} <= {row["algorithm"] for row in rows}


def test_people_get_a_table_with_a_title(papan, few):
    out = papan("bench threads --quick").out
    assert "2 threads take" in out
    assert "0.65" in out
