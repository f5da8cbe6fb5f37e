"""A running build: its limits, threads, parts, progress and estimated size."""

from __future__ import annotations

import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from papan.core.game import Position
from papan.errors import InvalidGame, Unsolved
from papan.rules import operations as rules
from papan.rules.fields import taken_words
from papan.rules.solving import index_count
from papan.search.limits import Stop, run_stoppable
from papan.tablebase.codec import Codec, Words, decode, encode, is_numbered
from papan.tablebase.expand import (
    BACKWARDS,
    MISFIT,
    MOST_CHILDREN,
    MOST_SOURCES,
    REACHED,
    STATUS,
    Batch,
    Expansion,
    expand,
    new_batch,
)
from papan.tablebase.keys import MOST_LOAD
from papan.tablebase.store import Parts
from papan.usercode.loader import is_users

if TYPE_CHECKING:
    from papan.tablebase.cluster import Cluster


#: Number of positions after which the size of a game is estimated (about one second of work).
_ENOUGH_TO_ESTIMATE = 200_000
#: Estimated bytes per child and key word in a batch. The tables that receive the children need
#: much more memory than the batches, or about as much if memory is short.
_BYTES_PER_CHILD = 64
#: Bytes of a position during retrograde analysis, without its block: the index of its edges, its
#: entry in the queue, its degree.
BYTES_PER_POSITION = 8 + 4 + 2
#: Seconds between two reports of progress.
_REPORT_SECONDS = 0.25


class Misfit(Exception):
    """A state does not fit into a key, so keys must become wider.

    Args:
        words: the words of the state.
    """

    def __init__(self, words: list[int]) -> None:
        super().__init__(words)  # needed to unpickle it from another process
        self.words = words


class CyclicGame(Exception):
    """A move does not reduce `max_plies_left`."""


@dataclass(frozen=True)
class BuildProgress:
    """The progress of a build.

    Attributes:
        stage: `finding`, `solving` or `verifying` positions.
        positions: number of positions found so far.
        done: number of positions that this stage has finished.
        total: number of positions of this stage, an estimate while positions are still being found;
            None if unknown.
        rate: positions per second in this stage.
        seconds: wall-clock time since the start.
    """

    stage: str
    positions: int
    done: int
    total: float | None
    rate: float
    seconds: float

    @property
    def share(self) -> float | None:
        """The finished part of this stage, 0 … 1; None if unknown."""
        return min(self.done / self.total, 1.0) if self.total else None

    @property
    def left(self) -> float | None:
        """Estimated seconds until the end of this stage; None if unknown."""
        if not self.total or self.rate <= 0:
            return None
        return max(self.total - self.done, 0.0) / self.rate


class _ExpansionWatch:
    """The progress of an expansion, in the form of a search workspace."""

    misfit, stop = False, 0

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    @property
    def nodes(self) -> int:
        return int(self.batch.facts[REACHED])


