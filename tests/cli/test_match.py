"""`papan match GAME PLAYER PLAYER --games N`."""

import subprocess
import sys

import pytest

import papan as package
from support import PATIENCE, wait_until

PROMISED = {
    "players",
    "games",
    "wins",
    "draws",
    "losses",
    "terminations",
    "score",
    "elo",
    "error",
}


def test_the_report_has_the_promised_keys_and_adds_up(papan):
    report = papan("match platforms minimax:depth=4 random --games 6 --seed 3 --json").report
    assert set(report) >= PROMISED
    assert report["players"] == ["minimax:depth=4", "random"]
    assert report["games"] == 6
    assert report["wins"] + report["draws"] + report["losses"] == 6
    assert report["score"] == pytest.approx((report["wins"] + report["draws"] / 2) / 6)
    assert sum(report["terminations"].values()) == 6


def test_pairs_start_from_balanced_openings_unless_told_otherwise(papan, tmp_path):
    words = "match adjacency:size=4 first first --games 4 --seed 1 --json"

    def lines(options: str) -> list[tuple[str, ...]]:
        store = tmp_path / f"{len(list(tmp_path.iterdir()))}.db"
        papan(f"{words} {options} --store {store}")
        with package.Store(store) as games:
            return sorted(record.moves for record in games.find())

    usual, again, plain = lines(""), lines(""), lines("--openings none")
    assert usual == again
    assert len({moves[:4] for moves in usual}) == 2
    assert len({*plain}) == 1


def test_one_line_says_that_a_game_is_too_short_for_openings(papan):
    ran = papan("match platforms first random --games 2")
    assert "no balanced openings for platforms" in ran.err
    assert "openings" not in papan("match platforms first random --games 2 --openings none").err


def test_a_match_with_openings_goes_on_from_its_store(papan, tmp_path):
    words = f"match adjacency:size=4 first random --store {tmp_path}/games.db --json --games"
    first = papan(f"{words} 2").report
    more = papan(f"{words} 6").report
    assert (first["games"], more["games"]) == (2, 6)
    with package.Store(tmp_path / "games.db") as games:
        assert len(list(games.find())) == 6


def test_a_fault_is_told_with_the_bots_line_and_what_it_printed(papan, tmp_path):
    bot, games = tmp_path / "bot.py", tmp_path / "games.txt"
    bot.write_text("def choose(p, limit):\n    print('here I am')\n    return [][1]\n")
    out = papan(f"match platforms {bot} random --games 2 --records {games}").out
    place = "(bot.py:3: IndexError: list index out of range: return [][1])"
    told = (
        f"game 1, python:{bot}: crash: 'bot.py' ended with exit status 1 {place}\n    here I am\n"
    )
    assert told in out
    assert out.count(place) == 1  # of two games
    assert games.read_text().count("u{a}here I am") == 2
    [fault] = papan(f"match platforms {bot} random --games 2 --json").report["faults"]
    assert (fault["round"], fault["termination"]) == (1, "crash")
    assert fault["detail"].splitlines()[1] == "here I am"
    papan(f"records import {games} --store {tmp_path}/games.db")
    [id] = [
        game["id"]
        for game in papan(f"records list --store {tmp_path}/games.db --result o --json").report[
            "games"
        ]
    ]
    shown = papan(f"records show {id} --store {tmp_path}/games.db").out
    assert place in shown and "| return" not in shown and "here I am | " in shown


def test_the_same_seed_gives_the_same_match(papan):
    words = "match platforms:size=4 random random --games 6 --json --seed"
    assert papan(f"{words} 5").report == papan(f"{words} 5").report
    assert papan(f"{words} 5").report != papan(f"{words} 6").report


def test_people_see_the_result_in_words(papan):
    out = papan("match platforms first random --games 2").out
    assert "first – random" in out
    assert "by the rules 2" in out
    assert "Elo difference" in out
    assert "cara berakhir" in papan("match platforms first random --games 2 --lang id").out


def test_records_hold_every_game_move_by_move(papan, tmp_path):
    file = tmp_path / "games.txt"
    papan(f"match platforms random first --games 2 --records {file}")
    first, first_moves, second, second_moves = file.read_text().strip().split("\n\n")
    assert '[X "random"]\n[O "first"]' in first
    assert '[X "first"]\n[O "random"]' in second
    for headers, moves in ((first, first_moves), (second, second_moves)):
        position = package.game("platforms").start()
        for word in moves.split():
            if not word.endswith("."):
                position = position.play(word)
        outcome = position.outcome()
        assert outcome is not None
        assert f'[Result "{outcome.value}"]' in headers


