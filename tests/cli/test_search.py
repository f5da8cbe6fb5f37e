"""`papan search GAME`."""

import os
import signal
import sys

import pexpect
import pytest

import papan as package
from papan.search import algorithm as searching
from papan.search import registry
from papan.search.limits import Limit
from support import PATIENCE, find, thoroughly

PROMISED = {
    "game",
    "position",
    "algorithm",
    "move",
    "score",
    "bound",
    "depth",
    "nodes",
    "seconds",
    "nps",
    "pv",
    "proven",
}


@pytest.mark.parametrize("game", ["adjacency", *thoroughly("platforms:size=4", "corners")])
def test_the_report_is_what_the_search_found(papan, game):
    report = papan(f"search {game} --depth 3 --algorithm alphabeta --json").report
    expected = find("alphabeta", package.game(game).start(), 3).as_dict()
    assert set(report) >= PROMISED
    changing = {"seconds", "nps"}
    assert {k: v for k, v in report.items() if k not in changing} == {
        k: v for k, v in expected.items() if k not in changing
    }


def test_moves_are_played_before_the_search(papan):
    start = package.game("adjacency").start()
    report = papan("search adjacency --moves 'c4 d5' --depth 1 --json").report
    assert report["position"] == str(start.play("c4").play("d5"))


def test_a_position_line_takes_the_place_of_the_start(papan):
    line = "011/111/110 o a3 c1"
    words = f"search platforms --position '{line}' --depth 1 --algorithm alphabeta --json"
    assert papan(words).report["position"] == line


def test_a_finished_game_has_no_move_and_a_proven_value(papan):
    words = "search platforms --position '000/000/000 x a3 c1' --algorithm alphabeta --json"
    report = papan(words).report
    assert report["move"] is None
    assert report["proven"] is True


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_the_algorithm_can_be_chosen(papan, name):
    assert name in registry.names()
    report = papan(f"search platforms --algorithm {name} --depth 4 --json").report
    assert report["algorithm"] == name


def test_limits_can_be_combined_and_the_first_one_met_ends_the_search(papan):
    report = papan("search adjacency --depth 100 --time 3000 --nodes 1000 --json").report
    assert 1 <= report["depth"] < 100


def test_a_time_limit_ends_the_search(papan):
    report = papan("search adjacency --time 0.05 --json").report
    assert report["seconds"] >= 0.05
    assert not report["proven"]


def test_an_evaluation_is_chosen_by_name(papan):
    for name in package.game("adjacency").evaluations:
        ran = papan(f"search adjacency --evaluation {name} --depth 2 --algorithm minimax --json")
        assert ran.status == 0, ran


def test_people_see_the_board_and_what_was_found(papan):
    out = papan("search platforms --depth 4 --algorithm alphabeta").out
    assert "3  x0   1   1" in out
    for label in ("move", "score", "variation", "nodes/second"):
        assert f"\n{label} " in out
    assert "for x, the side to move" in out


@pytest.fixture
def impatient(monkeypatch):
    """Somebody presses Ctrl-C as soon as the search has begun."""
    search = searching.search

    def interrupted(*args, **settings):
        os.kill(os.getpid(), signal.SIGINT)
        return search(*args, **settings)

    monkeypatch.setattr(searching, "search", interrupted)


def test_ctrl_c_ends_with_130_and_the_best_found_so_far(papan, impatient):
    ran = papan("search adjacency --json")
    assert ran.status == 130
    assert ran.report["interrupted"] is True
    assert ran.report["move"] in package.game("adjacency").start().moves()


def test_ctrl_c_says_that_the_search_is_not_finished(papan, impatient):
    ran = papan("search adjacency --depth 5")
    assert ran.status == 130
    assert "interrupted" in ran.err


def test_a_long_search_shows_its_progress_on_a_terminal_and_ends_by_ctrl_c():
    words = ["-m", "papan", "search", "adjacency", "--time", "6000", "--algorithm", "alphabeta"]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=PATIENCE)
    child.expect(r"depth \d+  score \S+  nodes \d+  [a-h][1-8]")
    child.sendintr()
    child.expect("best result so far")
    child.expect(r"nodes +\d+")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_a_small_search_with_an_empty_cache_compiles_nothing_and_finds_the_same(process, tmp_path):
    limit = Limit(nodes=200)
    engine = registry.algorithm("engine")
    expected = searching.search(package.game("platforms").start(), limit, algorithm=engine)
    words = "search platforms --nodes 200 --json"
    report = process(words, PAPAN_CACHE_DIR=str(tmp_path)).report
    names = ("move", "score", "depth", "nodes", "pv")
    assert [report[name] for name in names] == [expected.as_dict()[name] for name in names]
    assert not list(tmp_path.rglob("*.code"))
