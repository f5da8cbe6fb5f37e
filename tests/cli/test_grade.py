"""`papan grade GAME PLAYER`."""

import signal
import subprocess
import sys

import pytest

from arena.grade import bots
from pages import ROOT
from support import PATIENCE, environment, wait_until

QUICK = "--positions 20 --pairs 1 --time 0.3"


def test_the_report_for_programs_has_every_part(papan, tmp_path):
    folder = bots.hand_in(tmp_path / "bots", good=bots.GOOD)
    report = papan(f"grade platforms:size=4 {folder}/good.py {QUICK} --seed 3 --json").report
    assert report["player"] == f"python:{folder}/good.py"
    assert (report["game"], report["seed"], report["seconds"]) == ("platforms:size=4", 3, 0.3)
    assert report["legality"]["legal"] == 20
    assert report["strength"]["levels"][0]["level"] == "beginner"
    assert report["summary"].startswith("Legal and in time in all 20 positions.")


def test_people_see_tables_and_a_sentence(papan):
    out = papan(f"grade platforms:size=4 first {QUICK}").out
    for title in (
        "Legal moves",
        "Time per move",
        "Strength against the levels",
        "Proven positions",
    ):
        assert title in out
    assert out.splitlines()[-1].startswith("Legal and in time in all 20 positions.")
    assert "Langkah sah" in papan(f"grade platforms:size=4 first {QUICK} --lang id").out


def test_page_and_line_are_written(papan, tmp_path):
    page, sheet = tmp_path / "page", tmp_path / "sheet.csv"
    papan(f"grade platforms:size=4 first {QUICK} --html {page} --csv {sheet} --lang id")
    assert page.read_text().startswith('<!doctype html><html lang="id">')
    assert sheet.read_text("utf-8-sig").splitlines()[1].startswith("first,20,20,0,0,0,0,")


@pytest.mark.thorough
def test_a_folder_is_graded_once_and_goes_on_where_it_was_left(papan, tmp_path):
    folder = bots.hand_in(tmp_path / "bots", good=bots.GOOD, broken=bots.BROKEN)
    words = f"grade platforms:size=4 {folder} {QUICK} --csv {tmp_path}/grades.csv"
    first = papan(words)
    assert "broken.py: done (1 of 2)" in first.err
    assert "good.py" in first.out and "grades.csv" in first.out
    bots.hand_in(folder, another=bots.GOOD)
    ran = papan(f"{words} --json")
    assert "another.py: done (3 of 3)" in ran.err and "good.py: done" not in ran.err
    assert [row["bot"] for row in ran.report["graded"]] == ["another.py", "broken.py", "good.py"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "GAME"),
        ("platforms", "PLAYER"),
        ("shogi first", "shogi"),
        ("platforms nobody", "nobody"),
        ("corners platforms-minimax", "platforms-minimax"),
        ("platforms first --positions 0", "--positions: '0'"),
        ("platforms first --pairs none", "--pairs: 'none'"),
        ("platforms first --time soon", "--time: 'soon'"),
        ("platforms first --workers -1", "--workers: '-1'"),
        ("platforms first --seed x", "--seed: 'x'"),
        ("platforms first --html /nowhere/page", "/nowhere/page"),
        ("platforms first --csv /nowhere/sheet", "/nowhere/sheet"),
        ("platforms {folder}", "--csv FILE"),
        ("platforms {folder} --html y", "--csv FILE"),
        ("platforms {folder} --csv {folder}/x", "no bot"),
    ],
)
def test_bad_words_are_named(papan, tmp_path, words, named):
    assert named in papan(f"grade {words.replace('{folder}', str(tmp_path))}").complaint


def test_a_folder_gets_a_ranked_page_and_each_bot_a_page_of_its_own(papan, tmp_path):
    folder = bots.hand_in(tmp_path / "bots", good=bots.GOOD, crashing=bots.CRASHING)
    for name in ("plat.mjs", "readme.txt", "_helper.py"):
        (folder / name).touch()
    words = f"{folder} {QUICK.replace('20', '5')} --csv {tmp_path}/g.csv --html {tmp_path}/g.html"
    ran = papan(f"grade platforms:size=4 {words} --json")
    assert set(ran.report["not_graded"]) == {"plat.mjs", "readme.txt", "_helper.py"}
    assert (
        "plat.mjs is not graded: 'plat.mjs' is not executable; run 'chmod +x plat.mjs'" in ran.err
    )
    page = (tmp_path / "g.html").read_text()
    first, second = page.index("g-bots/good.py.html"), page.index("g-bots/crashing.py.html")
    assert first < second < page.index("plat.mjs")
    assert "chmod +x plat.mjs" in page
    own = (tmp_path / "g-bots" / "crashing.py.html").read_text()
    assert "crashing.py:3: IndexError: list index out of range: return [][1]" in own
    assert str(tmp_path) not in page + own
    # The same command goes on: the pages of before are still linked.
    papan(f"grade platforms:size=4 {words}")
    assert "g-bots/good.py.html" in (tmp_path / "g.html").read_text()


def test_the_time_to_get_ready_is_reported_apart(papan, tmp_path):
    folder = bots.hand_in(tmp_path / "bots", good=bots.GOOD)
    report = papan(f"grade platforms:size=4 {folder}/good.py --positions 3 --pairs 1 --json").report
    assert report["time"]["ready"] > report["time"]["max"]


def test_ctrl_c_keeps_the_bots_that_are_finished(tmp_path):
    folder = bots.hand_in(tmp_path / "bots", a_good=bots.GOOD, b_hanging=bots.HANGING)
    sheet = tmp_path / "grades.csv"
    words = f"grade platforms:size=4 {folder} --positions 10 --pairs 1 --time 30 --csv {sheet}"
    command = subprocess.Popen(
        [sys.executable, "-m", "papan", *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(PAPAN_LANG="en"),
    )
    wait_until(lambda: sheet.exists() and "a_good" in sheet.read_text())
    command.send_signal(signal.SIGINT)
    _, err = command.communicate(timeout=PATIENCE)
    assert command.returncode == 130, err
    assert "finished bots are kept" in err
    assert "Traceback" not in err
    lines = sheet.read_text("utf-8-sig").splitlines()
    assert [line.partition(",")[0] for line in lines] == ["bot", "a_good.py"]


@pytest.mark.long
def test_a_bot_that_compiles_is_graded_with_an_empty_cache(process, tmp_path):
    page = (ROOT / "docs" / "own-bot.md").read_text(encoding="utf-8")
    bot = tmp_path / "thinker.py"
    bot.write_text(page.partition('```python title="thinker.py"\n')[2].partition("```")[0])
    words = f"grade platforms {bot} --positions 10 --pairs 1 --json"
    report = process(words, PAPAN_CACHE_DIR=str(tmp_path / "cache")).report
    assert report["legality"]["legal"] == 10
    assert report["strength"]["levels"]
