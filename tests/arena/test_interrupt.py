"""Ctrl-C while worker processes play: at once, with what is finished, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from papan.records.store import Store
from support import environment

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")

#: What somebody at a terminal is ready to wait for after Ctrl-C, in seconds.
AT_ONCE = 2.0

#: How long the first games may take to come, on a busy machine, in seconds.
PATIENCE = 120.0

#: A bot that notes its process, plays its first games at once and then takes its time.
SLOW = """
import os, time
from pathlib import Path

here = Path(__file__).parent
with open(here / "pids", "a") as file:
    print(os.getpid(), file=file)

def choose(position, limit):
    if (here / "stuck").exists():
        time.sleep(600)
    return position.moves()[0]
"""


def members(session: int) -> list[int]:
    """The processes of a session that are still there."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, group = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(group) == session and state != "Z":
            found.append(int(stat.parent.name))
    return found


def wait_for_games(store: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if store.exists():
            with Store(store) as opened:
                if opened.count() >= count:
                    return
        time.sleep(0.05)
    raise AssertionError("no games")


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_games_that_are_being_played_are_given_up_at_once(tmp_path: Path, command: str) -> None:
    bot, store = tmp_path / "slow.py", tmp_path / "games.sqlite"
    bot.write_text(SLOW, encoding="utf-8")
    amount = ["--games", "4000"] if command == "match" else ["--pairs", "2000"]
    words = [command, "platforms:size=4", f"python:{bot}", "random", *amount, "--json"]
    words += ["--workers", "2", "--store", str(store)]
    running = subprocess.Popen(
        [sys.executable, "-m", "papan", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        text=True,
    )
    try:
        wait_for_games(store, 3)
        (tmp_path / "stuck").touch()
        time.sleep(0.3)
        began = time.monotonic()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        took = time.monotonic() - began
    finally:
        running.kill()
    assert running.returncode == 130, err
    assert took < AT_ONCE
    assert "Traceback" not in err
    with Store(store) as opened:
        kept = opened.count()
    report = json.loads(out)
    assert report["interrupted"] is True
    assert report["games"] == kept >= 3
    deadline = time.monotonic() + AT_ONCE
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    while time.monotonic() < deadline:
        left = members(running.pid) + [pid for pid in pids if Path(f"/proc/{pid}").exists()]
        if not left:
            break
        time.sleep(0.02)
    assert left == []
    assert pids and os.getpid() not in pids
