"""The sources' tables measured again: claims, verdicts, a tiny run, going on with one."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.reproduce import report
from benchmarks.reproduce import run as running
from benchmarks.reproduce.claims import CORNERS_MS, REPORTS, verdict
from benchmarks.reproduce.measures import random_positions, thrown_wins
from benchmarks.reproduce.plan import FULL, QUICK, Effort, PlannedMatch, report_cells
from benchmarks.reproduce.report import write_report
from benchmarks.reproduce.run import Findings, Reproduction, Result
from papan.arena.pairs import Pair
from papan.campaign import CampaignProgress
from papan.cli.reproduce import SECTIONS
from papan.records.model import Record
from papan.solve.solve import solve
from papan.usercode import registry

#: Seconds of work for all sections together.
TINY = Effort(
    pairs=1,
    deep_pairs=1,
    slow_pairs=1,
    horizon_pairs=1,
    rounds=(2,),
    depths=(1, 2),
    corners_depths=(1,),
    corners_positions=2,
    corners_pairs=1,
    trap_depths=(1,),
    trap_pairs=1,
    sticking_pairs=1,
    sticking_depth=1,
    boards=((3, 1),),
    platforms_positions=12,
    platforms_starts=2,
    proof_nodes=100_000,
)

#: Sections without matches.
MEASURED = ("lead", "cost", "traps")

SETTINGS = {"command": "papan reproduce", "seed": 0, "interrupted": False}


def tiny(folder: Path, only: str = "") -> Reproduction:
    return Reproduction(TINY, folder, only=only, workers=1)


@pytest.mark.parametrize(
    ("better", "interval", "expected"),
    [
        ("first", (0.51, 0.9), "holds"),
        ("second", (0.1, 0.49), "holds"),
        ("first", (0.1, 0.49), "contradicted"),
        ("second", (0.51, 0.9), "contradicted"),
        ("first", (0.4, 0.6), "not decided"),
        ("first", (0.5, 0.6), "not decided"),
        ("second", None, "not decided"),
        (None, (0.9, 1.0), "no claim"),
    ],
)
def test_a_claim_is_judged_by_the_side_of_one_half_that_the_interval_lies_on(
    better: str | None, interval: tuple[float, float] | None, expected: str
) -> None:
    assert verdict(better, interval) == expected


def test_the_claims_are_those_of_the_reports() -> None:
    claimed = {
        report: {pairing: (claim.wins, claim.losses) for pairing, claim in pairings.items()}
        for report, pairings in REPORTS.items()
    }
    assert claimed == {
        "first": {
            "minimax – human": (5, 0),
            "local search – human": (2, 1),
            "minimax – local search": (3, 0),
            "minimax – genetic": (3, 0),
            "local search – genetic": (2, 1),
        },
        "second": {
            "minimax – human": (0, 5),
            "local search – human": (1, 2),
            "minimax – local search": (1, 2),
            "minimax – genetic": (0, 3),
            "local search – genetic": (0, 2),
        },
    }
    assert CORNERS_MS == {4: (30, 90), 5: (500, 800), 6: (3000, 6000)}


def test_a_claim_says_who_is_better_at_the_lengths_that_were_played_and_nowhere_else() -> None:
    mixed = REPORTS["first"]["local search – genetic"]
    assert [mixed.at(rounds) for rounds in (8, 12, 28, 16)] == ["second", "first", "first", None]
    assert REPORTS["second"]["local search – genetic"].at(8) is None


def test_every_machine_pairing_is_played_at_every_length_by_the_reports_own_players() -> None:
    cells = list(report_cells(FULL, 0))
    assert len(cells) == 2 * 3 * 6
    assert {cell.match.game for cell in cells} >= {
        f"adjacency:rounds={rounds}" for rounds in (8, 12, 16, 17, 23)
    }
    assert {(cell.labels["report"], cell.match.first) for cell in cells} == {
        ("first", "minimax"),
        ("first", "hill-climbing"),
        ("second", "minimax:depth=7"),
        ("second", "hill-climbing:variant=steepest"),
    }
    assert min(cell.match.games for cell in cells if "minimax:" not in cell.match.first) >= 200


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Findings]:
    """A run of every section, and its folder with all files."""
    folder = tmp_path_factory.mktemp("reproduction")
    findings = tiny(folder).run()
    write_report(findings, SETTINGS, folder)
    return folder, findings


@pytest.mark.thorough
def test_a_run_fills_every_cell_of_every_section(finished: tuple[Path, Findings]) -> None:
    _, findings = finished
    assert {cell.section for cell, _ in findings.cells} | set(MEASURED) == set(SECTIONS)
    for cell, result in findings.cells:
        assert result.tally.games == cell.match.games > 0
        assert set(result.tally.terminations) == {"rules"}
        assert result.mean_ms(0) is not None and result.mean_ms(1) is not None


@pytest.mark.thorough
def test_the_files_hold_the_same_cells(finished: tuple[Path, Findings]) -> None:
    folder, findings = finished
    found = json.loads((folder / "reproduction.json").read_text("utf-8"))
    rows = list(csv.DictReader(io.StringIO((folder / "reproduction.csv").read_text("utf-8"))))
    assert sum(map(len, found["cells"].values())) == len(rows) == len(findings.cells)
    text = (folder / "reproduction-tables.md").read_text("utf-8")
    assert "minimax – human" in text and "not repeatable" in text
    assert text.count("| first | minimax – genetic | 2 | not played | 2 | ") == 1
    assert text.startswith("Made by `papan reproduce --seed 0`: 32 games.")


def test_charts_are_sound_svg_with_a_line_for_each_series(finished: tuple[Path, Findings]) -> None:
    folder, _ = finished
    for name, lines in (("reports", 6), ("horizon", 2)):
        root = ElementTree.parse(folder / f"reproduction-{name}.svg").getroot()
        assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == lines


def test_a_finished_run_is_not_played_again(
    finished: tuple[Path, Findings], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, findings = finished
    monkeypatch.setattr(Pair, "play", lambda pair: pytest.fail("played again"))
    monkeypatch.setattr(running, "take", lambda measure: pytest.fail("measured again"))
    again = tiny(folder).run()
    assert report.as_dict(again, SETTINGS) == report.as_dict(findings, SETTINGS)


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    def break_off(progress: CampaignProgress) -> None:
        if progress.part == "games" and progress.done >= 5:
            raise KeyboardInterrupt

    broken = tiny(tmp_path, "reports")
    broken.on_progress = break_off
    with pytest.raises(KeyboardInterrupt):
        broken.run()
    assert sum(result.tally.games for _, result in broken.findings.cells) == 5
    seen: list[CampaignProgress] = []
    going_on = tiny(tmp_path, "reports")
    going_on.on_progress = seen.append
    going_on.run()
    assert [done for part, done, _ in seen if part == "games"] == [6, 7, 8, 9, 10, 11, 12]


def test_time_is_counted_for_the_player_that_took_it() -> None:
    result = Result()
    shared = {"game": "platforms", "x": "a", "o": "b", "result": "x"}
    moves = ("a3", "b1", "b3", "c2")
    result.add(Record(moves=moves, seconds=(1.0, 2.0, 1.0, 2.0), round=1, **shared))
    result.add(Record(moves=moves, seconds=(4.0, 3.0), round=2, **shared))  # after an opening
    assert result.mean_ms(0) == pytest.approx((1000 + 1000 + 3000) / 3)
    assert result.mean_ms(1) == pytest.approx((2000 + 2000 + 4000) / 3)


def test_the_pairing_as_a_whole_is_made_of_the_lengths_that_the_source_played() -> None:
    sizes = replace(TINY, rounds=(8, 12, 17))
    findings = Findings([(cell, _won(cell)) for cell in report_cells(sizes, 0)])
    rows = {(row["report"], row["pairing"]): row for row in report.pooled_rows(findings)}
    assert rows["first", "minimax – local search"]["rounds"] == [8, 12]
    assert rows["first", "minimax – local search"]["games"] == 4
    assert rows["second", "local search – genetic"]["rounds"] == [8, 12, 17]


def _won(cell: PlannedMatch) -> Result:
    """A cell whose first player has won both games of one pair."""
    result = Result()
    for number, winner in ((1, "x"), (2, "o")):
        result.add(Record(cell.match.game, "a", "b", (), winner, round=number))
    return result


def test_wins_that_are_thrown_away_are_counted_by_exact_values() -> None:
    found = thrown_wins(3, 1, 30, 5, nodes=100_000, seed=1)
    start = registry.game("platforms:level=1").start()
    assert found["positions"] == 30 and found["unproven"] == 0
    won = [solve(p).value > 0 for _, p in random_positions(start, 30, 1)]
    assert found["won"] == sum(won)
    assert sum(found["thrown"].values()) <= sum(found["at_risk"].values()) <= found["won"]
    assert found["thrown"]["near"] == 0  # a win in four plies is within the depth searched
    for moves in found["starts"]:
        position = start
        for move in moves:
            position = position.play(move)
        assert solve(position).outcome == "win" and position.side == "x"


def test_a_chart_escapes_names_and_marks_intervals() -> None:
    row = {"evaluation": "<one>", "depth": 1, "score": 0.5, "low": 0.25, "high": 0.75}
    text = report.horizon_chart([row])
    root = ElementTree.fromstring(text)
    assert 'class="bar"' in text
    assert "<one>" in [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_quick_run_has_every_cell_of_the_full_one_but_the_deepest() -> None:
    full, quick = (list(report_cells(sizes, 0)) for sizes in (FULL, QUICK))
    assert [cell.labels for cell in quick] == [cell.labels for cell in full]
    assert QUICK.boards == FULL.boards
    assert QUICK.depths == FULL.depths[:-1]
