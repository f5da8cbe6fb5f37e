"""Building tablebases: choosing the codec and the method, and writing the file."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from papan.core.game import Position
from papan.errors import InvalidLimit, Unsolved, UsageError
from papan.rules import operations as rules
from papan.rules.solving import index_count
from papan.search.limits import DEFAULT_MB, LARGEST_MB, MOST_OF_MEMORY, Stop, memory_of_machine
from papan.tablebase.building import Building, BuildProgress, CyclicGame, Misfit
from papan.tablebase.cluster import Cluster, Order
from papan.tablebase.codec import (
    MOST_PLIES,
    NUMBERED,
    ValueRange,
    Words,
    codec_of,
    put_least_image,
    ranges_of,
    widen,
)
from papan.tablebase.expand import expand, new_batch
from papan.tablebase.forward import build_forward
from papan.tablebase.keys import codes_of
from papan.tablebase.lookup import Tablebase, count_results
from papan.tablebase.retrograde import build_retrograde
from papan.tablebase.store import (
    CYCLIC,
    FORWARD,
    Parts,
    block_rows,
    read_file,
    rules_digest,
    write_file,
)

#: Random games that the value ranges are sampled from, their plies, and the time limit in seconds.
_GAMES, _PLIES, _SECONDS = 200, 200, 1.0


def build(
    position: Position,
    *,
    out: Path | None = None,
    memory_mb: float = DEFAULT_MB,
    workers: int = 1,
    executor: Executor | None = None,
    anyway: bool = False,
    pruned: bool = False,
    stop: Stop | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> Tablebase:
    """Builds the tablebase of all positions that are reachable from a root.

    Args:
        position: the root, usually the start of a game.
        out: the file to write. Finished parts are stored in `OUT.parts`, so that the same call can
            resume. None keeps everything in memory.
        memory_mb: memory limit of tables in MB.
        workers: number of threads; the file does not depend on it.
        executor: builds the layers instead of threads, as many pieces at a time as its `workers`;
            only for games without cycles.
        anyway: true to continue if the estimated size exceeds memory or disk; the memory limit
            still applies.
        pruned: true to leave out positions after a missed win: if a move wins at once, only winning
            moves are followed. Other results stay the same.
        stop: a switch with which any thread can stop the work.
        on_progress: called regularly in the calling thread.

    Raises:
        Unsolved: The memory is insufficient, the work was stopped, or no method can solve the game.
        UsageError: A number is out of range, or a file cannot be written.
    """
    if not 1 <= memory_mb <= LARGEST_MB:
        what, expected = "@limit.memory-size", f"1 … {LARGEST_MB} MB"
        raise InvalidLimit("limit.range", what=what, value=memory_mb, expected=expected)
    require_buildable(position, pruned)
    budget = min(int(memory_mb * 2**20), int(MOST_OF_MEMORY * memory_of_machine()))
    try:
        return _Builder(
            position, out, budget, workers, executor, anyway, pruned, stop or Stop(), on_progress
        ).build()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError("tablebase.disk", text=out, reason=reason) from None


def require_buildable(position: Position, pruned: bool) -> None:
    """Checks that a tablebase of the game can be built.

    Raises:
        Unsolved: No method can solve the game.
        UsageError: `pruned` is set, but the game cannot be pruned.
    """
    if rules.repetition_is_forbidden(position.state):
        why = "@solve.positions-forbidden"
        raise Unsolved("solve.no-way", text=position, game=position.game.name, why=why)
    if pruned and rules.win_value(position.state) == 0:
        raise UsageError("tablebase.pruned-margins", game=position.game.name)


def prepare(position: Position) -> None:
    """Compiles the kernels for a game, or loads them from the cache."""
    codec = codec_of(ranges_of(position.state))
    batch = new_batch(position.state, codec.width, 1)
    expand(position.state, codec, batch, batch.keys, 0, 0, True)


@dataclass
class _Builder:
    """One call of `build`; `budget` is in bytes."""

    position: Position
    out: Path | None
    budget: int
    workers: int
    executor: Executor | None
    anyway: bool
    pruned: bool
    stop: Stop
    on_progress: Callable[[BuildProgress], None] | None

    def __post_init__(self) -> None:
        self.ranges = sample_ranges(self.position)
        # A bound is not a promise: after `CyclicGame`, `build` changes the method.
        bound = int(rules.max_plies_left(self.position.state))
        self.method = FORWARD if bound <= MOST_PLIES else CYCLIC
        folder = None if self.out is None else self.out.with_name(self.out.name + ".parts")
        self.rules = rules_digest(self.position.game)
        self.parts = Parts(folder, self._identity())
        # A resumed build keeps the stored choices, because the keys of stored parts depend on them.
        if "spans" in self.parts.notes:
            self.ranges = [ValueRange(*each) for each in self.parts.notes["spans"]]
            self.method = self.parts.notes["method"]
        else:
            self._note_choices()

    def build(self) -> Tablebase:
        """Builds the tablebase, and continues from stored parts.

        Starts again with other settings if a range of values or the method does not fit the game.
        """
        while True:
            work = Building(
                self.position, NUMBERED if self.is_numbered else codec_of(self.ranges), self.budget,
                self.workers, self.parts, self.stop, self.on_progress, self._cluster(), self.anyway,
                self.pruned,
            )  # fmt: skip
            try:
                if self.executor is not None and self.method == CYCLIC:
                    raise Unsolved("tablebase.cluster-circles", game=self.position.game.spec)
                method = build_forward if self.method == FORWARD else build_retrograde
                depths = method(work)
            except Misfit as misfit:
                self.ranges = widen(self.ranges, misfit.words)
            except CyclicGame:
                self.method = CYCLIC
            else:
                return self._finish(work, depths)
            finally:
                work.close()
            # Keys of another codec, or layers of a cyclic game, are useless for the next attempt.
            self.parts.restart(self._identity())
            self._note_choices()

    @property
    def is_numbered(self) -> bool:
        """True if the game's own numbers are the keys; with a cluster, keys are always used."""
        return self.executor is None and index_count(self.position.state) > 0

    def _cluster(self) -> Cluster | None:
        """The workers of the executor, if there is one."""
        if self.executor is None:
            return None
        facts = (self.position.game.spec, self.rules, str(self.position))
        order = Order(*facts, tuple(self.ranges), self.budget, self.pruned)
        return Cluster(self.executor, order)

    def _identity(self) -> dict[str, Any]:
        """Returns the facts that parts depend on."""
        # Memory and threads are missing on purpose: a build may resume with other limits.
        game = self.position.game.spec
        facts = {"game": game, "rules": self.rules, "root": str(self.position)}
        return {**facts, "pruned": True} if self.pruned else facts

    def _note_choices(self) -> None:
        self.parts.note(spans=self.ranges, method=self.method)

    def _finish(self, work: Building, depths: list[int]) -> Tablebase:
        blocks = [work.block(depth) for depth in depths]
        header = {
            **self._identity(),
            "method": self.method,
            "positions": work.positions,
            "images": work.images,
            "counts": count_results([codes_of(block) for block in blocks], work.step),
            "spans": [each.widest for each in self.ranges],
            "numbered": self.is_numbered,
            "blocks": block_rows(depths, blocks),
        }
        return self._write(header, blocks)

    def _write(self, header: dict[str, Any], blocks: list[Words]) -> Tablebase:
        game = self.position.game
        if self.out is None:
            return Tablebase(game, header, np.concatenate(blocks))
        # The parts are removed after the rename of the file, so an interrupted write can resume.
        write_file(self.out, header, blocks)
        self.parts.remove()
        return Tablebase(game, *read_file(self.out))


def sample_ranges(position: Position) -> list[ValueRange]:
    """Returns the value ranges of states in random games."""
    ranges = ranges_of(position.state)
    raw = np.zeros(2 * len(ranges), np.uint64)
    # A value that the sample misses costs a restart of the build, not its correctness.
    ends = time.perf_counter() + _SECONDS
    for seed in range(_GAMES):
        for _, after in position.random_walk(Random(seed), _PLIES):
            # Keys encode only the smallest image, so other images must not widen the ranges.
            put_least_image(after.state, raw)
            ranges = widen(ranges, raw[: len(ranges)].tolist())
            if time.perf_counter() > ends:
                return ranges
    return ranges
