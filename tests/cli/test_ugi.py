"""`papan ugi [GAME]`, as an arbiter sees it."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

import papan as package
from papan.protocol.client import Client
from papan.protocol.guards import Guards
from support import PATIENCE

SMALL = "platforms:level=2"


def converse(words: str, typed: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Runs the command with all its input at once."""
    return subprocess.run(
        [sys.executable, "-m", "papan", "ugi", *words.split()],
        input=typed,
        capture_output=True,
        timeout=120,
        check=False,
    )


def test_a_conversation_on_stdin_and_stdout():
    typed = "ugi\nisready\nposition startpos moves b3\nquery fen\nquery p1turn\nquit\nugi\n"
    done = converse(SMALL, typed.encode())
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert done.stderr == b""
    assert lines[0].startswith("id name Papan ")
    assert lines[1] == "id author The Papan developers"
    assert f"option name game type string default {SMALL}" in lines
    assert {"option name level type spin default 2 min 1 max 3", "readyok"} <= set(lines)
    assert lines[-2:] == ["response 112/222/221 o b3 c1", "response false"]


def test_garbage_is_survived_to_the_end_of_the_input():
    typed = b"\xff\xfe\x00 go\n\n  \n" + b"x" * (2 << 20) + b"\nposition\nsetoption\nquery fen"
    done = converse("", typed)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert done.stderr == b""
    assert [line.startswith("info string error ") for line in lines] == [True] * 4 + [False]
    assert lines[-1].startswith("response 6oo/6oo/")


def test_an_unknown_game_is_a_usage_error(papan):
    assert "unknown game 'backgammon'" in papan("ugi backgammon").complaint


@pytest.mark.thorough
def test_nobody_who_listens_is_no_crash():
    command = f"{sys.executable} -m papan ugi | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command], input=b"ugi\n" * 20_000, capture_output=True, check=False
    )
    assert done.stdout.startswith(b"id name Papan")
    assert b"Traceback" not in done.stderr


@pytest.fixture(scope="module")
def engine() -> Iterator[Callable[..., tuple[str, list[str]]]]:
    """Asks one `papan ugi` for moves; returns the move and all lines before it."""
    client = Client([sys.executable, "-m", "papan", "ugi"], Guards())
    client.greet()

    def ask(spec: str, line: str, *go: str) -> tuple[str, list[str]]:
        client.set_option("game", spec)
        client.wait_until_ready(time.monotonic() + PATIENCE)
        client.child.send(line, *go)
        lines = []
        for said in client.child.lines(time.monotonic() + PATIENCE):
            lines.append(said)
            if said.startswith("bestmove"):
                break
        return lines.pop(), lines

    yield ask
    client.close()


@pytest.mark.parametrize(
    "go", ["go depth 3", "go movetime 100", "go nodes 500", "go p1time 1000 p2time 900 p1inc 10"]
)
def test_every_kind_of_limit_gives_infos_and_one_move(engine, go):
    move, infos = engine(SMALL, "position startpos", go)
    word, square = move.split()
    assert word == "bestmove"
    assert square in package.game(SMALL).start().moves()
    assert infos
    for info in infos:
        assert {"depth", "score", "cp", "nodes", "time", "nps", "pv"} <= set(info.split())


def test_forever_ends_with_stop(engine):
    move, infos = engine(SMALL, "position startpos", "go infinite", "isready", "stop")
    assert "readyok" in infos
    assert len(move.split()) == 2


def test_it_plays_a_game_against_others(papan):
    command = f"{sys.executable} -m papan ugi"
    words = f"match {SMALL} 'ugi:{command}' random --games 2 --time 0.3 --json"
    report = papan(f"{words} --margin-ms 60000 --bot-ready 120").report
    assert report["players"] == [f"ugi:{command}", "random"]
    assert report["terminations"] == {"rules": 2}
    assert report["wins"] >= 1


def test_a_command_that_cannot_be_started_is_one_line(papan):
    complaint = papan("match platforms ugi:./no-such-bot random --games 1").complaint
    assert complaint == "papan: './no-such-bot' cannot be started: No such file or directory\n"
