"""The making of a database: its rules, limits, threads and progress."""

from __future__ import annotations

import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from papan.core.game import Position
from papan.errors import InvalidGame, Unsolved
from papan.rules import operations as rules
from papan.rules.fields import taken_words
from papan.search.limits import Stop, run_stoppable
from papan.tablebase.backlinks import POSITION_BYTES
from papan.tablebase.expand import (
    BACKWARDS,
    CHILDREN,
    IMAGES,
    MISFIT,
    REACHED,
    ROOM,
    SOURCES,
    STATUS,
    Batch,
    expand,
    new_batch,
)
from papan.tablebase.forecast import Forecast, forecast
from papan.tablebase.keys import (
    MOST_LOAD,
    PARTS,
    KeyTable,
    has_room,
    insert,
    new_table,
    table_bytes,
)
from papan.tablebase.packing import Packing, Words, is_numbered, put_key, state_of
from papan.tablebase.parts import Parts
from papan.usercode.loader import is_users

if TYPE_CHECKING:
    from papan.tablebase.spread import Spread

#: Bits of the parts of a new table.
_FIRST_BITS = 8
#: Positions from which the size of a game is foretold: about a second's work.
_FORETOLD = 200_000
#: Memory is taken to hold so many bytes for each child of a batch, and word of its key: the tables
#: that they go into are far larger than batches, or as large where there is little of it.
_BYTES_OF_CHILD = 64
#: Seconds between two reports of progress.
_REPORT_EVERY = 0.25


class Misfit(Exception):
    """A state came up for which keys have no room: they have to be made wider.

    Args:
        words: the words of the state.
    """

    def __init__(self, words: list[int]) -> None:
        super().__init__(words)  # with which it comes back from another process
        self.words = words


class Circles(Exception):
    """A move came up after which the game can go on for as long as before."""


@dataclass(frozen=True)
class BuildProgress:
    """The progress of a database.

    Attributes:
        stage: `finding` positions, `solving` or `verifying` them.
        positions: found so far.
        done: positions that this stage is done with.
        total: positions that it has to do, foretold while they are being found; None where that
            is not known.
        rate: positions a second in this stage.
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
        """The part of this stage that is done, 0 … 1; None if that is not known."""
        return min(self.done / self.total, 1.0) if self.total else None

    @property
    def left(self) -> float | None:
        """Seconds that this stage will take, if it goes on as until now; None if not known."""
        if not self.total or self.rate <= 0:
            return None
        return max(self.total - self.done, 0.0) / self.rate


class _Pace:
    """The progress of the expansion of a batch, as a search's workspace would tell it."""

    misfit, stop = False, 0

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    @property
    def nodes(self) -> int:
        return int(self.batch.facts[REACHED])


