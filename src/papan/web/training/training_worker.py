"""The process that trains a game or measures its levels, and the server's side of it.

    to it      anything                        stop, and keep what is finished
    from it    ("ready", None)                 everything is compiled; the time starts
               ("progress", dict)              a measurement of the training, or a batch of games
               ("done", dict)                  the result
               ("failed", PapanError)

The process runs one task and ends, at the latest with the server. It has the lowest priority,
because people wait for moves.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from papan.arena.levels import LevelMeasurement, LevelPlan
from papan.core.game import Game
from papan.errors import PapanError
from papan.learn.training import Training, TrainingPlan, score_facts
from papan.learn.weights import found_for, place_for, read
from papan.players.level_file import ENDING, usable_levels
from papan.usercode import registry
from papan.workers import become_worker

#: Niceness of the process.
NICENESS = 10

#: Suffix of an unfinished level file, after that of the level file.
PART = ".part"

#: Called with the name and the content of each message of the process.
OnMessage = Callable[[str, Any], None]


class Died(PapanError):
    """The process ended without a result."""


@dataclass(frozen=True)
class TrainingTask:
    """The work of a process.

    Attributes:
        game: the spec of the game.
        plan: the settings of a training, or of a measurement of levels.
    """

    game: str
    plan: TrainingPlan | LevelPlan


class TrainingProcess:
    """A process with one task.

    Args:
        task: the task.
    """

    def __init__(self, task: TrainingTask) -> None:
        self._pipe, self._theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(
            target=main, args=(self._theirs, task, NICENESS), name="papan-training", daemon=True
        )
        self._lock = threading.Lock()
        self._killed = False

    def run(self, on_message: OnMessage) -> None:
        """Runs the task to its end; blocks. `on_message` is called in this thread.

        Raises:
            Died: The process ended without a result.
        """
        with self._lock:
            if self._killed:
                raise Died("web.training.died")
            self._process.start()
            self._theirs.close()
        try:
            what = ""
            while what not in ("done", "failed"):
                what, content = self._pipe.recv()
                on_message(what, content)
        except (EOFError, OSError):
            raise Died("web.training.died") from None
        finally:
            self.kill()
            self._process.join()

    def stop(self) -> None:
        """Asks the process to stop and to keep what is finished."""
        with contextlib.suppress(OSError):
            self._pipe.send("stop")

    def kill(self) -> None:
        """Ends the process now; finished measurements are in its files."""
        with self._lock:
            self._killed = True
            if self._process.pid is not None:
                self._process.kill()


# --- in the process -------------------------------------------------------------------------------


class Talk(NamedTuple):
    """The connection of a task with the server.

    Attributes:
        tell: sends a message.
        stop: True once the server asked to stop.
    """

    tell: OnMessage
    stop: Callable[[], bool]


def main(pipe: Connection, task: TrainingTask, niceness: int) -> None:
    """Runs a task until it is finished or something arrives in the pipe."""
    become_worker(niceness=niceness)
    talk = Talk(lambda what, content: pipe.send((what, content)), pipe.poll)
    with contextlib.suppress(EOFError, OSError):
        try:
            pipe.send(("done", work(task, talk)))
        except PapanError as error:
            pipe.send(("failed", error))
        # The server ends this process, when it has read the last message.
        with contextlib.suppress(EOFError, OSError):
            while True:
                pipe.recv()


def work(task: TrainingTask, talk: Talk) -> dict[str, Any]:
    """Runs a task and returns its result.

    Raises:
        PapanError: A file is damaged or cannot be written, or a rule of the game fails.
    """
    game = registry.game(task.game)
    if isinstance(task.plan, TrainingPlan):
        return train(game, task.plan, talk)
    return measure_levels(game, task.plan, talk)


def train(game: Game, plan: TrainingPlan, talk: Talk) -> dict[str, Any]:
    """Trains a game from its present weights; the training keeps only weights that are at least as
    strong in a match (`Training`)."""
    out, found = place_for(game), found_for(game)
    out.parent.mkdir(parents=True, exist_ok=True)
    training = Training(game, plan, out, None if found is None else read(found, game)[0])
    training.prepare()
    earlier = len(training.history)
    talk.tell("ready", training.seconds)
    for milestone in training.history:
        talk.tell("progress", milestone.as_dict())
    for milestone in training.run(talk.stop):
        talk.tell("progress", milestone.as_dict())
    return {
        "games": training.games,
        "measurements": len(training.history) - earlier,
        "kept": training.has_kept,
        "used": training.best.is_stronger,
        "strength": dict(training.best.strength),
        "last": score_facts(training.history[-1].against_best) if training.history else {},
    }


def measure_levels(game: Game, plan: LevelPlan, talk: Talk) -> dict[str, Any]:
    """Measures the levels of a game in a file of its own, which replaces the level file once it is
    complete, or at once if there is no usable level file."""
    place = place_for(game, ENDING)
    place.parent.mkdir(parents=True, exist_ok=True)
    part = Path(f"{place}{PART}")
    measurement = LevelMeasurement(game, plan, part)
    measurement.prepare()
    talk.tell("ready", 0.0)
    for progress in measurement.run(talk.stop):
        talk.tell("progress", asdict(progress))
    levels = measurement.levels()
    used = levels.complete or (len(levels.levels) > 1 and usable_levels(game) is None)
    if levels.complete:
        os.replace(part, place)
    elif used:
        levels.write(place, game)
    return {
        "games": measurement.games,
        "complete": levels.complete,
        "used": used,
        "levels": [{"elo": level.elo, "error": level.error} for level in levels.levels],
    }
