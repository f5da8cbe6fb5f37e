"""`papan perft GAME --depth N`."""

import os
import shlex
import signal

import pytest

from papan.search import perft as counting
from reference import truth

#: One verified count of each game.
CASES = [
    next(case for case in table if case.nodes > 1000)
    for table in (truth.adjacency_perft(), truth.platforms_perft(), truth.corners_perft())
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_count_stands_alone_on_stdout(papan, case):
    words = ["perft", case.spec, "--depth", str(case.depth), "--position", case.line]
    assert papan(shlex.join(words)).out == f"{case.nodes}\n"


def test_divide_adds_a_line_for_each_move(papan):
    lines = papan("perft platforms --depth 3 --divide").out.splitlines()
    counts = dict(line.split() for line in lines[:-1])
    assert list(counts) == ["b3", "a2", "b2"]
    assert sum(map(int, counts.values())) == int(lines[-1])


def test_the_report_has_the_promised_keys(papan):
    report = papan("perft adjacency --depth 2 --json").report
    assert report == {
        "game": "adjacency",
        "position": "6oo/6oo/8/8/8/8/xx6/xx6 x 56",
        "depth": 2,
        "nodes": 56 * 55,
    }


def test_the_report_divides_if_asked_to(papan):
    report = papan("perft adjacency --depth 2 --divide --json").report
    assert set(report["divide"].values()) == {55}
    assert len(report["divide"]) == 56


def test_depth_0_is_one_leaf(papan):
    assert papan("perft corners --depth 0").out == "1\n"


def test_counting_starts_from_the_position_that_is_given(papan):
    report = papan("perft platforms --depth 1 --position '000/000/000 x a3 c1' --json").report
    assert report["nodes"] == 0
    assert report["position"] == "000/000/000 x a3 c1"


@pytest.fixture
def impatient(monkeypatch):
    """Somebody presses Ctrl-C as soon as counting has begun."""
    divide = counting.divide

    def interrupted(position, depth, stop=None):
        if stop is not None:
            os.kill(os.getpid(), signal.SIGINT)
        return divide(position, depth, stop)

    monkeypatch.setattr(counting, "divide", interrupted)


def test_ctrl_c_ends_with_130_and_the_moves_that_are_finished(papan, impatient):
    ran = papan("perft corners --depth 6 --divide --json")
    assert ran.status == 130
    assert ran.report["interrupted"] is True
    assert ran.report["nodes"] == sum(ran.report["divide"].values()) < 9305982


def test_ctrl_c_says_that_the_count_is_not_the_whole(papan, impatient):
    ran = papan("perft corners --depth 6")
    assert ran.status == 130
    assert "interrupted" in ran.err


def test_a_position_can_be_in_a_file(papan, tmp_path):
    line = "000/000/000 x a3 c1"
    file = tmp_path / "ended.txt"
    file.write_text(f"{line}\nabout the position\n")
    assert papan(f"perft platforms --depth 2 --position {file} --json").report["position"] == line
    file.write_text("nonsense\n")
    assert "nonsense" in papan(f"perft platforms --depth 2 --position {file}").complaint
