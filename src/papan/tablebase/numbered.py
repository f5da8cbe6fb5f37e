"""Databases of games that number their positions themselves: a place for every number.

A block has 16 bits for each number and nothing else, so that no key is kept and none is looked for.
While positions are being found, the place of one that is not solved yet says when its turn comes:
its rank where the game only goes forward, else whether it is of this wave or of the next one. So
finding takes no memory but the block; with a folder, that is mapped, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from papan.errors import InvalidGame, Unsolved
from papan.jit.compiler import kernel
from papan.rules import operations as rules
from papan.rules.solving import index_count
from papan.tablebase.backlinks import POSITION_BYTES, Backlinks, link
from papan.tablebase.circles import finish_backwards, refuse_margins
from papan.tablebase.expand import CHILDREN, Batch
from papan.tablebase.forward import settle_keys
from papan.tablebase.keys import (
    HEAD,
    RESULTS_IN_WORD,
    codes_of,
    numbers_with,
)
from papan.tablebase.packing import MARK, Words, number_of
from papan.tablebase.results import ABSENT, ENDLESS, made
from papan.tablebase.waves import MOST_POSITIONS
from papan.tablebase.work import Building, Circles, images_of

#: The rank of the one block.
RANK = 0
#: The turns of positions in games with circles: those of this wave and of the next one, in turns.
_WAVES = (1, 2)


def numbered_forward(work: Building) -> list[int]:
    """Makes the block of a game that only goes forward, solved, as the part `layer-0`.

    Raises:
        Circles: the game does not only go forward.
        Unsolved: the work was stopped, or takes more memory than is allowed.
        InvalidGame: two positions have one number, or a number is out of range.
    """
    top = int(rules.max_plies_left(work.state))
    if top >= ABSENT:
        raise Circles
    kept = _found(work, range(top, -1, -1))
    if kept is None:
        return [RANK]
    ranks: list[int] = work.parts.notes["ranks"]
    with work.parts.revising(f"keys-{RANK}", kept, f"layer-{RANK}") as block:
        for rank in reversed(ranks):
            _solve_rank(work, block, rank)
    return [RANK]


def _solve_rank(work: Building, block: Words, rank: int) -> None:
    """Solves the positions of a rank, those of lower ones being solved."""
    codes = codes_of(block)
    for numbers in numbers_with(codes, made(ENDLESS, rank)):
        found = np.zeros(numbers.size, np.uint16)
        settle_keys(work, _keys(numbers), found, lambda _: block)
        codes[numbers] = found


def numbered_circles(work: Building) -> list[int]:
    """Makes the block of a game that can go in circles, solved, as the part `layer-0`.

    Raises:
        Unsolved: the work was stopped, takes more memory than is allowed, or results are margins.
        InvalidGame: two positions have one number, or a number is out of range.
    """
    refuse_margins(work)
    count = int(index_count(work.state))
    if count >= MOST_POSITIONS:
        game = work.position.game.spec
        raise Unsolved("database.most", game=game, most=MOST_POSITIONS)
    work.need((POSITION_BYTES + 2) * count)
    kept = _found(work, _waves(work))
    if kept is not None:
        with work.parts.revising(f"keys-{RANK}", kept, f"layer-{RANK}") as block:
            _solve_circles(work, block)
    return [RANK]


def _waves(work: Building) -> Iterator[int]:
    """The turns of waves, as long as the last one has found something."""
    found = -1
    while work.found > found:
        found = work.found
        yield from _WAVES


def _solve_circles(work: Building, block: Words) -> None:
    """Fills the results of a block of positions that are found."""
    codes = codes_of(block)
    edges = Backlinks(codes.size, work.parts.folder)

    def link_batch(batch: Batch, numbers: Any) -> None:
        codes[numbers] = batch.ends[: numbers.size]
        targets = np.empty(int(batch.facts[CHILDREN]), np.uint32)
        degrees = np.zeros(numbers.size, np.uint16)
        if link(batch, block, targets, degrees) > 0:
            raise InvalidGame("database.unfound", game=work.position.game.spec)
        edges.degrees[numbers] = degrees
        edges.add(int(numbers[0]), targets)

    try:
        for numbers in numbers_with(codes, ABSENT, wanted=False):
            keys = _keys(numbers)

            def act(batch: Batch, first: int, done: int, numbers: Any = numbers) -> None:
                link_batch(batch, numbers[first : first + done])

            for results in work.rounds(keys, ranked=False, act=act):
                work.need(POSITION_BYTES * codes.size + edges.nbytes)
                work.advance(sum(done for _, _, done in results))
        finish_backwards(work, codes, edges)
    finally:
        edges.remove()


# --- finding --------------------------------------------------------------------------------------


def _found(work: Building, turns: Iterator[int] | range) -> Words | None:
    """The block with all positions that can be reached, kept as the part `keys-0`; None if it is
    solved already."""
    solved, kept = work.parts.get(f"layer-{RANK}"), work.parts.get(f"keys-{RANK}")
    if solved is None and kept is None:
        kept = _made(work, turns)
    work.found, work.images = work.parts.notes["found"], work.parts.notes["images"]
    work.begin_stage("solving", work.found)
    return None if solved is not None else kept


def _made(work: Building, turns: Iterator[int] | range) -> Words:
    count, ranks = int(index_count(work.state)), list[int]()
    size = HEAD - (-count // RESULTS_IN_WORD)
    if work.parts.folder is None:
        work.need(8 * size)
    with work.parts.making(f"keys-{RANK}", size) as block:
        block[0] = count
        codes = codes_of(block)
        codes[:] = ABSENT
        is_ranked = isinstance(turns, range)
        first = turns[0] if isinstance(turns, range) else _WAVES[0]
        codes[number_of(work.first_key()[0])] = first
        work.found = 1
        for turn in turns:
            if _spread(work, codes, turn, is_ranked) > 0:
                ranks.append(turn)
    work.parts.note(found=work.found, images=work.images, ranks=ranks)
    return block


def _spread(work: Building, codes: Any, turn: int, is_ranked: bool) -> int:
    """Finds all that follows the positions whose turn it is; returns how many these are."""
    count = 0
    for numbers in numbers_with(codes, turn):
        count += numbers.size
        if not is_ranked:
            codes[numbers] = ENDLESS
        for results in work.rounds(_keys(numbers), ranked=is_ranked):
            for batch, _, _ in results:
                work.found += mark(batch, codes, 0 if is_ranked else sum(_WAVES) - turn)
            work.images += images_of(results)
            work.advance(sum(done for _, _, done in results))
    return count


def _keys(numbers: Any) -> Words:
    """The keys of numbers."""
    found: Words = numbers.astype(np.uint64) | MARK
    return found


@kernel
def mark(batch: Batch, codes: Any, turn: int) -> int:
    """Notes at the places of a batch's children that were not found yet when their turn comes:
    `turn`, or if that is 0 their rank. Returns how many these are."""
    new = 0
    for child in range(batch.facts[CHILDREN]):
        number = number_of(batch.keys[child])
        if codes[number] == ABSENT:
            codes[number] = turn if turn > 0 else batch.ranks[child]
            new += 1
    return new
