"""`papan records …`."""

import random
import shlex
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from papan import game
from papan.errors import RecordError
from papan.records.model import Record
from papan.records.store import Store
from papan.records.text import BadGame, read, write
from papan.usercode import sandbox
from records.samples import played, short
from support import run_python

EXAMPLE_GAMES = Path(__file__).parents[2] / "examples" / "games"

COMMANDS = ["list", "show x", "replay x", "stats", "events", "export", "import games.txt"]


@pytest.fixture
def games():
    return [
        played("platforms", 1, event="cup", id="a", played="2025-01-01T12:00:00+00:00"),
        played("platforms:size=4,level=2", 2, event="cup", id="b"),
        played("adjacency:rounds=4", 0, id="c", played="2025-06-01T12:00:00+00:00"),
        short(id="d", x="Ada \x1b[31m", termination="time", detail="too\nlate", result="o"),
    ]


@pytest.fixture
def place(tmp_path, monkeypatch, games):
    """The path of the store that is used where no other is named, with four games in it."""
    path = tmp_path / "store.sqlite"
    monkeypatch.setenv("PAPAN_STORE", str(path))
    with Store(path) as store:
        store.add_all(games)
    return path


def listed(ran):
    return "".join(game["id"] for game in ran.report["games"])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page_in_each_language(papan, command):
    name = command.split()[0]
    english, indonesian = (
        papan(f"records {name} --help --lang {code}").out for code in ("en", "id")
    )
    assert english != indonesian
    for page in (english, indonesian):
        assert f"papan records {name}" in page
        assert "cli." not in page


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_unknown_options_and_surplus_words(papan, command, tmp_path):
    assert "--frobnicate" in papan(f"records {command} --frobnicate").complaint
    words = f"{command} out" if command == "export" else command
    assert "surplus" in papan(f"records {words} surplus").complaint


def test_without_a_command_the_help_page_is_shown(papan):
    assert papan("records").out == papan("records --help").out


def test_games_are_listed_the_newest_ones_first(papan, place):
    ran = papan("records list")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["id", "d", "c", "b", "a"]
    assert ran.err == "4 of 4 games\n"
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("", "dcba"),
        ("--limit 2", "dc"),
        ("--limit 2 --offset 1", "cb"),
        ("--limit 2 --after c", "ba"),
        ("--after c --player random --offset 1", "a"),
        ("--limit 0", "dcba"),
        ("--game platforms", "dba"),
        ("--game platforms:level=2,size=4", "b"),
        ("--player random", "cba"),
        ("--event cup", "ba"),
        ("--result '*'", ""),
        ("--since 2025-01-02", "c"),
        ("--since 2025-06-01T12:00:00Z", "c"),
        ("--since 2025-06-01T12:00:01Z", ""),
    ],
)
def test_what_is_listed_can_be_chosen(papan, place, words, ids):
    assert listed(papan(f"records list --json {words}")) == ids


def test_the_list_for_programs_counts_all_games_and_has_everything_of_those_it_shows(
    papan, place, games
):
    report = papan("records list --json --limit 1 --offset 3").report
    assert report["count"] == 4
    (found,) = report["games"]
    assert found == {
        "id": "a",
        "game": "platforms",
        "x": "random",
        "o": "random",
        "moves": list(games[0].moves),
        "result": games[0].result,
        "termination": "rules",
        "start": "",
        "detail": "",
        "given": "",
        "exit_code": None,
        "time_control": "",
        "seconds": [],
        "seed": 1,
        "event": "cup",
        "round": 1,
        "played": "2025-01-01T12:00:00+00:00",
    }


def test_a_game_is_shown_with_its_last_board(papan, place, games):
    out = papan("records show a").out
    assert "platforms" in out and "cup" in out and " ".join(games[0].moves) in out
    assert f"{games[0].result} (by the rules)" in out
    assert f"[{games[0].moves[-1]}" not in out and "   a   b   c" in out
    report = papan("records show a --json").report
    assert report["position"] == str(games[0].replay()[-1])


def test_how_a_game_was_forfeited_is_shown_and_below_it_what_was_printed(papan, place):
    lines = papan("records show d").out.splitlines()
    assert "result  o (time: too)" in lines
    assert "output  late" in lines


