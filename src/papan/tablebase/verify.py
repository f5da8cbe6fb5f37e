"""A database held to its own rules: every position against those that follow it.

If each result is what its followers' make it, all of them are right: a win in n plies that was
missed would show at a position whose followers, nearer to the end, are right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from papan.errors import UsageError
from papan.search.limits import Stop
from papan.tablebase.database import Database
from papan.tablebase.expand import CHILDREN, Batch
from papan.tablebase.forward import finish, settle
from papan.tablebase.keys import sections
from papan.tablebase.packing import Words
from papan.tablebase.parts import Parts
from papan.tablebase.results import NO_SCORE, Codes
from papan.tablebase.work import Building, BuildProgress, Circles, Misfit


def verify(
    database: Database,
    *,
    workers: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> int:
    """Compares the result of each position with what its followers make it, and the checksums.

    Returns:
        The number of positions compared: all of them.

    Raises:
        UsageError: a block is damaged, or results are wrong: says how many.
        Unsolved: it was stopped.
    """
    rows, blocks = database.header["blocks"], database.blocks()
    root, parts = database.root, Parts(None, {})
    work = Building(
        root, database.packing, 1 << 62, workers, parts, stop or Stop(), on_progress,
        pruned=database.is_pruned,
    )  # fmt: skip
    work.found = database.positions
    work.begin_stage("verifying", database.positions)
    by_rank = {row["rank"]: block for row, block in zip(rows, blocks, strict=True)}
    try:
        wrong = sum(_wrong(work, by_rank, rank) for rank in by_rank)
    except (Misfit, Circles):
        wrong = database.positions
    finally:
        work.close()
    if wrong > 0:
        raise UsageError("database.wrong", text=database.game.spec, count=wrong)
    return database.positions


def _wrong(work: Building, blocks: dict[int, Words], rank: int) -> int:
    """Number of wrong results in a layer, and of followers that are nowhere."""
    block, ranked, found = blocks[rank], len(blocks) > 1, list[int]()
    for keys, codes in sections(block):
        found += _compared(work, blocks, (keys, codes), ranked)
    return sum(found)


def _compared(
    work: Building, blocks: dict[int, Words], section: tuple[Words, Codes], ranked: bool
) -> list[int]:
    """Numbers of wrong results of some positions, and of followers that are nowhere."""
    keys, codes = section
    found = list[int]()

    def compare(batch: Batch, first: int, done: int) -> None:
        scores, expected = np.full(done, NO_SCORE, np.int32), np.zeros(done, np.uint16)
        for lower in np.unique(batch.ranks[: int(batch.facts[CHILDREN])]).tolist():
            if lower not in blocks:
                found.append(done)
                return
            found.append(settle(batch, blocks[lower], lower, scores, work.step))
        finish(batch.ends, scores, expected, work.step)
        found.append(int(np.count_nonzero(expected != codes[first : first + done])))

    for results in work.rounds(keys, ranked=ranked, act=compare):
        work.advance(sum(done for _, _, done in results))
    return found
