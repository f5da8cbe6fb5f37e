"""`papan reproduce`."""

import pytest

from papan.cli import reproduce
from papan.cli.reproduce import load_module

plan = load_module("plan")

TINY = plan.Effort(
    pairs=1,
    deep_pairs=1,
    slow_pairs=1,
    horizon_pairs=1,
    rounds=(2,),
    depths=(1,),
    corners_pairs=1,
    trap_depths=(1,),
    trap_pairs=1,
)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(plan, "QUICK", TINY)


def test_each_cell_is_printed_with_claim_score_interval_and_verdict(papan, tmp_path):
    ran = papan(f"reproduce --quick --only reports --workers 1 --out {tmp_path}")
    assert ran.status == 0
    for word in ("claim", "95 % interval", "verdict", "no claim", str(tmp_path)):
        assert word in ran.out
    assert (tmp_path / "reproduction-tables.md").read_text("utf-8").startswith("Made by `papan")


def test_a_statement_of_a_source_is_printed_with_its_verdict(papan, tmp_path):
    ran = papan(f"reproduce --quick --only traps --workers 1 --out {tmp_path}")
    for word in ("measured", "predicting the", "depth 1", "not decided"):
        assert word in " ".join(ran.out.split())
    assert "Other statements of the sources" in (tmp_path / "reproduction-tables.md").read_text()


def test_json_is_one_object_with_a_row_for_each_cell(papan, tmp_path):
    words = f"reproduce --quick --only horizon --workers 1 --seed 4 --json --out {tmp_path}"
    report = papan(words).report
    assert report["seed"] == 4
    assert [row["evaluation"] for row in report["cells"]["horizon"]] == ["pieces", "exposure"]
    assert all(row["games"] == 2 for row in report["cells"]["horizon"])


def test_ctrl_c_ends_with_130_and_writes_what_is_finished(papan, tmp_path, monkeypatch):
    def broken(run):
        raise KeyboardInterrupt

    monkeypatch.setattr(load_module("run").Reproduction, "run", broken)
    ran = papan(f"reproduce --quick --out {tmp_path}")
    assert ran.status == 130
    assert "run the same command to resume" in ran.err
    assert (tmp_path / "reproduction.json").exists()


def test_an_unknown_section_is_refused_with_those_that_there_are(papan):
    complaint = papan("reproduce --only chess").complaint
    assert "chess" in complaint and "horizon" in complaint


def test_a_folder_that_cannot_be_made_is_a_usage_error(papan, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    assert str(file) in papan(f"reproduce --out {file}").complaint


def test_a_reproduction_that_was_not_installed_is_said_in_one_line(papan, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduce, "find_spec", lambda name: None)
    monkeypatch.setattr(reproduce, "__file__", str(tmp_path / "a" / "b" / "c" / "d"))
    assert str(tmp_path / "benchmarks") in papan(f"reproduce --out {tmp_path / 'out'}").complaint