@dataclass
class Building:
    """A running build.

    Attributes:
        position: the root.
        codec: the conversion of positions to keys.
        bytes: memory limit of tables.
        workers: number of threads.
        parts: finished parts.
        stop: the switch that stops the work; finished parts stay.
        on_progress: called regularly.
        cluster: workers that build layers instead of threads.
        anyway: true to continue if the estimated size exceeds memory or disk.
        pruned: true to follow only winning moves of positions that can be won at once.
    """

    position: Position
    codec: Codec
    bytes: int
    workers: int
    parts: Parts
    stop: Stop = field(default_factory=Stop)
    on_progress: Callable[[BuildProgress], None] | None = None
    cluster: Cluster | None = None
    anyway: bool = False
    pruned: bool = False
    positions: int = 0
    images: int = 0
    moves: int = 0
    sizes: list[int] = field(default_factory=list)
    total: float | None = None
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        # At least the moves of one position must fit, or `expand` could not advance.
        fitting = self.bytes // (_BYTES_PER_CHILD * self.width * self.workers)
        room = max(min(MOST_CHILDREN, fitting), int(rules.most_moves(self.state)))
        self.batches = [
            new_batch(self.state, self.width, room, self.pruned) for _ in range(self.workers)
        ]
        # Each thread has its own batch. Kernels release the interpreter lock, so threads run in
        # parallel.
        self.pool = ThreadPoolExecutor(self.workers) if self.workers > 1 else None
        self.begin_stage("finding")

    @property
    def state(self) -> Any:
        """The root's state."""
        return self.position.state

    @property
    def width(self) -> int:
        """Number of words of a key."""
        return self.codec.width

    @property
    def step(self) -> int:
        """Plies that a move adds to a result: 1, or 0 if results are margins."""
        return 1 if rules.win_value(self.state) > 0 else 0

    @property
    def numbers(self) -> int:
        """Number of places in a block if the game numbers its positions; 0 for other games."""
        return int(index_count(self.state)) if is_numbered(self.codec) else 0

    def root_key(self) -> Words:
        """Returns the key of the root."""
        # `encode` runs in plain Python here, where numpy warns about the intended wraparound.
        batch = self.batches[0]
        with np.errstate(over="ignore"):
            fits = encode(self.state, self.state, self.codec, batch.raw, batch.keys, 0)
        if not fits:
            raise self._misfit_error(batch)
        return batch.keys[: self.width].copy()

    # --- blocks

    def has_block(self, depth: int) -> bool:
        """True if the block of a layer is stored, solved or not."""
        return any(self.parts.get(f"{kind}-{depth}") is not None for kind in ("layer", "keys"))

    def block(self, depth: int) -> Words:
        """Returns the block of a layer, solved or not.

        Raises:
            InvalidGame: the part is damaged.
        """
        # Solved first: after an interruption both may exist.
        for kind in ("layer", "keys"):
            block = self.parts.get(f"{kind}-{depth}")
            if block is not None:
                return block
        raise InvalidGame("tablebase.part", text=f"keys-{depth}")

    def solved_block(self, depth: int) -> Words | None:
        """Returns the block of a layer if it is solved, else None."""
        return self.parts.get(f"layer-{depth}")

    def solving(self, depth: int) -> AbstractContextManager[Words]:
        """Returns a context manager that gives the block of a layer and stores it as solved."""
        return self.parts.revising(f"keys-{depth}", self.block(depth), f"layer-{depth}")

    # --- threads

    def run_each(self, act: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        """Calls a function with each item, in all threads; returns the results in order."""
        if self.pool is None or len(items) == 1:
            return [act(item) for item in items]
        return list(self.pool.map(act, items))

    def close(self) -> None:
        """Stops the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def expand_keys(
        self, keys: Words, layered: bool, act: Callable[[Expansion], Any] | None = None
    ) -> Iterator[list[Expansion]]:
        """Expands all positions of `keys` and yields the expansions of all threads together.

        `act` is called in the thread for each expansion.

        Raises:
            Misfit: A state does not fit into a key.
            CyclicGame: `layered` is set, and a move does not lead to a lower depth.
            Unsolved: The work was stopped.
        """
        count = keys.size // self.width
        starts = range(0, count, MOST_SOURCES)
        waiting = deque((first, min(first + MOST_SOURCES, count)) for first in starts)

        def work(job: tuple[Batch, int, int]) -> Expansion:
            batch, first, end = job
            expansion = Expansion(batch, first, self._expand(batch, keys, (first, end), layered))
            if act is not None and batch.facts[STATUS] not in (MISFIT, BACKWARDS):
                act(expansion)
            return expansion

        # In each round every thread fills its batch. The caller must read the batches before the
        # next round overwrites them.
        while waiting:
            self.check_stop()
            jobs = [
                (batch, *waiting.popleft())
                for batch, _ in zip(self.batches, range(len(waiting)), strict=False)
            ]
            results = self.run_each(work, jobs)
            for (_, first, end), expansion in zip(jobs, results, strict=True):
                self._raise_status(expansion)
                # The batch was full before the end of its slice: the rest goes first.
                self.moves += expansion.children
                if first + expansion.size < end:
                    waiting.appendleft((first + expansion.size, end))
            yield results
            self.advance(sum(expansion.size for expansion in results))

    def _expand(self, batch: Batch, keys: Words, span: tuple[int, int], layered: bool) -> int:
        """Expands positions and returns their number.

        Users' rules run under the watchdog, because they may never return.
        """
        counts = list[int]()

        def work() -> None:
            counts.append(expand(self.state, self.codec, batch, keys, *span, layered))

        def reached_position() -> Position:
            key = int(batch.facts[REACHED]) * self.width
            state = decode(self.state, self.codec, keys, key, np.zeros_like(batch.raw))
            return Position.unchecked(self.position.game, state)

        if is_users(self.position.game):
            run_stoppable(work, Stop.over(_ExpansionWatch(batch), reached_position))
        else:
            work()
        return counts[0]

    def _raise_status(self, expansion: Expansion) -> None:
        status = int(expansion.batch.facts[STATUS])
        if status == MISFIT:
            raise self._misfit_error(expansion.batch)
        if status == BACKWARDS:
            raise CyclicGame
        # Not one position fitted into an empty batch, so it has more than `most_moves` moves.
        if expansion.size == 0:
            raise InvalidGame("limit.misfit", most=int(rules.most_moves(self.state)))

    def _misfit_error(self, batch: Batch) -> Exception:
        """Returns the error for the state whose words are in a batch."""
        # Bits outside the codec only mean that the sample missed them: the build starts again. A
        # wrong number is a mistake in the game.
        words = batch.raw[: batch.raw.size // 2]
        if not is_numbered(self.codec):
            return Misfit(words.tolist())
        state = str(taken_words(self.state, words, 0))
        return InvalidGame("tablebase.index", game=self.position.game.spec, found=state)

    def check_stop(self) -> None:
        """Raises `Unsolved` if the work was stopped."""
        if self.stop.is_set():
            raise Unsolved("tablebase.stopped", positions=self.positions)

    # --- memory and progress

    def require_memory(self, needed: int) -> None:
        """Raises `Unsolved` if this number of bytes exceeds the memory limit."""
        if self.exceeds_memory(needed):
            raise Unsolved(
                "tablebase.memory",
                game=self.position.game.spec,
                value=f"{self.bytes / 2**20:.0f}",
                needed=f"{needed / 2**20:.0f}",
                positions=self.positions,
            )

    def exceeds_memory(self, needed: int) -> bool:
        """True if this number of bytes, plus the parts in memory, exceeds the memory limit."""
        return needed + self.parts.bytes > self.bytes

    def estimate_size(self, size: int, left: int | None = None) -> None:
        """Estimates the size of the game from the layers so far and the next one.

        Args:
            size: number of positions of the next layer.
            left: largest possible number of layers after it; None if unknown.

        Raises:
            Unsolved: even the lower bound of the estimate exceeds memory or disk.
        """
        self.sizes += [size] if size > 0 else []
        estimate = forecast(self.sizes, left)
        if self.positions < _ENOUGH_TO_ESTIMATE or estimate is None:
            return
        self.total = estimate.positions
        if self.anyway:
            return
        needed = self._memory_for(estimate, layered=left is not None)
        if needed > self.bytes:
            raise self._size_error("tablebase.too-large", estimate, needed)
        disk = 2 * estimate.low * _stored_bytes(self.width)  # once in parts, once in the file
        disk += 0.0 if left is not None else estimate.low * self._edge_bytes()
        folder = self.parts.folder
        if folder is not None and disk > shutil.disk_usage(folder).free:
            raise self._size_error("tablebase.small-disk", estimate, disk)

    def _memory_for(self, estimate: Forecast, *, layered: bool) -> float:
        """Returns a lower bound of the required memory in bytes for a game of that size."""
        # On disk, layers are mapped and tables become runs. In memory, the largest layer also has a
        # table of keys, and a cyclic game all of its edges.
        if self.parts.folder is not None:
            return 0.0 if layered else estimate.low * BYTES_PER_POSITION
        stored = estimate.low * _stored_bytes(self.width)
        if layered:
            return estimate.largest * 8 * self.width / MOST_LOAD + stored
        return stored + estimate.low * (BYTES_PER_POSITION + self._edge_bytes())

    def _edge_bytes(self) -> float:
        """Returns the bytes of a position's edges, before and after they are inverted."""
        return 8 * self.moves / max(self.done, 1)

    def _size_error(self, message: str, estimate: Forecast, needed: float) -> Unsolved:
        rate = self.done / max(time.perf_counter() - self.stage_started, 1e-9)
        return Unsolved(
            message,
            game=self.position.game.spec,
            found=f"{self.positions:,}",
            positions=f"{estimate.positions:.1e}",
            low=f"{estimate.low:.1e}",
            high=f"{estimate.high:.1e}",
            needed=f"{needed / 2**20:.3g}",
            hours=f"{2 * estimate.positions / max(rate, 1) / 3600:.2g}",
        )

    def begin_stage(self, stage: str, total: float | None = None) -> None:
        """Starts a stage with `total` positions."""
        self.stage, self.total, self.done = stage, total, 0
        self.stage_started = self.reported = time.perf_counter()

    def advance(self, positions: int) -> None:
        """Adds to the number of positions that this stage has finished, and reports progress."""
        self.done += positions
        now = time.perf_counter()
        if self.on_progress is None or now - self.reported < _REPORT_SECONDS:
            return
        self.reported = now
        rate = self.done / max(now - self.stage_started, 1e-9)
        self.on_progress(
            BuildProgress(
                self.stage, self.positions, self.done, self.total, rate, now - self.started
            )
        )


def _stored_bytes(width: int) -> float:
    """Returns the bytes of a position in a block: key, result and share of the index."""
    return 8 * width + 2 + 8 / 4


# --- estimates of the number of positions

#: Number of latest layers used for the fits, and smallest number of layers for an estimate.
_FITTED, _FEWEST = 11, 8
#: Distance of the bounds from the fit, in standard errors of its slope.
_ERRORS = 2.0
#: Largest number of extrapolated layers.
_MOST_LAYERS = 1000
#: Layers to extrapolate for each known layer, if the number of layers is unknown.
_UNKNOWN_LEFT = 3
#: Largest logarithm of a layer's size.
_LARGEST = 200.0


class Forecast(NamedTuple):
    """An estimate of a game's size.

    Attributes:
        positions: the likely number of positions.
        low: lower bound.
        high: upper bound.
        largest: size of the largest layer if `low` is right.
    """

    positions: float
    low: float
    high: float
    largest: float


def forecast(sizes: list[int], left: int | None = None) -> Forecast | None:
    """Returns the estimate from the sizes of the first layers; None if there are too few.

    From layer to layer, the number of positions grows by a factor. The factor falls, since more and
    more paths lead to the same position and more and more games are over. Its logarithm falls along
    a line, or more slowly along a square root. Both curves are fitted to the latest layers and
    extrapolated until the layers are empty. Most placement games lie between the two curves, so the
    estimate is their geometric mean. The deviation of the layers from the fits widens the bounds.

    Growth stops before the end of the game; for the lower bound it stops halfway there. In cyclic
    games the end is unknown, and growth stops after a quarter of the number of known layers: their
    waves stop growing abruptly when most children are known positions.

    Args:
        sizes: number of positions of each layer so far, all above 0.
        left: maximum number of further layers; None if unknown.
    """
    if len(sizes) < _FEWEST:
        return None
    growth = np.diff(np.log(np.array(sizes[-_FITTED:], float)))
    ends = _UNKNOWN_LEFT * len(sizes) if left is None else min(left, _MOST_LAYERS)
    places = np.arange(len(sizes) - growth.size, len(sizes) + ends, dtype=float)
    soonest = len(sizes) / 4 if left is None else ends / 2
    known, roots = float(sum(sizes)), np.sqrt(places)
    line, _ = _extrapolate(sizes[-1], growth, _fit(places, growth, 0.0), ends)
    root, _ = _extrapolate(sizes[-1], growth, _fit(roots, growth, 0.0), ends)
    low, largest = _extrapolate(sizes[-1], growth, _fit(places, growth, -_ERRORS), soonest)
    high, _ = _extrapolate(sizes[-1], growth, _fit(roots, growth, _ERRORS), ends)
    middle = float(np.sqrt((known + line) * (known + root)))
    low, high = min(known + low, middle), max(known + high, middle)
    return Forecast(middle, low, high, max(largest, *sizes))


def _fit(scale: Any, growth: Any, errors: float) -> Any:
    """Returns the growth at all places of a scale, extrapolated along a line.

    The line is fitted to the known growth. Its slope is changed by `errors` standard errors.
    """
    known = scale[: growth.size]
    slope, start = np.polyfit(known, growth, 1)
    middle = known.mean()
    residuals, deviations = (growth - slope * known - start) ** 2, (known - middle) ** 2
    off = errors * np.sqrt(np.mean(residuals) / np.sum(deviations))
    return (slope + off) * scale + start - off * middle


def _extrapolate(size: int, growth: Any, fitted: Any, ends: float) -> tuple[float, float]:
    """Returns the number of positions in all further layers, and in the largest of them.

    `size` is that of the latest known layer. Growth lasts at most `ends` layers.
    """
    logarithm, total, largest = float(np.log(size)), 0.0, 0.0
    latest = max(float(growth[-2:].mean()), 0.0)
    for number, expected in enumerate(fitted[growth.size :], start=1):
        logarithm += min(float(expected), latest * (1 - number / ends))
        if logarithm < 0:
            break
        layer = float(np.exp(min(logarithm, _LARGEST)))
        total, largest = total + layer, max(largest, layer)
    return total, largest