@dataclass
class Building:
    """A database being made.

    Attributes:
        position: the position with all that can be reached from it.
        packing: how keys are made.
        bytes: memory that tables may take.
        workers: threads.
        parts: what is finished.
        stop: the switch that ends the work; what is finished is kept.
        on_progress: called now and then.
        spread: workers that do layers instead of the threads; None for none.
        anyway: True to go on whatever is foretold.
        pruned: True to follow, where a move wins at once, only moves that do.
    """

    position: Position
    packing: Packing
    bytes: int
    workers: int
    parts: Parts
    stop: Stop = field(default_factory=Stop)
    on_progress: Callable[[BuildProgress], None] | None = None
    spread: Spread | None = None
    anyway: bool = False
    pruned: bool = False
    found: int = 0
    images: int = 0
    moves: int = 0
    sizes: list[int] = field(default_factory=list)
    total: float | None = None
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        fitting = self.bytes // (_BYTES_OF_CHILD * self.width * self.workers)
        room = max(min(ROOM, fitting), int(rules.most_moves(self.state)))
        self.batches = [
            new_batch(self.state, self.width, room, self.pruned) for _ in range(self.workers)
        ]
        self.pool = ThreadPoolExecutor(self.workers) if self.workers > 1 else None
        self.begin_stage("finding")

    @property
    def state(self) -> Any:
        """The state from which all begins."""
        return self.position.state

    @property
    def width(self) -> int:
        """Words of a key."""
        return self.packing.width

    @property
    def step(self) -> int:
        """Plies that a move counts: none where results are margins."""
        return 1 if rules.win_value(self.state) > 0 else 0

    def first_key(self) -> Words:
        """The key of the position from which all begins."""
        batch = self.batches[0]
        with np.errstate(over="ignore"):
            fits = put_key(self.state, self.state, self.packing, batch.raw, batch.keys, 0)
        if not fits:
            raise self._without_key(batch)
        return batch.keys[: self.width].copy()

    # --- threads

    def each(self, act: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        """The results of an act on each item, side by side."""
        if self.pool is None or len(items) == 1:
            return [act(item) for item in items]
        return list(self.pool.map(act, items))

    def close(self) -> None:
        """Ends the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def rounds(
        self, keys: Words, ranked: bool, act: Callable[[Batch, int, int], Any] | None = None
    ) -> Iterator[list[tuple[Batch, int, int]]]:
        """Expands all positions of `keys`, a batch a thread at a time.

        `act` is called in the thread with each batch, its first position, and how many it has.
        Yields these, of all threads.

        Raises:
            Misfit: a state does not fit into a key.
            Circles: a move does not lead to a lower rank, where ranks are asked for.
            Unsolved: the work was stopped.
        """
        count = keys.size // self.width
        waiting = deque((first, min(first + SOURCES, count)) for first in range(0, count, SOURCES))

        def work(job: tuple[Batch, int, int]) -> tuple[Batch, int, int]:
            batch, first, end = job
            done = self._expanded(batch, keys, (first, end), ranked)
            if act is not None and batch.facts[STATUS] not in (MISFIT, BACKWARDS):
                act(batch, first, done)
            return batch, first, done

        while waiting:
            self.check()
            jobs = [
                (batch, *waiting.popleft())
                for batch, _ in zip(self.batches, range(len(waiting)), strict=False)
            ]
            results = self.each(work, jobs)
            for (batch, first, end), (_, _, done) in zip(jobs, results, strict=True):
                self._judge(batch, done)
                self.moves += int(batch.facts[CHILDREN])
                if first + done < end:
                    waiting.appendleft((first + done, end))
            yield results

    def _expanded(self, batch: Batch, keys: Words, span: tuple[int, int], ranked: bool) -> int:
        """The number of positions that were expanded, under watch: rules may never end."""
        done = list[int]()

        def work() -> None:
            done.append(expand(self.state, self.packing, batch, keys, *span, ranked))

        def where() -> Position:
            reached = int(batch.facts[REACHED]) * self.width
            state = state_of(self.state, self.packing, keys, reached, np.zeros_like(batch.raw))
            return Position.unchecked(self.position.game, state)

        if is_users(self.position.game):
            run_stoppable(work, Stop.over(_Pace(batch), where))
        else:
            work()
        return done[0]

    def _judge(self, batch: Batch, done: int) -> None:
        """Goes on, unless something came up that the work cannot be done with."""
        status = int(batch.facts[STATUS])
        if status == MISFIT:
            raise self._without_key(batch)
        if status == BACKWARDS:
            raise Circles
        if done == 0:
            raise InvalidGame("limit.misfit", most=int(rules.most_moves(self.state)))

    def _without_key(self, batch: Batch) -> Exception:
        """The error for the state whose words a batch has."""
        words = batch.raw[: batch.raw.size // 2]
        if not is_numbered(self.packing):
            return Misfit(words.tolist())
        found = str(taken_words(self.state, words, 0))
        return InvalidGame("database.index", game=self.position.game.spec, found=found)

    def check(self) -> None:
        """Goes on, unless the work was stopped.

        Raises:
            Unsolved: it was.
        """
        if self.stop.is_set():
            raise Unsolved("database.stopped", positions=self.found)

    # --- tables

    def gather(
        self, table: KeyTable, results: list[tuple[Batch, int, int]], fresh: list[Words]
    ) -> KeyTable:
        """Puts all children of a round into a table; the larger table that it took, if it did.

        What is new is written to `fresh`, one array a thread, and cut to its length there.
        """
        more = sum(int(batch.facts[CHILDREN]) for batch, _, _ in results)
        table = self.grown(table, more)
        bounds = [PARTS * index // self.workers for index in range(self.workers + 1)]

        def put(index: int) -> bool:
            new, parts = 0, (bounds[index], bounds[index + 1])
            for batch, _, _ in results:
                room = fresh[index][new * self.width :] if fresh else _NOTHING
                count = insert(table, batch.keys, int(batch.facts[CHILDREN]), parts, room)
                if count < 0:
                    return False
                new += count
            if fresh:
                fresh[index] = fresh[index][: new * self.width]
            return True

        if not all(self.each(put, list(range(self.workers)))):
            raise InvalidGame("database.clustered", game=self.position.game.spec)
        return table

    def grown(self, table: KeyTable, more: int) -> KeyTable:
        """A table with the same keys and room for so many more.

        Raises:
            Unsolved: that is more memory than is allowed.
        """
        bits = self.bits_for(table, more)
        return table if bits == table.bits else self._enlarged(table, bits)

    def bits_for(self, table: KeyTable, more: int) -> int:
        """The bits of a table with the same keys and room for so many more."""
        bits = table.bits
        while not has_room(table._replace(bits=bits), more):
            bits += 1
        return bits

    def _enlarged(self, table: KeyTable, bits: int) -> KeyTable:
        needed = table_bytes(table.bits, self.width) + table_bytes(bits, self.width)
        self.need(needed)
        larger = new_table(bits, self.width)
        insert(larger, table.slots, table.slots.size // self.width, (0, PARTS), _NOTHING)
        return larger

    def need(self, needed: int) -> None:
        """Goes on, unless so many bytes are more than is allowed.

        Raises:
            Unsolved: they are.
        """
        if self.lacks(needed):
            raise Unsolved(
                "database.memory",
                game=self.position.game.spec,
                value=f"{self.bytes / 2**20:.0f}",
                needed=f"{needed / 2**20:.0f}",
                positions=self.found,
            )

    def lacks(self, needed: int) -> bool:
        """True if so many bytes are more than is allowed, with all that is kept in memory."""
        return needed + self.parts.bytes > self.bytes

    def table_for(self, count: int) -> KeyTable:
        """An empty table with room for so many keys."""
        bits = _FIRST_BITS
        while MOST_LOAD * (PARTS << bits) < 1.2 * count:
            bits += 1
        return new_table(bits, self.width)

    # --- progress

    def foretell(self, size: int, left: int | None = None) -> None:
        """Notes the size of the next layer, after which no more than `left` others come, and ends
        what would take more than there is.

        Raises:
            Unsolved: the game has hardly so few positions that memory or disk suffice for them.
        """
        self.sizes += [size] if size > 0 else []
        found = forecast(self.sizes, left)
        if self.found < _FORETOLD or found is None:
            return
        self.total = found.positions
        if self.anyway:
            return
        needed = self._needed(found, layered=left is not None)
        if needed > self.bytes:
            raise self._too_large("database.too-large", found, needed)
        disk = 2 * found.low * _kept_bytes(self.width)  # once in parts, once in the file
        disk += 0.0 if left is not None else found.low * self._edge_bytes()
        folder = self.parts.folder
        if folder is not None and disk > shutil.disk_usage(folder).free:
            raise self._too_large("database.small-disk", found, disk)

    def _needed(self, found: Forecast, *, layered: bool) -> float:
        """Bytes of memory that a game of that size takes at the least."""
        if self.parts.folder is not None:
            return 0.0 if layered else found.low * POSITION_BYTES
        kept = found.low * _kept_bytes(self.width)
        if layered:
            return found.largest * 8 * self.width / MOST_LOAD + kept
        return kept + found.low * (POSITION_BYTES + self._edge_bytes())

    def _edge_bytes(self) -> float:
        """Bytes of all edges from a position, before and after they are turned round."""
        return 8 * self.moves / max(self.done, 1)

    def _too_large(self, message: str, found: Forecast, needed: float) -> Unsolved:
        rate = self.done / max(time.perf_counter() - self.stage_started, 1e-9)
        return Unsolved(
            message,
            game=self.position.game.spec,
            found=f"{self.found:,}",
            positions=f"{found.positions:.1e}",
            low=f"{found.low:.1e}",
            high=f"{found.high:.1e}",
            needed=f"{needed / 2**20:.3g}",
            hours=f"{2 * found.positions / max(rate, 1) / 3600:.2g}",
        )

    def begin_stage(self, stage: str, total: float | None = None) -> None:
        """Begins a stage, of so many positions where that is known."""
        self.stage, self.total, self.done = stage, total, 0
        self.stage_started = self.reported = time.perf_counter()

    def advance(self, positions: int) -> None:
        """Notes that so many positions more were done in this stage."""
        self.done += positions
        now = time.perf_counter()
        if self.on_progress is None or now - self.reported < _REPORT_EVERY:
            return
        self.reported = now
        seconds = max(now - self.stage_started, 1e-9)
        facts = (self.stage, self.found, self.done, self.total)
        self.on_progress(BuildProgress(*facts, self.done / seconds, now - self.started))


_NOTHING = np.zeros(0, np.uint64)


def _kept_bytes(width: int) -> float:
    """Bytes of a position in a block: its key, its result, its share of the index."""
    return 8 * width + 2 + 8 / 4


def images_of(results: list[tuple[Batch, int, int]]) -> int:
    """Positions with all their mirror images in a round."""
    return sum(int(batch.facts[IMAGES]) for batch, _, _ in results)
