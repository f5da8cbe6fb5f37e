"""Several processes and one store; processes that are killed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from papan.records.store import Store
from records import killed_writers
from records.killed_writers import EVENT, game_of, games
from records.recount import check_in_step
from support import environment

WRITERS, FEW_WRITERS = 20, 5

ADD = """
import sys
from papan.records.store import Store
from records.samples import short
place, own, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Store(place) as store:
    news = 0
    for number in range(1, count + 1):
        store.add(short(event=own, round=number))
        news += store.add(short(event="shared", round=number))
print(news)
"""


def test_processes_that_make_and_fill_one_store_at_once_lose_and_double_nothing(place: str) -> None:
    command = [sys.executable, "-c", ADD, place]
    writers = [
        subprocess.Popen(
            [*command, f"writer {number}", "100"],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n", writer.communicate()
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    ended = [writer.communicate(timeout=120) for writer in writers]
    assert [error for _, error in ended] == ["", "", ""]
    assert sum(int(news) for news, _ in ended) == 100
    with Store(place) as store:
        rounds = {event.name: event.games for event in store.events()}
        check_in_step(store)
    assert rounds == {"shared": 100, "writer 0": 100, "writer 1": 100, "writer 2": 100}


@pytest.mark.thorough
def test_every_game_that_was_reported_stored_survives_the_killing_of_its_writer(
    place: str, thorough: bool
) -> None:
    writers = WRITERS if thorough else FEW_WRITERS
    done = subprocess.run(
        [sys.executable, killed_writers.__file__, place, str(writers)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    with Store(place) as store:
        found = list(store.find())
        check_in_step(store)
    promised = [number for numbers in told for number in numbers]
    rounds = [record.round for record in found]
    assert len(told) == writers
    assert len(promised) == len(set(promised)) > 0
    assert len(rounds) == len(set(rounds))
    assert set(promised) <= set(rounds)
    # A game may be stored although its writer was killed before it could say so.
    assert len(rounds) <= len(promised) + writers
    known = games()
    assert found == [game_of(record.round, known) for record in found]
    assert all(record.event == EVENT and record.replay() for record in found)


def test_a_file_whose_writers_were_killed_is_sound_for_other_programs(tmp_path: Path) -> None:
    import sqlite3

    place = str(tmp_path / "records.sqlite")
    subprocess.run(
        [sys.executable, killed_writers.__file__, place, str(FEW_WRITERS)],
        env=environment(),
        stdout=subprocess.DEVNULL,
        timeout=120,
        check=True,
    )
    connection = sqlite3.connect(place)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
    finally:
        connection.close()
