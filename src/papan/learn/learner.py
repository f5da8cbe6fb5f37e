"""Self-play learning with full-precision weights, in one or several processes.

All workers start from the same weights, and each plays some batches in its own process. The
returned weights are averaged, weighted by the errors that each worker has seen. Sending and joining
weights takes about half as long as a fast batch, so a worker plays for about a second before it
returns. If a worker dies, only its current share is lost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.learn.ntuple import SCALE, Network
from papan.learn.self_play import LONGEST, LearnerState, SelfPlaySettings, self_play
from papan.learn.survey import Survey
from papan.learn.weights import Weights, network_of
from papan.rules.splitmix import numbers
from papan.search.alphabeta.techniques import Techniques
from papan.search.limits import Stop, run_stoppable
from papan.search.workspace import new_workspace
from papan.usercode import registry
from papan.workers import WorkerPool

#: Target duration of a worker's share in seconds, and limits of its number of batches. With one
#: batch each, workers on a busy machine would mostly wait for each other.
ALONE, FEWEST_BATCHES, MOST_BATCHES = 1.0, 6, 64

Array = np.ndarray[Any, Any]


class Learner:
    """Full-precision weights that learn from batches of self-play."""

    def __init__(self, game: Game, facts: Survey, seed: int, *, target: Any) -> None:
        self.game, self.facts, self.target = game, facts, target
        self.network: Network = network_of(game, facts)
        features = self.network.features
        self.state = LearnerState(
            np.zeros((self.network.rows, features.weights, 4), dtype=np.float32),
            np.ascontiguousarray(np.stack([features.shared, features.placed], axis=1)),
            np.zeros((LONGEST, len(features.tuples)), dtype=np.int32),
            np.zeros(LONGEST, dtype=np.int32),
            np.zeros(LONGEST, dtype=np.int8),
            np.zeros(LONGEST),
            np.zeros(LONGEST, dtype=np.int8),
            numbers(seed, 1),
            np.zeros(4),
        )
        self._reader = self.network.reader()
        self._workspace = new_workspace(game.start())

    def learn(self, settings: SelfPlaySettings, seconds: float | None = None) -> None:
        """Plays a batch and learns from it; a batch of 0 games only compiles the kernels.

        Args:
            settings: settings of the batch.
            seconds: time limit; may end the batch inside a game. None without a limit.

        Raises:
            InvalidGame: a rule of a user's game runs forever.
        """
        start, evaluation = self.game.start_state(), self.quantise().evaluation
        reader, target = self._reader, self.target
        room = self._workspace

        def play() -> None:
            self_play(start, evaluation, reader, self.state, target, settings, Techniques(), room)

        room.stop = 0
        if settings.games > 0:
            run_stoppable(play, Stop.over(room, self.game.start()), seconds)
        else:
            play()

    def quantise(self, **notes: Mapping[str, Any]) -> Weights:
        """Returns the weights as 16-bit integers, as stored in a file."""
        scaled = self.state.weights[:, :, 0] * (SCALE * (self.facts.margin or 1.0))
        spread = self.network.spread_for(scaled)
        values = np.rint(scaled * 2**spread).clip(-32767, 32767).astype(np.int16)
        training, strength = notes.get("training", {}), notes.get("strength", {})
        return Weights(self.game, self.facts, values, spread, training, strength)

    def start_from(self, weights: Weights) -> None:
        """Copies the weights of a file into the learner."""
        scale = 2**weights.spread * SCALE * (self.facts.margin or 1.0)
        self.state.weights[:, :, 0] = weights.values / scale


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
    state = learner.state
    state.weights[:], state.totals[:] = share.weights, 0
    state.random[:] = numbers(share.seed, 1)
    end = math.inf if share.seconds is None else time.perf_counter() + share.seconds
    for _ in range(share.batches):
        left = end - time.perf_counter()
        if left > 0:
            learner.learn(share.settings, None if share.seconds is None else left)
    return state.weights.copy(), state.totals.copy()


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
    """The workers of a training.

    Args:
        learner: holds the joined weights.
        settings: settings of a batch.
        pool: the workers. If the executor has an attribute `workers`, it is the number of shares
            played at a time.
    """

    def __init__(self, learner: Learner, settings: SelfPlaySettings, pool: WorkerPool) -> None:
        self.learner, self.settings, self.pool = learner, settings, pool
        self.batches = 1

    def learn(self, games_left: int | None = None, seconds: float | None = None) -> None:
        """Plays one batch in this process, or one share in each worker.

        Args:
            games_left: number of games until the training ends; None without a limit.
            seconds: time limit in seconds; None without a limit.
        """
        if self.pool.is_here:
            self.learner.learn(self.settings, seconds)
            return
        count = max(1, getattr(self.pool.executor, "workers", self.pool.count))
        began, state = time.perf_counter(), self.learner.state
        before = state.weights.copy()
        shares = self._shares(before, count, games_left)
        results = self._results([share._replace(seconds=seconds) for share in shares])
        if results:
            state.weights[:] = join_weights(before, [weights for weights, _ in results])
            state.totals[:] += np.sum([totals for _, totals in results], axis=0)
        took = (time.perf_counter() - began) / self.batches
        suitable = max(FEWEST_BATCHES, round(ALONE / took))
        self.batches = min(MOST_BATCHES, 2 * self.batches, suitable)

    def _shares(self, weights: Array, count: int, games_left: int | None) -> list[Share]:
        learner, settings, batches = self.learner, self.settings, self.batches
        if games_left is not None:
            batches = max(1, min(batches, math.ceil(games_left / (settings.games * count))))
        chance = learner.state.random
        seeds = numbers(int(chance[0]), count + 1)
        chance[0] = seeds[-1]
        work = (learner.game.spec, learner.facts, learner.target, settings, weights)
        return [Share(*work, int(seed), batches) for seed in seeds[:-1]]

    def _results(self, shares: list[Share]) -> list[tuple[Array, Array]]:
        """Returns weights and totals of each worker, without those that died."""
        results = []
        for task in [self.pool.submit(play_share, share) for share in shares]:
            with suppress(BrokenProcessPool):
                results.append(task.result())
        return results