def test_what_a_player_gave_and_how_its_program_ended_is_shown(papan, place):
    with Store(place) as store:
        facts = {"termination": "illegal move", "given": "(-1, -1)", "result": "o"}
        start = game("platforms").start()
        moves = (start.moves()[0], start.play(start.moves()[0]).moves()[0])
        rude = Record("platforms", "bot", "random", moves, "o", id="rude", time_control="time=1")
        store.add(replace(rude, **facts))
        ended = {"termination": "crash", "result": "o", "exit_code": -11}
        store.add(replace(rude, id="gone", **ended))
    lines = papan("records show rude").out.splitlines()
    assert "illegal move  (-1, -1)" in lines and "time control  time=1" in lines
    assert papan("records show rude --json").report["given"] == "(-1, -1)"
    assert "exit status   -11" in papan("records show gone").out.splitlines()


def test_the_ladder_rates_the_players_of_each_game(papan, tmp_path):
    place = tmp_path / "ladder.sqlite"
    names = f"--store {place}"
    with Store(place) as store:
        for number in range(1, 9):
            store.add(Record("corners", "strong", "weak", (), "x", "time", id=f"a{number}"))
        store.add(Record("corners", "weak", "middling", (), "draw", "time", id="b"))
        store.add(Record("platforms", "weak", "weak", (), "x", "time", id="c"))
        store.add(Record("platforms", "new", "weak", (), "*", "unterminated", id="d"))
    report = papan(f"records stats {names} --ladder --json").report
    assert report["count"] == 11
    assert [row["player"] for row in report["ladder"]] == ["strong", "middling", "weak"]
    assert {row["game"] for row in report["ladder"]} == {"corners"}
    best, *_, last = report["ladder"]
    assert best["skill"] > 25 > last["skill"]
    assert best["cautious"] == pytest.approx(best["skill"] - 3 * best["deviation"], abs=0.05)
    lines = papan(f"records stats {names} --ladder").out.splitlines()
    assert lines[0].split()[:3] == ["game", "player", "skill"]
    assert lines[1].split()[:2] == ["corners", "strong"]
    assert papan(f"records stats {names} --ladder --event none --json").report["ladder"] == []


