"""`papan web`: the server as the command line starts it."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from papan.cli.web import address_of, listen, read_players, read_secret
from papan.errors import UsageError
from support import PATIENCE


def test_the_first_free_port_is_taken_where_none_is_asked_for() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_port_that_is_asked_for_and_busy_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} of 127.0.0.1"):
            listen("127.0.0.1", port)


def test_addresses_are_those_that_a_browser_on_this_machine_takes() -> None:
    assert address_of("0.0.0.0", 80) == "http://127.0.0.1:80/"
    assert address_of("::1", 80) == "http://[::1]:80/"


def test_players_are_named_with_an_equals_sign(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, limit): ...")
    assert read_players([f"mine=python:{bot}"]) == {"mine": f"python:{bot}"}
    with pytest.raises(UsageError, match="NAME=SPEC"):
        read_players(["mine"])


def test_the_secret_of_the_operator_is_long() -> None:
    assert read_secret("") == ""
    assert read_secret("sixteen letters.") == "sixteen letters."
    with pytest.raises(UsageError, match="PAPAN_OPERATOR is too short"):
        read_secret("fifteen letters")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--port x", "option --port"),
        ("--processes 0", "option --processes"),
        ("--player mine=nobody", "unknown player 'nobody'"),
        ("--game backgammon", "unknown game 'backgammon'"),
        ("--host nowhere.invalid", "of nowhere.invalid cannot be used"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    papan: Callable[..., Any], words: str, complaint: str
) -> None:
    assert complaint in papan(f"web --no-open {words}").complaint


def interrupted(server: subprocess.Popen[str], connection: http.client.HTTPConnection) -> None:
    """Ends a server as a terminal does."""
    os.killpg(server.pid, signal.SIGINT)


def left(server: subprocess.Popen[str], connection: http.client.HTTPConnection) -> None:
    """Ends a server from the page."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    origin = {"Origin": f"http://{connection.host}:{connection.port}"}
    connection.request("POST", "/exit", "end=server", form | origin)
    answer = connection.getresponse()
    assert (answer.status, b"Papan has stopped" in answer.read()) == (200, True)


@pytest.mark.parametrize("end", [interrupted, left])
def test_the_server_says_where_it_is_and_ends_with_ctrl_c_or_from_the_page(
    tmp_path: Path, end: Callable[..., None]
) -> None:
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "papan",
            "web",
            "--no-open",
            "--port",
            "0",
            "--database",
            str(tmp_path / "games.sqlite"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PAPAN_LANG": "en"},
    )
    try:
        assert server.stdout is not None
        said = server.stdout.readline()
        address = urlsplit(said.removeprefix("Papan is running at ").partition(" ")[0])
        connection = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
        connection.request("GET", "/about")
        answer = connection.getresponse()
        assert (answer.status, bool(answer.read())) == (200, True)
        end(server, connection)
        connection.close()
        _, errors = server.communicate(timeout=PATIENCE)
    finally:
        server.kill()
        server.wait()
    assert server.returncode in (0, 130)
    assert errors == ""