def test_ctrl_c_ends_with_130_and_the_result_of_the_finished_games(tmp_path):
    file = tmp_path / "games.txt"
    words = f"match platforms random random --games 1000000 --json --records {file}".split()
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


def test_a_clock_and_other_terms_are_kept_to_and_recorded(papan, tmp_path):
    file = tmp_path / "games.txt"
    words = f"--clock 30+0.5 --margin-ms 500 --depth 2 --nodes 1000 --records {file} --json"
    report = papan(f"match platforms:size=4 minimax random --games 2 {words}").report
    assert report["terminations"] == {"rules": 2}
    header = '[TimeControl "clock=30+0.5 depth=2 nodes=1000 margin=0.5"]'
    assert file.read_text().count(header) == 2


def test_games_that_are_too_long_or_proven_are_adjudicated_if_it_is_asked_for(papan):
    match = "match platforms:size=4 first random --games 2 --json"
    assert papan(match).report["terminations"] == {"rules": 2}
    report = papan(f"{match} --max-plies 3").report
    assert (report["terminations"], report["draws"]) == ({"adjudication": 2}, 2)
    assert papan(f"{match} --adjudicate").report["terminations"] == {"adjudication": 2}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--clock soon", "--clock: 'soon' is not allowed, expected TOTAL or TOTAL+INCREMENT"),
        ("--clock 60+", "--clock: '60+'"),
        ("--margin-ms -1", "--margin-ms: '-1'"),
        ("--max-plies 0", "--max-plies: '0'"),
        ("--depth 0", "--depth: '0'"),
        ("--nodes many", "--nodes: 'many'"),
    ],
)
def test_terms_that_make_no_sense_are_named(papan, words, named):
    assert named in papan(f"match platforms first random --games 2 {words}").complaint


@pytest.mark.parametrize(
    "words",
    [
        "match platforms human first --games 2",
        "match platforms first human --games 2 --workers 2",
        "tournament platforms first random human",
        "grade platforms human",
    ],
)
def test_nobody_can_play_where_nobody_is_asked(papan, words):
    assert "'human' is a person and needs an interactive game" in papan(words).complaint


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [1, 2])
def test_limits_of_programs_hold_wherever_their_games_are_played(
    papan, tmp_path, monkeypatch, workers
):
    monkeypatch.setenv("BOOK", "openings.dat")
    monkeypatch.setenv("API_KEY", "secret")
    bot, seen = tmp_path / "bot.py", tmp_path / "seen"
    bot.write_text(
        "import os, signal\n"
        f"open({str(seen)!r}, 'w').write(repr(dict(os.environ)))\n"
        "calls = []\n"
        "def choose(position, limit):\n"
        "    calls.append(limit)\n"
        "    if len(calls) > 1:  # the first call is before the game\n"
        "        kept = b'x' * (800 << 20)\n"
        "        signal.pause()\n"
        "    return position.moves()[0]\n"
    )
    words = f"platforms:size=4 python:{bot} first --games 2 --workers {workers} --time 60"
    options = "--bot-memory 600 --env BOOK --bot-ready 60"
    report = papan(f"match {words} {options} --json").report
    assert (report["terminations"], report["losses"]) == ({"crash": 2}, 2)
    assert "openings.dat" in seen.read_text()
    assert "secret" not in seen.read_text()


def test_a_file_says_what_programs_may_take(papan, tmp_path, monkeypatch):
    monkeypatch.setenv("BOOK", "openings.dat")
    bot, config = tmp_path / "bot.sh", tmp_path / "cup.toml"
    # It never becomes ready, and takes note of what it sees.
    bot.write_text(f"#!/bin/sh\necho $BOOK > {tmp_path}/seen; echo ugiok; sleep 999\n")
    bot.chmod(0o755)
    config.write_text(
        f'game = "platforms:size=4"\nplayers = ["ugi:{bot}", "first"]\npairs = 1\n'
        'bot-ready = 0.2\nbot-memory = 500\nbot-processes = 9\nenv = ["BOOK"]\n'
    )
    done = papan(f"tournament --config {config}")
    assert "was not ready for the game within 0.2" in done.err
    assert (tmp_path / "seen").read_text() == "openings.dat\n"


def test_processor_time_is_told_with_the_result(papan):
    words = "match platforms engine random --games 2 --time 0.02 --openings none"
    assert "processor time" in papan(f"{words} --clock cpu").out
    assert papan(f"{words} --clock cpu --json").report["clock"] == "cpu"
    assert papan(f"{words} --json").report["clock"] == "wall"