def test_without_the_library_of_the_ladder_its_package_is_named(papan, place, monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert "papan[ladder]" in papan("records stats --ladder").complaint


def test_a_game_is_replayed_move_by_move(papan, place, games):
    out = papan("records replay a").out
    assert out.count("   a   b   c") == len(games[0].moves) + 1
    assert all(f"{ply}. " in out for ply in range(1, len(games[0].moves) + 1))
    report = papan("records replay a --json").report
    assert report["positions"] == list(map(str, games[0].replay()))


def test_a_game_is_drawn_as_a_picture_that_plays_by_itself(papan, place, games, tmp_path):
    file = tmp_path / "game.svg"
    ran = papan(f"records animate {games[0].id} --store {place} --theme dark --out {file}")
    assert (ran.status, ran.out) == (0, "")
    picture = file.read_text("utf-8")
    assert picture.startswith("<svg") and "papan-dark" in picture
    last = len(games[0].moves)
    assert f">{last}. " in picture and "<animate " in picture
    assert papan(f"records animate {games[0].id} --store {place}").out.startswith("<svg")
    assert ".svg" in papan(f"records animate {games[0].id} --out game.png").complaint


def test_players_are_counted_by_game(papan, place):
    report = papan("records stats --json --event cup").report
    assert report["count"] == 2
    assert [row["player"] for row in report["players"]] == ["random", "random"]
    assert {row["game"] for row in report["players"]} == {"platforms", "platforms:size=4,level=2"}
    assert sum(row["won"] + row["drawn"] + row["lost"] for row in report["players"]) == 4
    lines = papan("records stats").out.splitlines()
    assert lines[0].split() == ["game", "player", "games", "won", "drawn", "lost"]
    assert len(lines) == 1 + 2 + 3


def test_events_are_listed(papan, place):
    (event,) = papan("records events --json").report["events"]
    assert (event["name"], event["games"], event["finished"]) == ("cup", 2, 2)
    assert papan("records events").out.splitlines()[1].split()[:3] == ["cup", "2", "2"]


def test_games_are_written_as_text_to_stdout_or_a_file(papan, place, games, tmp_path):
    ran = papan("records export")
    sound = [one for one in read(ran.out) if isinstance(one, Record)]
    assert sound[:3] == games[:3]
    assert ran.err == "games written: 4\n"
    file = tmp_path / "some games.txt"
    report = papan(shlex.join(["records", "export", str(file), "--event", "cup", "--json"])).report
    assert report == {"file": str(file), "games": 2}
    assert list(read(file.read_text(encoding="utf-8"))) == games[:2]


def test_a_text_that_is_read_twice_adds_its_games_once(papan, place, tmp_path):
    file, other = tmp_path / "games.txt", tmp_path / "other.sqlite"
    file.write_text("".join(write(played("platforms", seed)) for seed in range(5)))
    first = papan(f"records import {file} --store {other} --json").report
    again = papan(f"records import {file} --store {other} --json").report
    assert first == {"file": str(file), "games": 5, "new": 5, "known": 0, "bad": 0, "errors": []}
    assert again == {**first, "new": 0, "known": 5}
    assert papan(f"records list --store {other} --json").report["count"] == 5
    assert "already known: 5" in papan(f"records import {file} --store {other}").out


def test_what_was_exported_is_known_where_it_came_from_and_whole_elsewhere(papan, place, tmp_path):
    file, other = tmp_path / "games.txt", tmp_path / "other.sqlite"
    papan(f"records export {file}")
    assert papan(f"records import {file} --json").report["new"] == 0
    assert papan(f"records import {file} --json --store {other}").report["new"] == 4
    report = papan(f"records list --store {other} --json").report
    assert [game["id"] for game in report["games"]] == ["d", "c", "b", "a"]


def test_everything_sound_of_a_damaged_file_is_kept_and_the_rest_named(papan, place, tmp_path):
    texts = [write(played("platforms", seed)) for seed in range(4)]
    texts[1] = texts[1].replace("1. ", "1. zz ")
    texts[2] = "\x00\x1b[31mgarbage\udcff\n"
    file = tmp_path / "games.txt"
    file.write_bytes("".join(texts).encode("utf-8", "surrogateescape"))
    ran = papan(f"records import {file}")
    assert ran.status == 0
    assert ran.out == "valid games: 2 (new: 2, already known: 0); invalid games: 2\n"
    line = texts[0].count("\n") + 1
    illegal, garbage = ran.err.splitlines()
    assert illegal.startswith(f"{file}:{line}: ply 1: no square 'zz'")
    assert garbage.startswith(f"{file}:{line + texts[1].count(chr(10))}: headers are missing")
    indonesian = papan(f"records import {file} --lang id").err
    assert "langkah ke-1: tidak ada petak 'zz'" in indonesian
    report = papan(f"records import {file} --json").report
    assert report["bad"] == 2 and report["errors"][0]["line"] == line


def test_a_file_without_a_sound_game_ends_with_status_2(papan, place, tmp_path):
    file = tmp_path / "noise"
    file.write_bytes(random.Random(1).randbytes(100_000))
    ran = papan(f"records import {file} --json")
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.splitlines()[-1].startswith(f"papan: '{file}' has no valid game")
    assert "Traceback" not in ran.err and "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("column", "value"),
    [("seconds", "'soon'"), ("seed", "'x'"), ("moves", "x'ff00'"), ("round", "'first'")],
)
def test_a_row_that_is_no_record_is_named_and_the_others_are_listed(process, place, column, value):
    with sqlite3.connect(place) as base:
        base.execute(f"UPDATE papan_games SET {column} = {value} WHERE id = 'b'")
    ran = process(f"records list --json --store {place}")
    assert ran.status == 0
    [line] = ran.err.splitlines()
    assert listed(ran) == "dca"
    assert column in line
    assert "game b" in line


def evil_game(folder):
    """A sound game in a file, which leaves a mark when it is run."""
    path, mark = folder / "evil.py", folder / "was-run"
    rules = (EXAMPLE_GAMES / "tictactoe.py").read_text()
    path.write_text(f"{rules}\nopen({str(mark)!r}, 'w').close()\n")
    return path, mark


def test_a_file_that_only_a_record_names_is_never_run(papan, place, tmp_path):
    """The sound games around it are taken."""
    path, mark = evil_game(tmp_path)
    wicked = [f"{path}", f"{path}:size=3", "~nosuchuser/x.py", "a\0b.py", "/dev/stdin/x.py"]
    games = [write(short(game=name)) for name in wicked]
    text = tmp_path / "games.txt"
    text.write_text("".join([write(played("corners", 5)), *games, write(played("corners", 6))]))
    ran = papan(f"records import {text} --json")
    assert (ran.status, ran.report["games"], ran.report["bad"]) == (0, 2, len(wicked))
    assert len(ran.err.splitlines()) == len(wicked)
    assert "--game" in ran.err.splitlines()[0]
    with Store(place) as store:
        store.add(short(id="evil", game=str(path)))
    for command in ("show", "replay"):
        assert str(path) in papan(f"records {command} evil").complaint
    assert not mark.exists()


