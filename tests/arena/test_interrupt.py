"""Ctrl-C while worker processes play: at once, with what is finished, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from papan.records.store import Store
from support import PATIENCE, environment, is_gone, wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")

#: A bot that notes its process, plays its first games at once and then hangs.
SLOW = """
import os, signal
from pathlib import Path

here = Path(__file__).parent
with open(here / "pids", "a") as file:
    print(os.getpid(), file=file)

def choose(position, limit):
    if (here / "stuck").exists():
        (here / "hangs").touch()
        signal.pause()
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


def games(store: Path) -> int:
    """How many games there are by now."""
    if not store.exists():
        return 0
    with Store(store) as opened:
        return opened.count()


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
        wait_until(lambda: games(store) >= 3)
        (tmp_path / "stuck").touch()
        wait_until((tmp_path / "hangs").exists)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    assert running.returncode == 130, err
    assert "Traceback" not in err
    report = json.loads(out)
    assert report["interrupted"] is True
    assert report["games"] == games(store) >= 3
    pids = (tmp_path / "pids").read_text().split()
    assert pids and str(os.getpid()) not in pids
    wait_until(lambda: not members(running.pid) and all(map(is_gone, pids)))
