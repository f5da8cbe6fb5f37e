"""Building layers on other machines: layers are split by key over the workers of an executor.

A piece of work is a slice of a layer's sorted keys with everything that it depends on: the rules to
find children, and the solved layers below to solve it. So another worker can redo the piece of a
lost one, and the file is the same byte for byte as on one machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

import numpy as np

from papan.errors import UsageError
from papan.tablebase.building import Building
from papan.tablebase.codec import Codes, ValueRange, Words, codec_of
from papan.tablebase.forward import solve_keys
from papan.tablebase.frontier import Layers
from papan.tablebase.keys import keys_of
from papan.tablebase.store import Parts, rules_digest
from papan.usercode import registry

#: Smallest and largest number of positions of a piece; smaller ones cost more to send than to
#: solve.
_LEAST, _MOST = 1 << 12, 1 << 19
#: Pieces for each worker at a time: one in progress and one waiting.
_AHEAD = 2


class Order(NamedTuple):
    """All data that a worker needs for a tablebase.

    Attributes:
        game: the spec; a game file must have the same path on all machines.
        rules: the digest of the game's rules.
        root: the line of the root.
        ranges: value ranges of the words of states.
        bytes: memory limit for the tables of a piece.
        pruned: see `papan.tablebase.build`.
    """

    game: str
    rules: str
    root: str
    ranges: tuple[ValueRange, ...]
    bytes: int
    pruned: bool = False

    def building(self) -> Building:
        """Returns the worker's own build for a piece.

        Raises:
            UsageError: This machine has other rules.
        """
        # Checked for each piece: with other rules, a worker would return wrong results silently.
        game = registry.game(self.game)
        if rules_digest(game) != self.rules:
            raise UsageError("tablebase.other-rules-there", game=self.game)
        root, codec = game.position(self.root), codec_of(list(self.ranges))
        return Building(root, codec, self.bytes, 1, Parts(None, {}), pruned=self.pruned)


class Followers(NamedTuple):
    """The children of a slice of keys.

    Attributes:
        images: positions of the slice, all mirror images counted.
        keys: the keys of the children by depth, each key once.
    """

    images: int
    keys: dict[int, Words]


def find_piece(order: Order, keys: Words) -> Followers:
    """Finds the children of a slice of keys, in a worker."""
    layers = Layers(order.building())
    layers.expand(keys)
    sets = layers.sets
    # Copies, because views would keep the whole blocks in memory.
    children = {depth: keys_of(sets.complete(depth)).copy() for depth in sets.depths}
    return Followers(layers.images, children)


def solve_piece(order: Order, keys: Words, below: dict[int, Words]) -> Codes:
    """Returns the results of a slice of keys from the solved layers below, in a worker."""
    work = order.building()
    codes = np.zeros(keys.size // work.width, np.uint16)
    solve_keys(work, keys, codes, below.__getitem__)
    return codes


class Cluster:
    """The workers of an executor for a tablebase.

    Args:
        executor: may have an attribute `workers`, which changes as workers join and leave.
        order: the data for workers.
    """

    def __init__(self, executor: Executor, order: Order) -> None:
        self.executor, self.order = executor, order

    @property
    def workers(self) -> int:
        """Number of pieces that are built at the same time."""
        # Read again for each piece, because the number changes.
        return max(1, int(getattr(self.executor, "workers", 1)))

    def find(self, work: Building, keys: Words) -> Iterator[tuple[int, int, Followers]]:
        """Finds the children of positions in the workers.

        Yields the start and end of each slice of `keys`, and the children of the slice.
        """
        return self._submit(find_piece, work, keys)

    def solve(
        self, work: Building, keys: Words, below: dict[int, Words]
    ) -> Iterator[tuple[int, int, Codes]]:
        """Solves positions in the workers.

        Yields the start and end of each slice of `keys`, and the results of the slice.
        """
        # Plain arrays for the workers: on disk, blocks are mapped files.
        solved = {depth: np.array(block) for depth, block in below.items()}
        return self._submit(solve_piece, work, keys, solved)

    def _submit(
        self, act: Callable[..., Any], work: Building, keys: Words, *args: Any
    ) -> Iterator[tuple[int, int, Any]]:
        """Yields the start and end of each slice of keys, and the worker's result for it."""
        count = keys.size // work.width
        size = min(max(-(-count // (_AHEAD * self.workers)), _LEAST), _MOST)
        starts = deque(range(0, count, size))
        # Results are used in the order of slices, whatever order the workers finish in.
        pieces = deque[tuple[int, int, "Future[Any]"]]()
        try:
            while starts or pieces:
                while starts and len(pieces) < _AHEAD * self.workers:
                    first = starts.popleft()
                    end = min(first + size, count)
                    piece = np.array(keys[first * work.width : end * work.width])
                    task = self.executor.submit(act, self.order, piece, *args)
                    pieces.append((first, end, task))
                work.check_stop()
                first, end, task = pieces.popleft()
                yield first, end, task.result()
        finally:  # after an error or a stop, and when the caller drops the generator
            for _, _, task in pieces:
                task.cancel()
