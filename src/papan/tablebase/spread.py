"""Layers of a game that only goes forward, split by key over workers that may be anywhere.

A piece of work is a slice of a layer's keys, which are in order, with all that it takes to be done:
to find what follows, the rules; to solve it, the solved layers below. What comes back depends on
nothing else, so that the piece of a worker that was lost is done by another one, and the file is
the same byte for byte as that of one machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

import numpy as np

from papan.errors import UsageError
from papan.tablebase.files import rules_digest
from papan.tablebase.forward import settle_keys, spread_keys
from papan.tablebase.keys import keys_of
from papan.tablebase.layers import OpenLayers
from papan.tablebase.packing import Span, Words, packing_of
from papan.tablebase.parts import Parts
from papan.tablebase.work import Building
from papan.usercode import registry

#: Positions of a piece at the least, so that the way to a worker is worth it, and at the most.
_LEAST, _MOST = 1 << 12, 1 << 19
#: Pieces that a worker has before it: one that it is at, and one that waits.
_AHEAD = 2


class Order(NamedTuple):
    """All that a worker has to know of a database that is being made.

    Attributes:
        game: the spec; if it names a file, that file stands at the same place everywhere.
        rules: the digest of its rules.
        root: the line of the first position.
        spans: of the words of states, for keys.
        bytes: memory that the tables of a piece may take.
        pruned: True where positions are left out, as `papan.tablebase.build` has it.
    """

    game: str
    rules: str
    root: str
    spans: tuple[Span, ...]
    bytes: int
    pruned: bool = False

    def building(self) -> Building:
        """A work of its own, with which a piece is done.

        Raises:
            UsageError: the rules are others here.
        """
        game = registry.game(self.game)
        if rules_digest(game) != self.rules:
            raise UsageError("database.other-rules-there", game=self.game)
        root, packing = game.position(self.root), packing_of(list(self.spans))
        return Building(root, packing, self.bytes, 1, Parts(None, {}), pruned=self.pruned)


class Followers(NamedTuple):
    """All that follows a slice of keys.

    Attributes:
        images: positions of the slice with all their mirror images.
        keys: by rank, the keys of the children, each of them once.
    """

    images: int
    keys: dict[int, Words]


def find_piece(order: Order, keys: Words) -> Followers:
    """Finds what follows a slice of keys; done by a worker."""
    work = order.building()
    layers = OpenLayers(work, 1 << 30)
    _, images = spread_keys(work, keys, layers)
    found = {rank: keys_of(layers.completed(rank)).copy() for rank in layers.ranks}
    return Followers(images, found)


def solve_piece(order: Order, keys: Words, below: dict[int, Words]) -> Any:
    """The results (uint16) of a slice of keys from the solved layers below; done by a worker."""
    work = order.building()
    codes = np.zeros(keys.size // work.width, np.uint16)
    settle_keys(work, keys, codes, below.__getitem__)
    return codes


class Spread:
    """The workers that an executor has, and what they do for a database.

    Args:
        executor: may have a number `workers`, which changes as they come and go.
        order: what they are told.
    """

    def __init__(self, executor: Executor, order: Order) -> None:
        self.executor, self.order = executor, order

    @property
    def workers(self) -> int:
        """Number of pieces that are done side by side."""
        return max(1, int(getattr(self.executor, "workers", 1)))

    def find(self, work: Building, keys: Words) -> Iterator[tuple[int, int, Followers]]:
        """Finds what follows keys: of each slice the first and the end, and what was found."""
        return self._each(find_piece, work, keys)

    def solve(
        self, work: Building, keys: Words, below: dict[int, Words]
    ) -> Iterator[tuple[int, int, Any]]:
        """Solves keys: of each slice the first and the end, and its results (uint16)."""
        solved = {rank: np.array(block) for rank, block in below.items()}
        return self._each(solve_piece, work, keys, solved)

    def _each(
        self, act: Callable[..., Any], work: Building, keys: Words, *args: Any
    ) -> Iterator[tuple[int, int, Any]]:
        """Has an act done on all slices of keys: the first and the end of each, and its result."""
        count = keys.size // work.width
        size = min(max(-(-count // (_AHEAD * self.workers)), _LEAST), _MOST)
        starts = deque(range(0, count, size))
        pieces = deque[tuple[int, int, "Future[Any]"]]()
        try:
            while starts or pieces:
                while starts and len(pieces) < _AHEAD * self.workers:
                    first = starts.popleft()
                    end = min(first + size, count)
                    piece = np.array(keys[first * work.width : end * work.width])
                    task = self.executor.submit(act, self.order, piece, *args)
                    pieces.append((first, end, task))
                work.check()
                first, end, task = pieces.popleft()
                yield first, end, task.result()
        finally:
            for _, _, task in pieces:
                task.cancel()
