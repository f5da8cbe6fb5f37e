"""Retrograde analysis of cyclic games: finds all positions, then works backwards from the ends.

Each position has a number. The moves between positions are inverted, so that a known result is
passed to the predecessors of its position, nearest ends first. Turns need not alternate: an edge
stores whether the same side moves again.

A position that neither side can win is a draw. If a drawing line ends by rule, the position is
drawn by rule, in the plies of the shortest such line. Otherwise it is endless.

Edges take most of the memory of a cyclic game: 8 bytes each while they are inverted and 4 bytes
afterwards. With a folder, edges are stored in two files. The edges to one range of positions at a
time are then inverted in memory, because writing a file in random order is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from papan.errors import InvalidGame, Unsolved
from papan.jit.compiler import kernel
from papan.rules.dispatch import helper
from papan.tablebase.building import BYTES_PER_POSITION, Building
from papan.tablebase.codec import (
    DRAWN,
    ENDLESS,
    LOST,
    MOST_PLIES,
    WON,
    Codes,
    Words,
    code_of,
    outcome_of,
    plies_of,
)
from papan.tablebase.expand import Batch, Expansion
from papan.tablebase.frontier import ALL, find_all
from papan.tablebase.keys import codes_of, key_width, number_in, sections
from papan.tablebase.store import allocate

#: An edge is a uint32: the number of a position and one bit, hence `frontier.MOST_POSITIONS`.
_BYTES_PER_EDGE = 4


def build_retrograde(work: Building) -> list[int]:
    """Builds one solved block of all positions as the part `layer-0`; returns its depth.

    Raises:
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, exceeds the memory limit, or results are margins.
        InvalidGame: the rules are inconsistent.
    """
    # The queue of `pass_results` is sorted because each move adds a ply; a margin adds none.
    if work.step == 0:
        game, why = work.position.game.name, "@solve.margin-in-circles"
        raise Unsolved("solve.no-way", text=work.position, game=game, why=why)
    find_all(work)
    if work.solved_block(ALL) is None:
        work.begin_stage("solving", work.positions)
        with work.solving(ALL) as block:
            _solve_block(work, block)
    return [ALL]


def _solve_block(work: Building, block: Words) -> None:
    """Writes the results of a block of all positions."""
    codes = codes_of(block)
    edges = Predecessors(codes.size, work.parts.folder)
    try:
        for places, keys in sections(block):

            def link(expansion: Expansion, places: Any = places) -> None:
                end = expansion.first + expansion.size
                _add_edges(work, block, edges, places[expansion.first : end], expansion)

            for _ in work.expand_keys(keys, layered=False, act=link):
                # The number of edges is unknown before, so the limit is checked as they grow.
                work.require_memory(BYTES_PER_POSITION * codes.size + edges.nbytes)
        solve_backwards(work, codes, edges)
    finally:
        edges.remove()


def _add_edges(
    work: Building, block: Words, edges: Predecessors, places: Any, expansion: Expansion
) -> None:
    """Adds the moves of expanded positions, and the results of finished games."""
    # Threads write to different places of the block and of `degrees`, so that only the list of
    # edges needs a lock.
    codes_of(block)[places] = expansion.batch.ends[: places.size]
    targets = np.empty(expansion.children, np.uint32)
    degrees = np.zeros(places.size, np.uint16)
    if link_children(expansion.batch, block, targets, degrees) > 0:
        raise InvalidGame("tablebase.unfound", game=work.position.game.spec)
    edges.degrees[places] = degrees
    # `places` may have gaps (numbers without a position). Their degrees stay 0, so the first place
    # and the degrees determine the source of every edge.
    if places.size > 0:
        edges.add(int(places[0]), targets)


def solve_backwards(work: Building, codes: Codes, edges: Predecessors) -> None:
    """Writes all results; the results of finished games must already be there.

    Raises:
        Unsolved: a result is too many plies away from the end.
    """
    memory = max(work.bytes - BYTES_PER_POSITION * codes.size, 0)
    if not edges.solve(codes, memory, work.check_stop):
        raise Unsolved("tablebase.plies", game=work.position.game.spec, most=MOST_PLIES)


class Predecessors:
    """The moves between numbered positions, from which predecessors are found.

    Args:
        count: number of positions.
        folder: the folder of edges; None for memory.

    Attributes:
        degrees: uint16 of shape (positions,): number of moves of each position.
        count: number of moves.
    """

    def __init__(self, count: int, folder: Path | None) -> None:
        self.degrees = np.zeros(count, np.uint16)
        self.count = 0
        self.folder = folder
        self._lock = Lock()
        # First position, number of edges before the piece, its edges in memory (None on disk).
        self._pieces: list[tuple[int, int, Any]] = []
        self.remove()

    @property
    def nbytes(self) -> int:
        """Memory of the edges in bytes while they are inverted."""
        return 0 if self.folder else 2 * _BYTES_PER_EDGE * self.count

    def add(self, first: int, targets: Any) -> None:
        """Adds the moves of consecutive positions; can be called from any thread.

        Args:
            first: number of the first position.
            targets: uint32: twice the number of each move's target position, + 1 if the same side
                moves again.

        Raises:
            OSError: the disk is full.
        """
        # One lock for the file and the list: `_slices` needs the same order in both. The order
        # depends on the threads, but the results do not depend on the order.
        with self._lock:
            if self.folder is not None:
                with (self.folder / "targets").open("ab") as file:
                    file.write(targets.data)
            piece = None if self.folder is not None else targets
            self._pieces.append((first, self.count, piece))
            self.count += targets.size

    def solve(self, codes: Codes, memory: int, check_stop: Callable[[], None]) -> bool:
        """Writes the results of all positions; the results of finished games must already be there.

        Args:
            codes: the results by number.
            memory: bytes for inverting edges, if edges are on disk.
            check_stop: called regularly; its exceptions stop the work.

        Returns:
            False if a result is too many plies away from the end.

        Raises:
            OSError: the disk is full.
        """
        first, sources = self._invert(memory, check_stop)
        return pass_results(codes, self.degrees, first, sources, np.empty(codes.size, np.uint32))

    def _invert(self, memory: int, check_stop: Callable[[], None]) -> tuple[Any, Any]:
        """Returns the index of each position's first edge (int64), and the inverted edges (uint32).

        An inverted edge is twice the number of its source position, + 1 if the same side moves
        again.
        """
        # A counting sort by target: count, sum up to the end of each target's range, and then fill
        # each range from its end (`invert_edges`).
        first = np.zeros(self.degrees.size + 1, np.int64)
        for _, targets in self._slices():
            count_targets(targets, first)
        np.cumsum(first, out=first)
        positions = first.size - 1
        if self.folder is None or self.count == 0:
            return first, self._invert_range(first, (0, positions, 0), self.count, check_stop)
        # Each range reads all edges again, so ranges are as large as memory allows.
        path, at = self.folder / "sources", 0
        with path.open("wb") as file:
            # A full disk raises an error here, before the long inversion.
            allocate(file, _BYTES_PER_EDGE * self.count)
            file.seek(0)  # `allocate` may have written to the end of the file
            for low, high in self._ranges(first, max(memory // _BYTES_PER_EDGE, positions)):
                # No target of this range is filled yet, so `first` still holds the ends.
                size = int(first[high - 1]) - at
                file.write(self._invert_range(first, (low, high, at), size, check_stop).data)
                at += size
        return first, np.memmap(path, np.uint32, "r").view(np.ndarray)

    def _invert_range(
        self, first: Any, between: tuple[int, int, int], size: int, check_stop: Callable[[], None]
    ) -> Any:
        """Returns the `size` inverted edges to a range of positions: see `invert_edges`."""
        sources = np.empty(size, np.uint32)
        for begin, targets in self._slices():
            check_stop()
            invert_edges(targets, self.degrees[begin:], begin, first, sources, between)
        return sources

    def _slices(self) -> Iterator[tuple[int, Any]]:
        """Yields the first position of each added piece, and its edges."""
        on_disk = None
        if self.folder is not None and self.count > 0:
            on_disk = np.memmap(self.folder / "targets", np.uint32, "r").view(np.ndarray)
        ends = [at for _, at, _ in self._pieces[1:]] + [self.count]
        for (first, at, piece), end in zip(self._pieces, ends, strict=True):
            if piece is not None:
                yield first, piece
            elif on_disk is not None:
                yield first, on_disk[at:end].copy()

    def _ranges(self, ends: Any, most: int) -> Iterator[tuple[int, int]]:
        """Returns ranges of positions with about `most` incoming edges each."""
        positions, low, bounds = self.degrees.size, 0, [0]
        while low < positions:
            reached = (int(ends[low - 1]) if low else 0) + most
            # A single position with more than `most` edges is still a range.
            low = max(int(np.searchsorted(ends[:positions], reached, side="right")), low + 1)
            bounds.append(low)
        return pairwise(bounds)

    def remove(self) -> None:
        """Removes the files."""
        if self.folder is not None:
            for name in ("targets", "sources"):
                (self.folder / name).unlink(missing_ok=True)


@kernel
def link_children(batch: Batch, block: Words, targets: Any, degrees: Any) -> int:
    """Writes the edges to the children of a batch, and the number of children of each position.

    An edge is twice the number of the child, + 1 if the same side moves again. Returns the number
    of children that are not in the block; 0 unless the rules are inconsistent.
    """
    width, missing = key_width(block), 0
    for child in range(targets.size):
        number = number_in(block, 0, batch.keys, child * width)
        missing += 1 if number < 0 else 0
        # Moves to mirror images of one child are separate edges, in the degrees and in the targets.
        degrees[batch.links[child] >> 1] += 1
        targets[child] = 2 * max(number, 0) + (batch.links[child] & 1)
    return missing


@kernel
def count_targets(targets: Any, first: Any) -> None:
    """Counts how often each position is the target of a move."""
    for edge in range(targets.size):
        first[targets[edge] >> 1] += 1


@kernel
def invert_edges(
    targets: Any, degrees: Any, begin: int, first: Any, sources: Any, between: Any
) -> None:
    """Writes the sources of all edges to a range of positions.

    Args:
        targets: edges from position `begin` and the following positions.
        degrees: number of edges of each of these positions.
        begin: number of the first of them.
        first: for each target, the end of its free places in the list of all sources; at the end,
            its first place.
        sources: the array for the sources of the range.
        between: first number of the range, its end, and the number of edges before `sources`.
    """
    edge, number = 0, 0
    while edge < targets.size:
        for _ in range(degrees[number]):
            target = targets[edge] >> 1
            # Only this range fits in memory; the other targets keep their free places.
            if between[0] <= target < between[1]:
                first[target] -= 1
                source = 2 * (begin + number) + (targets[edge] & 1)
                sources[first[target] - between[2]] = source
            edge += 1
        number += 1


@kernel
def pass_results(codes: Any, degrees: Any, first: Any, sources: Any, queue: Any) -> bool:
    """Passes results to predecessors until all are known, nearest ends first.

    Returns False if a result is too many plies away from the end. `degrees` counts down the moves
    of a position that are not known to lose. `first` is the result of `invert_edges`. `queue` has
    room for the numbers of all positions.
    """
    # 1. Phase 0 finds who wins; phase 1 finds where draws can end by rule, among the positions that
    #    phase 0 left unknown. What phase 1 leaves unknown is endless.
    for phase in range(2):
        # 2. Start with finished games: all have 0 plies, so the queue starts sorted by plies. It
        #    stays sorted because each position is queued once, one ply after its child.
        begin, end = 0, fill_queue(codes, queue, phase == 1)
        while begin < end:
            # 3. Take the nearest known position; its predecessors are one ply further away.
            number = queue[begin]
            begin += 1
            outcome, plies = outcome_of(codes[number]), plies_of(codes[number]) + 1
            if plies >= MOST_PLIES:
                return False
            # 4. Pass its result to the predecessors that are still unknown.
            for edge in range(first[number], first[number + 1]):
                source = sources[edge] >> 1
                if outcome_of(codes[source]) != ENDLESS:
                    continue
                # Results arrive in the order of their plies: the first winning move is the fastest
                # win, the last losing move is the slowest loss, and the first move that keeps a
                # draw leads to its nearest end.
                if outcome == DRAWN:
                    codes[source] = code_of(DRAWN, plies)
                elif (outcome == WON) == ((sources[edge] & 1) == 1):
                    codes[source] = code_of(WON, plies)
                else:
                    degrees[source] -= 1
                    if degrees[source] > 0:
                        continue
                    codes[source] = code_of(LOST, plies)
                # 5. Queue the predecessor, whose result is now final.
                queue[end] = source
                end += 1
    return True


@helper
def fill_queue(codes: Any, queue: Any, drawn: bool) -> int:
    """Fills a queue with the won and lost positions, or with the drawn ones.

    Returns the number of queued positions.
    """
    end = 0
    for number in range(codes.size):
        outcome = outcome_of(codes[number])
        if outcome != ENDLESS and (outcome == DRAWN) == drawn:
            queue[end] = number
            end += 1
    return end
