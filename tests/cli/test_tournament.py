"""`papan tournament GAME PLAYER…`."""

import subprocess
import sys

import pytest

from support import PATIENCE, wait_until

THREE = "platforms:size=4 first random minimax:depth=2"
#: Without the line that says that games are too short for openings.
PLAIN = "platforms first random --openings none"


def test_the_report_has_standings_and_a_crosstable(papan):
    report = papan(f"tournament {THREE} --pairs 2 --seed 1 --json").report
    assert report["game"] == "platforms:size=4"
    assert report["players"] == ["first", "random", "minimax:depth=2"]
    assert report["games"] == 12
    assert [set(entry) for entry in report["standings"]] == [
        {"player", "games", "points", "score", "elo", "error"}
    ] * 3
    assert sum(entry["points"] for entry in report["standings"]) == 12


def test_people_see_a_rating_table_and_a_crosstable(papan):
    lines = papan(f"tournament {THREE} --pairs 1").out.splitlines()
    assert lines[0] == "round-robin of platforms:size=4, 6 games"
    ratings, cross = lines[3:6], lines[9:12]
    assert sorted(line.split()[1] for line in ratings) == ["first", "minimax:depth=2", "random"]
    assert [line.split()[1] for line in cross] == [line.split()[1] for line in ratings]
    assert all("·" in line for line in cross)
    assert "poin tiap baris" in papan(f"tournament {THREE} --pairs 1 --lang id").out


def test_the_words_and_the_file_describe_the_same_tournament(papan, tmp_path):
    config = tmp_path / "cup.toml"
    config.write_text(
        'game = "platforms:size=4"\nplayers = ["first", "random", "minimax:depth=2"]\n'
        'format = "swiss"\npairs = 2\nrounds = 2\nseed = 4\n'
    )
    words = f"tournament {THREE} --format swiss --pairs 2 --rounds 2 --seed 4 --json"
    assert papan(f"tournament --config {config} --json").report == papan(words).report
    more = papan(f"tournament --config {config} --pairs 1 --json").report
    assert more["games"] == 4


def test_the_same_command_goes_on_where_it_was_ended(papan, tmp_path):
    games = tmp_path / "games.txt"
    words = f"tournament {THREE} --pairs 2 --store {tmp_path}/games.sqlite --records {games} --json"
    first = papan(words).report
    assert games.read_text().count("[Event") == 12
    assert papan(words).report == first
    assert games.read_text().count("[Event") == 12


def test_records_of_a_longer_match_have_the_games_that_are_kept(papan, tmp_path):
    games = tmp_path / "games.txt"
    words = f"match platforms first random --store {tmp_path}/games.sqlite --records {games}"
    for count in (2, 6, 4):
        papan(f"{words} --games {count}")
        rounds = [line for line in games.read_text().splitlines() if line.startswith("[Round")]
        assert rounds == [f'[Round "{number}"]' for number in range(1, count + 1)]


def test_a_bot_that_does_not_start_forfeits_its_games_and_the_others_play(papan):
    ran = papan("tournament platforms:size=4 first ugi:./no-such random --pairs 1 --json")
    assert ran.status == 0
    assert "ugi:./no-such" in ran.err.splitlines()[0]
    assert "No such file" in ran.err.splitlines()[0]
    report = ran.report
    assert report["games"] == 6
    points = {entry["player"]: entry["points"] for entry in report["standings"]}
    assert points["ugi:./no-such"] == 0
    assert report["crosstable"]["first"]["ugi:./no-such"] == [2, 0, 0]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "GAME is missing"),
        ("platforms", "PLAYER is missing"),
        ("platforms first", "'first' is the only player"),
        ("platforms first random first", "player 'first' is named twice"),
        ("platforms minimax:depth=2 random minimax:depth=02", "'minimax:depth=2' is named twice"),
        ("platforms first nobody", "nobody"),
        ("shogi first random", "shogi"),
        ("platforms first random --format cup", "--format: 'cup'"),
        ("platforms first random --pairs 0", "--pairs: '0'"),
        ("platforms first random --rounds -1", "--rounds: '-1'"),
        (f"{PLAIN} --workers x", "--workers: 'x'"),
        ("platforms first random --seed x", "--seed: 'x'"),
        ("platforms first random --openings /nowhere", "/nowhere"),
        (
            f"{PLAIN} --cluster here",
            "'here' is not a scheduler address",
        ),
        (
            f"{PLAIN} --cluster tcp://192.0.2.1:8786",
            "--insecure-cluster",
        ),
        ("corners first platforms-minimax", "platforms-minimax"),
        ("--config /nowhere.toml", "/nowhere.toml"),
    ],
)
def test_bad_words_are_named(papan, words, named):
    assert named in papan(f"tournament {words}").complaint


@pytest.mark.thorough
def test_ctrl_c_ends_with_130_and_the_tables_of_the_finished_games(tmp_path):
    file = tmp_path / "games.txt"
    words = f"tournament {THREE} --pairs 4000 --json --workers 2 --records {file}".split()
    command = subprocess.Popen(
        [sys.executable, "-m", "papan", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: file.exists() and file.stat().st_size)
    command.send_signal(2)
    out, err = command.communicate(timeout=PATIENCE)
    assert command.returncode == 130, err
    assert '"interrupted": true' in out
    assert "interrupted" in err
    assert "Traceback" not in err


def test_a_file_sets_clock_and_margin_like_the_words_do(papan, tmp_path):
    config, games = tmp_path / "cup.toml", tmp_path / "games.txt"
    config.write_text(
        'game = "platforms:size=4"\nplayers = ["first", "random"]\npairs = 1\n'
        'clock = "30+1"\nmargin-ms = 100\nmax-plies = 4\ndepth = 3\nadjudicate = false\n'
    )
    report = papan(f"tournament --config {config} --records {games} --json").report
    assert games.read_text().count('[TimeControl "clock=30+1 depth=3 margin=0.1"]') == 2
    assert games.read_text().count('[Termination "adjudication"]') == 2
    words = "platforms:size=4 first random --pairs 1 --clock 30+1 --margin-ms 100 --max-plies 4"
    typed = papan(f"tournament {words} --depth 3 --json").report
    assert typed["event"] == report["event"]
    assert "config" not in report


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ('clock = "x"', "--clock: 'x'"),
        ("clock = [1]", "clock"),
        ('margin-ms = "x"', "margin-ms"),
        ("max-plies = 0.5", "max-plies"),
        ("max-plies = 0", "--max-plies: '0'"),
        ("adjudicate = 1", "adjudicate"),
    ],
)
def test_wrong_terms_in_a_file_are_named(papan, tmp_path, line, named):
    config = tmp_path / "cup.toml"
    config.write_text(f'game = "platforms"\nplayers = ["first", "random"]\n{line}\n')
    assert named in papan(f"tournament --config {config}").complaint
