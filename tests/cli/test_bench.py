"""`papan bench [KIND…]`."""

import pytest

from papan import bench
from papan.bench import MEASUREMENTS, SIGNATURE, SUITE
from papan.cli.bench import KINDS


@pytest.fixture
def shallow(monkeypatch):
    """Speeds of one game's searches at depths that take no time."""
    depths = {"adjacency": dict.fromkeys(bench.DEPTHS["adjacency"], 4)}
    monkeypatch.setattr(bench, "DEPTHS", depths)


def test_every_measurement_can_be_named():
    assert tuple(MEASUREMENTS) == KINDS


def test_an_unknown_kind_is_refused_and_the_known_ones_are_named(papan):
    complaint = papan("bench signatur").complaint
    assert "signatur" in complaint
    for kind in KINDS:
        assert kind in complaint


@pytest.mark.thorough
def test_the_report_says_what_the_numbers_depend_on(papan, shallow):
    report = papan("bench speed --quick --json").report
    assert report["quick"] is True
    assert report["machine"]["cpus"] >= 1
    assert report["machine"]["numba"]


def test_the_signature_is_counted_and_compared_with_that_of_the_repository(papan):
    report = papan("bench signature --json").report["signature"]
    assert report["signature"] == sum(row["nodes"] for row in report["rows"]) == SIGNATURE
    assert report["met"] is True
    assert len(report["rows"]) == len(SUITE)


def test_the_speed_is_measured_for_each_game_and_algorithm(papan, shallow):
    report = papan("bench speed --json").report["speed"]
    speeds = {game: set(found) for game, found in report["nps"].items()}
    assert speeds == {game: set(names) for game, names in bench.DEPTHS.items()}
    assert all(row["nodes"] > 0 and row["depth"] == 4 for row in report["rows"])


def test_people_get_a_table_with_a_title(papan, shallow):
    out = papan("bench speed --quick").out
    assert "Speed: the fastest of three runs" in out
    assert "million nodes/s" in out