def test_a_rule_that_fails_in_one_game_keeps_the_sound_ones(papan, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "inside", True)  # no process of its own for it
    path, text = tmp_path / "late.py", tmp_path / "games.txt"
    rules = (EXAMPLE_GAMES / "tictactoe.py").read_text()
    rule = "if has_line(state.theirs):"
    path.write_text(f"LATE = []\n{rules.replace(rule, f'assert not LATE{chr(10)}    {rule}')}")
    monkeypatch.setattr(sys.modules[type(game(str(path))).__module__], "LATE", [1])
    bad = write(short(game=str(path), moves=("a1",)))
    text.write_text("".join([write(played("corners", 5)), bad, write(played("corners", 6))]))
    ran = papan(f"records import {text} --json")
    assert (ran.status, ran.report["games"], ran.report["bad"]) == (0, 2, 1)
    assert "late.py, line " in ran.err


@pytest.mark.thorough
def test_a_game_in_a_file_that_is_named_is_taken_and_replayed(process, tmp_path):
    """In a process of its own, since a file stays loaded."""
    path, mark = evil_game(tmp_path)
    text, store = tmp_path / "games.txt", tmp_path / "store.sqlite"
    text.write_text(write(short(id="one", game=str(path), moves=("a1",))))
    assert process(f"records import {text} --store {store} --game {path}").status == 0
    assert mark.exists()
    assert "a1" in process(f"records show one --store {store} --game {path}").out
    assert "--game" in process(f"records show one --store {store}").err


def test_an_empty_file_has_nothing_bad_in_it(papan, place, tmp_path):
    file = tmp_path / "empty"
    file.touch()
    assert papan(f"records import {file} --json").report["games"] == 0


def test_on_ctrl_c_the_games_that_were_read_are_kept(papan, place, tmp_path, monkeypatch):
    def interrupted(lines):
        yield played("platforms", 5)
        yield BadGame(7, RecordError("record.header", text="[bad"))
        raise KeyboardInterrupt

    file = tmp_path / "games.txt"
    file.touch()
    monkeypatch.setattr("papan.records.text.read", interrupted)
    ran = papan(f"records import {file} --json")
    assert ran.status == 130
    assert ran.report["new"] == 1 and ran.report["interrupted"] is True
    assert papan("records list --json").report["count"] == 5


@pytest.mark.parametrize(
    ("words", "offender"),
    [
        ("lst", "(list?)"),
        ("show", "ID"),
        ("show nix", "nix"),
        ("replay nix", "nix"),
        ("list --limit some", "some"),
        ("list --offset -1", "-1"),
        ("list --after nix", "nix"),
        ("list --since yesterday", "yesterday"),
        ("list --since 0001-01-01", "0001-01-01"),
        ("list --result won", "won"),
        ("list --game backgammon", "backgammon"),
        ("list --store nowhere.sqlite", "nowhere.sqlite"),
        ("stats --store mysql://localhost/games", "mysql://localhost/games"),
        ("export --json", "FILE"),
        ("export /nowhere/at/all", "/nowhere/at/all"),
        ("export /dev/full", "/dev/full"),
        ("import", "FILE"),
        ("import /nowhere/at/all", "/nowhere/at/all"),
        ("import .", "'.'"),
    ],
)
def test_what_is_typed_wrongly_is_named_in_one_line(papan, place, words, offender):
    assert offender in papan(f"records {words}").complaint
    assert offender in papan(f"--lang id records {words}").complaint


def test_records_with_text_that_utf_8_does_not_have_are_listed_and_written(papan, place, tmp_path):
    with Store(place) as store:
        store.save("e", short(x="\udcff\x00", detail="\ud800", event="\udfff"))
    assert papan("records list").status == 0
    assert listed(papan("records list --json")) == "edcba"
    assert papan("records events --json").status == 0
    assert papan("records show e --json").report["x"] == "?\x00"
    assert papan("records export").status == 0


def test_the_databases_library_is_loaded_only_where_records_are_kept():
    done = run_python(
        "import sys\n"
        "from papan.cli import main\n"
        "assert main(['games']) == 0\n"
        "assert main(['match', 'platforms', 'random', 'random', '--games', '2']) == 0\n"
        "print('sqlalchemy' in sys.modules)"
    )
    assert done.stdout.splitlines()[-1] == "False", done.stderr
