"""Processes that add the games of an event to a store and are killed while they do so.

Run in a process of its own, since it forks. What each writer has been told is stored, it has
written into a pipe: that much is promised.
"""

import json
import os
import random
import select
import signal
import sys
import time

import alembic.command  # noqa: F401  # loaded here, so that the writers need no time for it
import psycopg  # noqa: F401  # the same

from papan.records.model import Record
from papan.records.store import Store
from records.samples import played

EVENT = "to be killed"

#: Writers are killed after this time at the most, in seconds: every second one after its start,
#: while it makes or opens the store, the others after they have added a game.
LONGEST_LIFE = 0.1

PATIENCE = 30.0


def games() -> list[Record]:
    """Different small games."""
    return [played("platforms", seed) for seed in range(1, 21)]


def game_of(number: int, known: list[Record]) -> Record:
    """The game of a round, the same one whoever adds it."""
    one = known[number % len(known)]
    return Record(one.game, one.x, one.o, one.moves, one.result, event=EVENT, round=number)


def write(place: str, known: list[Record], pipe: int) -> None:
    """Adds the rounds that are not there yet, one by one, without an end."""
    with Store(place) as store:
        finished = store.rounds(EVENT)
        number = 0
        while True:
            number += 1
            if number not in finished:
                store.add(game_of(number, known))
                os.write(pipe, b"%d\n" % number)


def kill_one(place: str, known: list[Record], life: float, *, wait: bool) -> list[int]:
    """Starts a writer and kills it; returns the rounds that it was told are stored.

    Args:
        place: of the store.
        known: the games to add.
        life: how long the writer has, in seconds.
        wait: whether its life begins with its first game.
    """
    reading, writing = os.pipe()
    writer = os.fork()
    if writer == 0:
        try:
            write(place, known, writing)
        finally:
            os._exit(1)
    os.close(writing)
    if wait:
        select.select([reading], [], [], PATIENCE)
    time.sleep(life)
    os.kill(writer, signal.SIGKILL)
    with os.fdopen(reading) as pipe:
        told = [int(line) for line in pipe]
    _, status = os.waitpid(writer, 0)
    assert os.WIFSIGNALED(status), "the writer has failed by itself"
    return told


def main(place: str, writers: int) -> None:
    """Prints what the writers were told, as a list for each of them."""
    known, chance = games(), random.Random(5)
    lives = [chance.uniform(0, LONGEST_LIFE) for _ in range(writers)]
    told = [kill_one(place, known, life, wait=number % 2 == 1) for number, life in enumerate(lives)]
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
