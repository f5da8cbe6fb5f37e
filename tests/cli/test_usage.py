"""Whatever is typed wrongly: one line on stderr, status 2, never a traceback."""

import shlex
import subprocess
import sys

import pytest

COMMANDS = ["games", "rules", "play", "match", "search", "perft"]

#: A wrong command line and the word in it that the complaint must name.
WRONG = [
    ("backgammon", "backgammon"),
    ("--nope", "--nope"),
    ("--lang fr games", "fr"),
    ("games --lang fr", "fr"),
    ("games surplus", "surplus"),
    ("games --jsn", "--jsn"),
    ("rules", "GAME"),
    ("rules backgammon", "backgammon"),
    ("rules corners surplus", "surplus"),
    ("rules corners:size=4", "size"),
    ("rules adjacency:rounds=many", "many"),
    ("rules adjacency:rounds=29", "29"),
    ("rules adjacency:rounds", "rounds"),
    ("rules platforms:level=2,level=3", "level"),
    ("rules @spec.twice", "@spec.twice"),
    ("perft", "GAME"),
    ("perft corners", "--depth"),
    ("perft corners --depth", "--depth"),
    ("perft corners --depth two", "two"),
    ("perft corners --depth -1", "-1"),
    ("perft corners --depth 1000", "1000"),
    ("perft corners --depth 2 --position here", "here"),
    ("perft corners --depth 2 --divide=yes", "--divide"),
    ("perft backgammon --depth 2", "backgammon"),
    ("search", "GAME"),
    ("search backgammon", "backgammon"),
    ("search corners --depth -4", "-4"),
    ("search corners --depth 0", "0"),
    ("search corners --depth 1.5", "1.5"),
    ("search corners --time soon", "soon"),
    ("search corners --time -1", "-1"),
    ("search corners --time nan", "nan"),
    ("search corners --nodes 0", "0"),
    ("search corners --nodes some", "some"),
    ("search corners --algorithm magic", "magic"),
    ("search corners --algorithm alphabeta:magic=1", "magic"),
    ("search corners --evaluation gut", "gut"),
    ("search corners --position ''", "''"),
    ("search corners --position 'ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xxx z'", "'z'"),
    ("search corners --moves 'f3f4 zz'", "zz"),
    ("search corners --moves 'f3f4 f4f5'", "f4f5"),
    ("search corners --json=1", "--json"),
    ("search platforms --position '000/000/000 x a3 c1' --moves b2", "b2"),
    ("play", "GAME"),
    ("play backgammon", "backgammon"),
    ("play corners nobody", "nobody"),
    ("play corners random minimax:depth=0", "0"),
    ("play corners human human human", "human"),
    ("play corners --seed lucky", "lucky"),
    ("play corners --seed -1", "-1"),
    ("play corners --time never", "never"),
    ("play corners --position nowhere", "nowhere"),
    ("match", "GAME"),
    ("match corners random", "PLAYER"),
    ("match corners random random", "--games"),
    ("match corners random random --games none", "none"),
    ("match corners random random --games 0", "0"),
    ("match corners random nobody --games 2", "nobody"),
    ("match corners random nobody.py --games 2", "nobody.py'"),
    ("match corners random python:nobody.py --games 2", ": 'nobody.py'"),
    ("match corners random random random --games 2", "random"),
    ("search platforms --algorithm minimax:depth=3", "--depth"),
    ("tree platforms --depth 1 --algorithm minimax:depth=3", "--depth"),
    ("tree platforms --depth 1 --out tree.png", ".svg | .dot | .html | .json"),
    ("values platforms --out values.png", "'values.png'"),
    ("match corners random random --games 2 --seed x", "'x'"),
    ("match corners random random --games 2 --time 0", "0"),
    ("match corners random random --games 2 --bot-memory much", "--bot-memory: 'much'"),
    ("match corners random random --games 2 --bot-processes -1", "--bot-processes: '-1'"),
    ("match corners random random --games 2 --bot-ready nan", "--bot-ready: 'nan'"),
    ("match corners random random --games 2 --env NO_SUCH_NAME", "NO_SUCH_NAME"),
    (
        "match corners random random --games 2 --openings none --records /nowhere/at/all",
        "/nowhere/at/all",
    ),
]


@pytest.mark.parametrize(("words", "offender"), WRONG)
def test_a_wrong_command_line_is_refused_in_one_line_that_names_the_offender(
    papan, words, offender
):
    assert offender in papan(words).complaint


@pytest.mark.parametrize(("words", "offender"), WRONG)
def test_the_complaint_is_in_the_language_asked_for(papan, words, offender):
    english = papan(words).complaint
    indonesian = papan(words if "--lang" in words else f"--lang id {words}").complaint
    assert offender in indonesian
    assert (indonesian == english) == ("--lang" in words)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_unknown_options(papan, command):
    complaint = papan(f"{command} --frobnicate").complaint
    assert "--frobnicate" in complaint
    assert f"papan {command} --help" in complaint


def test_a_near_miss_is_answered_with_what_was_probably_meant(papan):
    assert "(games?)" in papan("game").complaint
    assert "(--depth?)" in papan("perft corners --dept 3").complaint
    assert "(corners?)" in papan("rules corner").complaint
    assert "(minimax?)" in papan("play corners minmax").complaint
    assert "(list?)" in papan("records lst").complaint


def test_characters_that_a_terminal_would_obey_are_not_passed_on(papan):
    complaint = papan(shlex.join(["rules", "red\x1b[31m\nline"])).complaint
    assert "\x1b" not in complaint


def test_a_wrong_command_line_has_no_traceback_in_a_real_process_either(process):
    assert "backgammon" in process("search backgammon --depth 3").complaint


def test_a_records_file_in_a_folder_that_is_a_file_is_refused(papan, tmp_path):
    blocker = tmp_path / "file"
    blocker.touch()
    path = f"{blocker}/games.txt"
    assert (
        path
        in papan(
            f"match corners random random --games 2 --openings none --records {path}"
        ).complaint
    )


def test_output_that_cannot_be_written_is_one_line_and_status_2():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "papan", "games", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("papan: 'stdout' cannot be written")
    assert done.stderr.count("\n") == 1
