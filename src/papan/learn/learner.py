"""Self-play learning with full-precision weights, in threads or in the workers of an executor.

The threads of a process change the same weights without locks (Niu et al., "Hogwild!", NIPS
2011). Two changes of one weight at the same time may lose one of them, and their order depends on
the machine, so only one thread is repeatable.

The workers of an executor start from the same weights, and each plays some batches in its own
process. The returned weights are averaged, weighted by the errors that each worker has seen.
Sending and joining weights takes about half as long as a fast batch, so a worker plays for about a
second before it returns. If a worker dies, only its current share is lost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.learn.ntuple import SCALE, Network
from papan.learn.self_play import LONGEST, LearnerState, SelfPlaySettings, self_play
from papan.learn.survey import Survey
from papan.learn.threads import run_threads
from papan.learn.weights import Weights, network_of
from papan.rules.splitmix import numbers
from papan.search.alphabeta.techniques import Techniques
from papan.search.workspace import new_workspace
from papan.usercode import registry

#: Target duration of a worker's share in seconds, and limits of its number of batches. With one
#: batch each, workers on a busy machine would mostly wait for each other.
ALONE, FEWEST_BATCHES, MOST_BATCHES = 1.0, 6, 64

Array = np.ndarray[Any, Any]


class Learner:
    """Full-precision weights that learn from batches of self-play.

    Args:
        game: the rules.
        facts: survey of the game.
        seed: seed of all random choices.
        target: technique that computes the learning targets.
        threads: number of threads, which change the same weights at the same time.
    """

    def __init__(
        self, game: Game, facts: Survey, seed: int, *, target: Any, threads: int = 1
    ) -> None:
        self.game, self.facts, self.target = game, facts, target
        self.network: Network = network_of(game, facts)
        features = self.network.features
        self.weights = np.zeros((self.network.rows, features.weights, 4), dtype=np.float32)
        self.random, self.totals = numbers(seed, threads), np.zeros((threads, 5))
        self._states = [
            LearnerState(
                self.weights,
                features.cells,
                np.zeros((LONGEST, len(features.tuples)), dtype=np.int32),
                np.zeros(LONGEST, dtype=np.int32),
                np.zeros(LONGEST, dtype=np.int8),
                np.zeros(LONGEST),
                np.zeros(LONGEST, dtype=np.int8),
                self.random[thread : thread + 1],
                self.totals[thread],
            )
            for thread in range(threads)
        ]
        self._reader = self.network.reader()
        self._workspaces = [new_workspace(game.start()) for _ in range(threads)]

    @property
    def games(self) -> int:
        """Number of played games."""
        return int(self.totals[:, 0].sum())

    def learn(self, settings: SelfPlaySettings, seconds: float | None = None) -> None:
        """Plays a batch in each thread and learns from it; a batch of 0 games only compiles the
        kernels.

        Args:
            settings: settings of the batch.
            seconds: time limit; may end the batch inside a game. None without a limit.

        Raises:
            InvalidGame: a rule of a user's game runs forever.
        """
        start, evaluation = self.game.start_state(), self.quantise().evaluation
        reader, target = self._reader, self.target

        def play(thread: int) -> None:
            state, workspace = self._states[thread], self._workspaces[thread]
            self_play(start, evaluation, reader, state, target, settings, Techniques(), workspace)

        if settings.games > 0:
            run_threads(play, self._workspaces, self.game.start(), seconds)
        else:
            play(0)

    def quantise(self, **notes: Mapping[str, Any]) -> Weights:
        """Returns the weights as 16-bit integers, as stored in a file."""
        scaled = self.weights[:, :, 0] * (SCALE * (self.facts.margin or 1.0))
        spread = self.network.spread_for(scaled)
        values = np.rint(scaled * 2**spread).clip(-32767, 32767).astype(np.int16)
        training, strength = notes.get("training", {}), notes.get("strength", {})
        return Weights(self.game, self.facts, values, spread, training, strength)

    def start_from(self, weights: Weights) -> None:
        """Copies the weights of a file into the learner."""
        scale = 2**weights.spread * SCALE * (self.facts.margin or 1.0)
        self.weights[:, :, 0] = weights.values / scale


class Share(NamedTuple):
    """The batches that a worker plays before it returns its weights.

    Attributes:
        game: the spec of the game.
        facts: the survey of the game.
        target: technique that computes the learning targets.
        settings: settings of a batch.
        weights: the weights to start from.
        seed: seed of the worker.
        batches: number of batches.
        seconds: time limit in seconds; None without a limit.
    """

    game: str
    facts: Survey
    target: Any
    settings: SelfPlaySettings
    weights: Array
    seed: int
    batches: int = 1
    seconds: float | None = None


#: Cached learner of this process, by game, survey and target: its tables are slow to create.
_LEARNERS: dict[str, Learner] = {}


def play_share(share: Share) -> tuple[Array, Array]:
    """Plays a share in a worker process; returns the new weights and the totals."""
    known = repr((share.game, share.facts, share.target))
    if known not in _LEARNERS:
        _LEARNERS.clear()
        game = registry.game(share.game)
        _LEARNERS[known] = Learner(game, share.facts, 0, target=share.target)
    learner = _LEARNERS[known]
    learner.weights[:], learner.totals[:] = share.weights, 0
    learner.random[:] = numbers(share.seed, 1)
    end = math.inf if share.seconds is None else time.perf_counter() + share.seconds
    for _ in range(share.batches):
        left = end - time.perf_counter()
        if left > 0:
            learner.learn(share.settings, None if share.seconds is None else left)
    return learner.weights.copy(), learner.totals.copy()


def join_weights(before: Array, after: list[Array]) -> Array:
    """Joins the weights of several workers that started from the same weights.

    Each weight changes by the mean of its changes, weighted by the errors that each worker has
    seen.

    Args:
        before: weights at the start of all workers.
        after: weights of each worker.
    """
    changes = [weights - before for weights in after]
    seen = np.sum([change[:, :, 2] for change in changes], axis=0)
    moved = np.sum([change[:, :, 0] * change[:, :, 2] for change in changes], axis=0)
    joined = before + np.sum(changes, axis=0)
    joined[:, :, 0] = before[:, :, 0] + moved / np.maximum(seen, 1e-9)
    return joined


class Team:
    """The workers of an executor, for example on other machines.

    Args:
        learner: holds the joined weights.
        settings: settings of a batch.
        executor: the workers. Its attribute `workers` is the number of shares played at a time.
        workers: number of shares at a time of an executor without that attribute.
    """

    def __init__(
        self, learner: Learner, settings: SelfPlaySettings, executor: Executor, workers: int = 1
    ) -> None:
        self.learner, self.settings, self.executor = learner, settings, executor
        self.workers, self.batches = workers, 1

    def prepare(self) -> None:
        """Compiles or loads the kernels in the workers."""
        settings = self.settings._replace(games=0)
        shares = self._shares(self.learner.weights, None)
        self._results([share._replace(settings=settings) for share in shares])

    def learn(self, games_left: int | None = None, seconds: float | None = None) -> None:
        """Plays one share in each worker.

        Args:
            games_left: number of games until the training ends; None without a limit.
            seconds: time limit in seconds; None without a limit.
        """
        began, learner = time.perf_counter(), self.learner
        before = learner.weights.copy()
        shares = self._shares(before, games_left)
        results = self._results([share._replace(seconds=seconds) for share in shares])
        if results:
            learner.weights[:] = join_weights(before, [weights for weights, _ in results])
            learner.totals += np.sum([totals for _, totals in results], axis=0)
        took = (time.perf_counter() - began) / self.batches
        suitable = max(FEWEST_BATCHES, round(ALONE / took))
        self.batches = min(MOST_BATCHES, 2 * self.batches, suitable)

    def _shares(self, weights: Array, games_left: int | None) -> list[Share]:
        learner, settings, batches = self.learner, self.settings, self.batches
        count = max(1, getattr(self.executor, "workers", self.workers))
        if games_left is not None:
            batches = max(1, min(batches, math.ceil(games_left / (settings.games * count))))
        seeds = numbers(int(learner.random[0]), count + 1)
        learner.random[0] = seeds[-1]
        work = (learner.game.spec, learner.facts, learner.target, settings, weights)
        return [Share(*work, int(seed), batches) for seed in seeds[:-1]]

    def _results(self, shares: list[Share]) -> list[tuple[Array, Array]]:
        """Returns weights and totals of each worker, without those that died."""
        results = []
        for task in [self.executor.submit(play_share, share) for share in shares]:
            with suppress(BrokenProcessPool):
                results.append(task.result())
        return results
