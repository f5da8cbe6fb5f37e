"""Comparison of the results of a tablebase, or of a sample, with the results of their children.

If each result follows from the results of its children, all results are right: a missed win in n
plies would show at a position with correct children nearer to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from papan.errors import PapanError, UsageError
from papan.rules.solving import index_count
from papan.search.limits import Stop
from papan.tablebase.building import Building, BuildProgress, CyclicGame, Misfit
from papan.tablebase.codec import Words
from papan.tablebase.expand import Expansion
from papan.tablebase.forward import child_depths, solve_expansion
from papan.tablebase.keys import codes_of, sections
from papan.tablebase.store import Parts

if TYPE_CHECKING:
    from papan.tablebase.lookup import Tablebase

#: Size of a sample: an error in one of 200 positions is found 99 times in 100.
_SAMPLE = 1000


def verify(
    tablebase: Tablebase,
    *,
    workers: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> int:
    """Compares the result of each position with those of its children, and all checksums.

    Returns:
        The number of compared positions: all of them.

    Raises:
        UsageError: a block is damaged, or results are wrong; the message says how many.
        Unsolved: the work was stopped.
    """
    work = Building(
        # Only batches are allocated, so there is no memory limit.
        tablebase.root, tablebase.codec, 1 << 62, workers, Parts(None, {}), stop or Stop(),
        on_progress, pruned=tablebase.is_pruned,
    )  # fmt: skip
    wrong = _count_wrong(tablebase, work, 1)
    if wrong > 0:
        raise UsageError("tablebase.wrong", text=tablebase.game.spec, count=wrong)
    return tablebase.positions


def agrees_with_rules(tablebase: Tablebase) -> bool:
    """True if a sample of results, spread over all layers, follows from the rules.

    Raises:
        UsageError: a block is damaged.
    """
    # With another count of numbers, `position_of` would be called with numbers outside its range.
    places = int(tablebase.blocks()[0][0])
    if tablebase.header.get("numbered") and places != index_count(tablebase.root.state):
        return False
    work = Building(
        tablebase.root, tablebase.codec, 1 << 62, 1, Parts(None, {}), pruned=tablebase.is_pruned
    )
    try:
        return _count_wrong(tablebase, work, max(tablebase.positions // _SAMPLE, 1)) == 0
    except PapanError:
        return False


def _count_wrong(tablebase: Tablebase, work: Building, step: int) -> int:
    """Returns the number of wrong results plus the number of children that are in no block.

    Only every `step`-th position of each section is compared.
    """
    depths = [row["rank"] for row in tablebase.header["blocks"]]
    blocks = dict(zip(depths, tablebase.blocks(), strict=True))
    work.positions = tablebase.positions
    work.begin_stage("verifying", tablebase.positions)
    try:
        return sum(
            _compare(work, blocks, keys, codes)
            for block in blocks.values()
            for keys, codes in _every(block, step, work.width)
        )
    except (Misfit, CyclicGame):  # the rules have other states or moves than those of the file
        return tablebase.positions
    finally:
        work.close()


def _every(block: Words, step: int, width: int) -> Iterator[tuple[Words, Any]]:
    """Yields keys and results of every `step`-th position of each section of a block."""
    for places, keys in sections(block):
        yield keys.reshape(-1, width)[::step].reshape(-1), codes_of(block)[places[::step]]


def _compare(work: Building, blocks: dict[int, Words], keys: Words, codes: Any) -> int:
    """Returns the number of wrong results of some positions plus that of children in no block."""
    wrong = list[int]()  # filled by all threads; `append` is atomic

    def compare(expansion: Expansion) -> None:
        # A child of a depth without a block: the whole expansion counts as wrong.
        if not blocks.keys() >= set(child_depths(expansion)):
            wrong.append(expansion.size)
            return
        expected = np.zeros(expansion.size, np.uint16)
        wrong.append(solve_expansion(expansion, blocks.__getitem__, expected, work.step))
        stored = codes[expansion.first : expansion.first + expansion.size]
        wrong.append(int(np.count_nonzero(expected != stored)))

    for _ in work.expand_keys(keys, layered=len(blocks) > 1, act=compare):
        pass
    return sum(wrong)
