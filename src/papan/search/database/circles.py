"""Games that can go in circles, or may: all positions first, then from the ends backwards.

Positions are found in waves from the root. Then each has a number, and the moves between them are
turned round, so that a result that is known is handed to the positions before it, nearest ends
first. Sides need not take turns: a move says whether the same side goes on.

A position from which neither side can win is a draw. If a line of moves that keep the draw comes to
an end by rule, it is drawn by rule, in the fewest plies of such a line. The others are endless: on
no line does the game come to an end unless somebody gives the draw away.

Edges take most of the memory: 8 bytes each while they are turned round, 4 afterwards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.errors import InvalidGame, Unsolved
from papan.kernel.compiler import kernel
from papan.search.database.expand import CHILDREN, Batch
from papan.search.database.keys import (
    PARTS,
    KeyTable,
    block_words,
    codes_of,
    insert,
    keys_of,
    number_in,
    start_block,
    table_bytes,
)
from papan.search.database.packing import Words
from papan.search.database.results import (
    DRAWN,
    ENDLESS,
    LOST,
    MOST_PLIES,
    WON,
    made,
    outcome_of,
    plies_of,
)
from papan.search.database.work import Building, images_of
from papan.search.table import signed

#: The rank of the one layer.
RANK = 0
#: Bytes that a position and an edge take when edges are turned round.
_POSITION_BYTES = 8 + 4 + 4 + 2
_EDGE_BYTES = 4 + 4
#: Edges hold twice the number of a position in 32 bits.
MOST_POSITIONS = 1 << 31

_NOTHING = np.zeros(0, np.uint64)


def build_circles(work: Building) -> list[int]:
    """Makes one block of all positions, solved, as the part `layer-0`; the rank of it.

    Raises:
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, takes more memory than is allowed, or results are margins.
    """
    if work.step == 0:
        game = work.position.game
        why = "@solve.margin-in-circles"
        raise Unsolved("solve.no-way", text=work.position, game=game.name, why=why)
    solved = work.parts.get(f"layer-{RANK}")
    if solved is not None:
        work.found, work.images = int(solved[0]), work.parts.notes["images"]
        return [RANK]
    block = np.array(_found(work))
    work.found = int(block[0])
    work.begin_stage("solving", work.found)
    _solve(work, block)
    work.parts.put(f"layer-{RANK}", block)
    work.parts.drop(f"keys-{RANK}")
    return [RANK]


def _found(work: Building) -> Words:
    """The block of all positions, not solved yet."""
    kept = work.parts.get(f"keys-{RANK}")
    if kept is not None:
        work.images = work.parts.notes["images"]
        return kept
    table, waves = _waves(work)
    count = int(table.counts.sum())
    if count >= MOST_POSITIONS:
        raise Unsolved("database.most", game=work.position.game.spec, most=MOST_POSITIONS)
    work.need(table.slots.nbytes + 8 * block_words(count, work.width))
    block = np.zeros(block_words(count, work.width), np.uint64)
    start_block(block, table, RANK)
    work.parts.note(images=work.images)
    work.parts.put(f"keys-{RANK}", block)
    for wave in range(waves):
        work.parts.drop(f"wave-{wave}")
    return block


def _waves(work: Building) -> tuple[KeyTable, int]:
    """A table of all positions that can be reached, and the number of waves that it took."""
    frontier, number = work.first_key(), 0
    table = work.table_for(1)
    while (kept := work.parts.get(f"wave-{number}")) is not None:
        frontier, number = kept, number + 1
        table = work.grown(table, kept.size // work.width)
        insert(table, kept, kept.size // work.width, (0, PARTS), _NOTHING)
    done: list[int] = work.parts.notes.get("wave-images", [])
    work.images = sum(done[: max(number - 1, 0)])
    if number == 0:
        insert(table, frontier, 1, (0, PARTS), _NOTHING)
        work.parts.put("wave-0", frontier)
        number = 1
    while frontier.size > 0:
        work.found = int(table.counts.sum())
        table, frontier, images = _wave(work, table, frontier)
        work.images += images
        work.foretell(frontier.size // work.width)
        done = [*done[: number - 1], images]
        work.parts.note(**{"wave-images": done})
        work.parts.put(f"wave-{number}", frontier)
        number += 1
    return table, number


def _wave(work: Building, table: KeyTable, frontier: Words) -> tuple[KeyTable, Words, int]:
    """The table with all that follows the newest positions, these, and the images of the older."""
    news, images = [], 0
    for results in work.rounds(frontier, ranked=False):
        more = sum(int(batch.facts[CHILDREN]) for batch, _, _ in results)
        fresh = [np.empty(more * work.width, np.uint64) for _ in range(work.workers)]
        table = work.gather(table, results, fresh)
        news += [part.copy() for part in fresh]
        images += images_of(results)
        work.found = int(table.counts.sum())
        work.need(2 * table_bytes(table.bits, work.width))
        work.advance(sum(done for _, _, done in results))
    return table, np.concatenate(news), images


# --- from the ends backwards ----------------------------------------------------------------------


def _solve(work: Building, block: Words) -> None:
    """Fills the results of a block of all positions."""
    codes, count = codes_of(block), int(block[0])
    degrees, slices = np.zeros(count, np.uint16), list[tuple[int, Any]]()
    edges = 0

    def link_batch(batch: Batch, first: int, done: int) -> None:
        codes[first : first + done] = batch.ends[:done]
        targets = np.empty(int(batch.facts[CHILDREN]), np.uint32)
        if link(batch, block, targets, degrees[first : first + done]) > 0:
            raise InvalidGame("database.unfound", game=work.position.game.spec)
        slices.append((first, targets))

    for results in work.rounds(keys_of(block), ranked=False, act=link_batch):
        edges += sum(int(batch.facts[CHILDREN]) for batch, _, _ in results)
        work.need(block.nbytes + _POSITION_BYTES * count + _EDGE_BYTES * edges)
        work.advance(sum(done for _, _, done in results))
    first, sources = np.zeros(count + 1, np.int64), np.empty(edges, np.uint32)
    slices.sort(key=lambda each: each[0])
    for _, targets in slices:
        count_targets(targets, first)
    np.cumsum(first, out=first)
    while slices:
        begin, targets = slices.pop()
        turn_round(targets, degrees[begin:], begin, first, sources)
    if not retrograde(codes, degrees, first, sources, np.empty(count, np.uint32)):
        raise Unsolved("database.plies", game=work.position.game.spec, most=MOST_PLIES)


@kernel
def link(batch: Batch, block: Words, targets: Any, degrees: Any) -> int:
    """Writes twice the number of each child of a batch, + 1 where the same side goes on, and how
    many children each position has. Returns how many were not found, which are none if the rules
    are what they promise."""
    width, missing = signed(block[3]), 0
    for child in range(targets.size):
        number = number_in(block, 0, batch.keys, child * width)
        missing += 1 if number < 0 else 0
        degrees[batch.links[child] >> 1] += 1
        targets[child] = 2 * max(number, 0) + (batch.links[child] & 1)
    return missing


@kernel
def count_targets(targets: Any, first: Any) -> None:
    """Counts how often each position is the target of a move."""
    for edge in range(targets.size):
        first[targets[edge] >> 1] += 1


@kernel
def turn_round(targets: Any, degrees: Any, begin: int, first: Any, sources: Any) -> None:
    """Writes where each target can be reached from, from the end of its place in `sources` on.

    The moves are those of positions `begin` and on, which have `degrees` of them. `first` says
    where a target's place ends that is not filled yet, and at last where it begins.
    """
    edge, number = 0, 0
    while edge < targets.size:
        for _ in range(degrees[number]):
            target = targets[edge] >> 1
            first[target] -= 1
            sources[first[target]] = 2 * (begin + number) + (targets[edge] & 1)
            edge += 1
        number += 1


@kernel
def retrograde(codes: Any, degrees: Any, first: Any, sources: Any, queue: Any) -> bool:
    """Finds all results, from those of games that are over on; False if one is too many plies away.

    `degrees` counts down the moves of a position that do not lose yet. `first` is that of
    `turn_round`, `queue` is room for the numbers of all positions.
    """
    end = 0
    for number in range(codes.size):
        if outcome_of(codes[number]) == WON or outcome_of(codes[number]) == LOST:
            queue[end] = number
            end += 1
    begin = 0
    while begin < end:
        number = queue[begin]
        begin += 1
        outcome, plies = outcome_of(codes[number]), plies_of(codes[number]) + 1
        if plies >= MOST_PLIES:
            return False
        for edge in range(first[number], first[number + 1]):
            source = sources[edge] >> 1
            if outcome_of(codes[source]) != ENDLESS:
                continue
            # Results come in the order of their plies: the first move that wins is the fastest
            # win, and the last one that turns out to lose is the slowest loss.
            if (outcome == WON) == ((sources[edge] & 1) == 1):
                codes[source] = made(WON, plies)
            else:
                degrees[source] -= 1
                if degrees[source] > 0:
                    continue
                codes[source] = made(LOST, plies)
            queue[end] = source
            end += 1
    return find_draws(codes, first, sources, queue)


@kernel
def find_draws(codes: Any, first: Any, sources: Any, queue: Any) -> bool:
    """Finds the draws by rule among the positions from which neither side can win; False if an end
    is too many plies away."""
    end = 0
    for number in range(codes.size):
        if outcome_of(codes[number]) == DRAWN:
            queue[end] = number
            end += 1
    begin = 0
    while begin < end:
        number = queue[begin]
        begin += 1
        plies = plies_of(codes[number]) + 1
        if plies >= MOST_PLIES:
            return False
        for edge in range(first[number], first[number + 1]):
            source = sources[edge] >> 1
            if outcome_of(codes[source]) == ENDLESS:
                codes[source] = made(DRAWN, plies)
                queue[end] = source
                end += 1
    return True
