"""Whatever kills a match, the games that were finished are kept, and the same command goes on."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from papan.records.store import Store
from support import environment, wait_until

#: A process is killed up to so many seconds after it has finished as many games as it may.
LATEST = 0.02


def command(games: int, store: Path, *words: str) -> list[str]:
    """A match of two players without skill, in a process of its own."""
    match = f"match platforms:size=4 random first --games {games} --seed 7 --json".split()
    return [sys.executable, "-m", "papan", *match, "--store", str(store), *words]


def count(store: Path) -> int:
    """How many games there are by now; none as long as there is no store."""
    if not store.exists():
        return 0
    with Store(store) as opened:
        return opened.count()


def kill_after(words: list[str], store: Path, games: int, delay: float) -> None:
    """Starts the match and kills it when so many games have been added and some time has passed."""
    enough = count(store) + games
    process = subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    try:
        wait_until(lambda: count(store) >= enough or process.poll() is not None)
        time.sleep(delay)
    finally:
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "it came to its end before it was killed"


def check_that_nothing_is_lost(games: int, kills: int, folder: Path, *words: str) -> None:
    """Kills a match so many times, lets it end, and looks at each game."""
    store, chance = folder / "games.sqlite", random.Random(games)
    match = command(games, store, *words)
    for left in range(kills, 0, -1):
        share = (games - count(store)) // (left + 1)
        kill_after(match, store, chance.randint(1, share), chance.uniform(0, LATEST))
    assert 0 < count(store) < games
    subprocess.run(match, env=environment(), check=True, stdout=subprocess.PIPE)
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
