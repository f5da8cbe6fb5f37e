"""Papan's measurements, in the same form as those of the workers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import papan
from benchmarks.alphabeta import MODES, Mode, search
from benchmarks.api import with_observation
from benchmarks.peers.environment import ROOT
from benchmarks.peers.workers.tasks import COUNTED_DEPTH, FIRST_DEPTH, KNOWN
from benchmarks.tools.report import CannotMeasure
from benchmarks.tools.timing import cpu_seconds, wall_seconds
from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.rules.bits import signed
from papan.rules.operations import (
    State,
    count_moves,
    final_value,
    is_over,
    nth_move,
    play,
)
from papan.rules.splitmix import GOLDEN, scramble
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.result import SearchResult

GAMES = {
    "Adjacency": "adjacency",
    "Connect Four": str(ROOT / "examples" / "games" / "connect_four.py"),
    "Othello": str(ROOT / "examples" / "games" / "othello.py"),
}

#: Repetitions of a search; the shortest time counts, because searches are short.
REPETITIONS = 5


def measured(budget: float) -> dict[str, Any]:
    """Returns all measurements; each takes about `budget` seconds."""
    return {
        "version": f"Papan {_version()}",
        "searches": {f"Papan, {mode.title}": list(_searches(mode)) for mode in MODES},
        "nodes": {f"Papan, {mode.title}": search(mode, COUNTED_DEPTH)[1] for mode in MODES},
        "simulations": [
            ["Papan", name, _simulations(spec, budget)] for name, spec in GAMES.items()
        ],
        "moves": [*_moves(budget)],
    }


def first_move(*, cold: bool) -> float:
    """Returns the real time in seconds from the start of a process to its first move.

    Args:
        cold: True starts with an empty cache of compiled code.
    """
    command = [sys.executable, "-m", "papan", "search", "adjacency", "--depth", str(FIRST_DEPTH)]
    command += ["--algorithm", "alphabeta", "--json"]
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, **({"PAPAN_CACHE_DIR": empty} if cold else {})}
        done, seconds = wall_seconds(
            lambda: subprocess.run(command, env=environment, capture_output=True, check=False)
        )
    if done.returncode != 0:
        raise CannotMeasure(f"{' '.join(command)} ended with {done.returncode}")
    return seconds


def _version() -> str:
    from importlib.metadata import version

    return version("papan")


def _searches(mode: Mode) -> Iterator[list[float]]:
    for depth in KNOWN:
        runs = [search(mode, depth) for _ in range(REPETITIONS)]
        yield [depth, min(seconds for _, _, seconds in runs), runs[0][0]]


def _simulations(spec: str, budget: float) -> float:
    """Returns simulations per second from the start position, without proofs."""
    position = papan.game(spec).start()
    searching = Mcts(solver=False)
    evaluation = position.game.default_evaluation
    searching.prepare(position, evaluation)
    count, seconds, rate = 1_000, 0.0, 0.0
    while seconds < budget / 4:
        task = Task(position, evaluation, Limit(nodes=count), Stop())
        searching.begin(task)
        results, seconds = cpu_seconds(partial(list[SearchResult], searching.steps(task)))
        rate = results[-1].nodes / max(seconds, 1e-6)
        count = max(2 * count, int(rate * budget / 3))
    return rate


def _moves(budget: float) -> Iterator[list[Any]]:
    """Yields random moves per second: compiled, with `Position`, and with an adapter."""
    for name, spec in GAMES.items():
        start = papan.game(spec).start()
        _compiled_games(start)  # compiles
        yield ["Papan, compiled", name, _speed(partial(_compiled_games, start), budget)]
        yield ["Papan, Position", name, _speed(partial(_random_game, start), budget)]
    try:
        from papan.adapters import pettingzoo
    except ModuleNotFoundError:  # papan[gym] is not installed
        return
    for name in ("Adjacency", "Connect Four"):
        env = pettingzoo.env(GAMES[name])
        yield ["Papan, in PettingZoo", name, _speed(partial(with_observation, env), budget)]


def _compiled_games(start: Position) -> int:
    made, _ = random_games(start.state, 100, np.uint64(random.getrandbits(64)))
    return made


def _speed(play_some: Callable[[], int], budget: float) -> float:
    made, began = 0, time.process_time()
    while time.process_time() - began < budget / 4:
        made += int(play_some())
    return made / (time.process_time() - began)


def _random_game(position: Position) -> int:
    made = 0
    while codes := position.codes():
        position = position.after(random.choice(codes))
        made += 1
    return made


@kernel
def random_games(start: State, games: int, seed: np.uint64) -> tuple[int, int]:
    """Plays random games to their ends; returns the number of moves and the sum of the values.

    Without the sum, the compiler would remove the unused boards.
    """
    made, total = 0, 0
    for _ in range(games):
        state = start
        while not is_over(state):
            seed += GOLDEN
            number = signed(scramble(seed) % np.uint64(count_moves(state)))
            state = play(state, nth_move(state, number))
            made += 1
        total += final_value(state)
    return made, total
