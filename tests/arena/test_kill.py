"""Whatever kills a match, the games that were finished are kept, and the same command goes on."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from papan.records.store import Store
from support import environment

#: A process is killed up to so many seconds after it has finished as many games as it may.
LATEST = 0.02


#: Runs the command line, and kills its process a while after it has kept so many games.
KILLED = """
import os, signal, sys, threading
from papan.cli import main
from papan.records.store import Store

games, delay = int(sys.argv[1]), float(sys.argv[2])
add = Store.add

def counting(store, *args, **keywords):
    global games
    games -= 1
    if games == 0:
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return add(store, *args, **keywords)

Store.add = counting
sys.exit(main(sys.argv[3:]))
"""


def command(games: int, store: Path, *words: str) -> list[str]:
    """The words of a match of two players without skill."""
    match = f"match platforms:size=4 random first --games {games} --seed 7 --json".split()
    return [*match, "--store", str(store), *words]


def count(store: Path) -> int:
    """How many games there are by now; none as long as there is no store."""
    if not store.exists():
        return 0
    with Store(store) as opened:
        return opened.count()


def kill_after(words: list[str], games: int, delay: float) -> None:
    """Runs the match; kills it `delay` seconds after it has kept so many games."""
    program = [sys.executable, "-c", KILLED, str(games), str(delay), *words]
    ended = subprocess.run(program, env=environment(), stdout=subprocess.DEVNULL)
    assert ended.returncode == -signal.SIGKILL, "it came to its end before it was killed"


def check_that_nothing_is_lost(games: int, kills: int, folder: Path, *words: str) -> None:
    """Kills a match so many times, lets it end, and looks at each game."""
    store, chance = folder / "games.sqlite", random.Random(games)
    match = command(games, store, *words)
    for left in range(kills, 0, -1):
        share = (games - count(store)) // (left + 1)
        kill_after(match, chance.randint(1, share), chance.uniform(0, LATEST))
    assert 0 < count(store) < games
    program = [sys.executable, "-m", "papan", *match]
    subprocess.run(program, env=environment(), check=True, stdout=subprocess.PIPE)
    with Store(store) as opened:
        found = list(opened.find())
    assert sorted(record.round for record in found) == list(range(1, games + 1))
    assert len({record.id for record in found}) == games
    assert len({record.event for record in found}) == 1
    for record in found:
        record.replay()
        assert record.result in ("x", "o")


def test_a_match_killed_again_and_again_ends_with_every_game_exactly_once(
    tmp_path: Path, thorough: bool
) -> None:
    check_that_nothing_is_lost(*((1000, 5) if thorough else (400, 2)), tmp_path)


@pytest.mark.thorough
def test_nothing_is_lost_either_where_worker_processes_play(tmp_path: Path) -> None:
    check_that_nothing_is_lost(400, 1, tmp_path, "--workers", "2")


@pytest.mark.long
def test_a_thousand_games_survive_twenty_kills(tmp_path: Path) -> None:
    check_that_nothing_is_lost(1000, 20, tmp_path)
