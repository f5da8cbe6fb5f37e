"""Games that can go in circles, or may: all positions first, then from the ends backwards.

Positions are found in waves from the root. Then each has a number, and the moves between them are
turned round, so that a result that is known is handed to the positions before it, nearest ends
first. Sides need not take turns: a move says whether the same side goes on.

A position from which neither side can win is a draw. If a line of moves that keep the draw comes to
an end by rule, it is drawn by rule, in the fewest plies of such a line. The others are endless: on
no line does the game come to an end unless somebody gives the draw away.

Positions have to fit into memory, the moves between them need not (`backlinks.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.errors import InvalidGame, Unsolved
from papan.jit.compiler import kernel
from papan.rules.dispatch import helper
from papan.tablebase.backlinks import POSITION_BYTES, Backlinks, link
from papan.tablebase.expand import CHILDREN, Batch
from papan.tablebase.keys import (
    codes_of,
    keys_of,
)
from papan.tablebase.packing import Words
from papan.tablebase.results import (
    DRAWN,
    ENDLESS,
    LOST,
    MOST_PLIES,
    WON,
    Codes,
    made,
    outcome_of,
    plies_of,
)
from papan.tablebase.waves import found_block
from papan.tablebase.work import Building

#: The rank of the one layer.
RANK = 0

_NOTHING = np.zeros(0, np.uint64)


def build_circles(work: Building) -> list[int]:
    """Makes one block of all positions, solved, as the part `layer-0`; the rank of it.

    Raises:
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, takes more memory than is allowed, or results are margins.
    """
    refuse_margins(work)
    solved = work.parts.get(f"layer-{RANK}")
    if solved is not None:
        work.found, work.images = int(solved[0]), work.parts.notes["images"]
        return [RANK]
    kept = found_block(work, RANK)
    work.found = int(kept[0])
    work.begin_stage("solving", work.found)
    with work.parts.revising(f"keys-{RANK}", kept, f"layer-{RANK}") as block:
        _solve(work, block)
    return [RANK]


def refuse_margins(work: Building) -> None:
    """Goes on, unless results are margins.

    Raises:
        Unsolved: they are.
    """
    if work.step == 0:
        game = work.position.game
        why = "@solve.margin-in-circles"
        raise Unsolved("solve.no-way", text=work.position, game=game.name, why=why)


# --- from the ends backwards ----------------------------------------------------------------------


def _solve(work: Building, block: Words) -> None:
    """Fills the results of a block of all positions."""
    codes, count = codes_of(block), int(block[0])
    edges = Backlinks(count, work.parts.folder)

    def link_batch(batch: Batch, first: int, done: int) -> None:
        codes[first : first + done] = batch.ends[:done]
        targets = np.empty(int(batch.facts[CHILDREN]), np.uint32)
        if link(batch, block, targets, edges.degrees[first : first + done]) > 0:
            raise InvalidGame("database.unfound", game=work.position.game.spec)
        edges.add(first, targets)

    try:
        for results in work.rounds(keys_of(block), ranked=False, act=link_batch):
            work.need(POSITION_BYTES * count + edges.nbytes)
            work.advance(sum(done for _, _, done in results))
        finish_backwards(work, codes, edges)
    finally:
        edges.remove()


def finish_backwards(work: Building, codes: Codes, edges: Backlinks) -> None:
    """Fills the results of all positions, those of games that are over being there.

    Raises:
        Unsolved: one is too many plies away from the end.
    """
    memory = max(work.bytes - POSITION_BYTES * codes.size, 0)
    first, sources = edges.turned(memory, work.check)
    if not retrograde(codes, edges.degrees, first, sources, np.empty(codes.size, np.uint32)):
        raise Unsolved("database.plies", game=work.position.game.spec, most=MOST_PLIES)


@kernel
def retrograde(codes: Any, degrees: Any, first: Any, sources: Any, queue: Any) -> bool:
    """Finds all results, from those of games that are over on; False if one is too many plies away.

    `degrees` counts down the moves of a position that do not lose yet. `first` is that of
    `turn_round`, `queue` is room for the numbers of all positions.
    """
    for phase in range(2):
        # First who wins; then, of what neither side can win, where it may come to an end by rule.
        begin, end = 0, queued(codes, queue, phase == 1)
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
                # win, the last one that turns out to lose the slowest loss, and the first one that
                # keeps a draw leads to its nearest end.
                if outcome == DRAWN:
                    codes[source] = made(DRAWN, plies)
                elif (outcome == WON) == ((sources[edge] & 1) == 1):
                    codes[source] = made(WON, plies)
                else:
                    degrees[source] -= 1
                    if degrees[source] > 0:
                        continue
                    codes[source] = made(LOST, plies)
                queue[end] = source
                end += 1
    return True


@helper
def queued(codes: Any, queue: Any, drawn: bool) -> int:
    """Puts the numbers of the positions that are won or lost into a queue, or of those that are
    drawn; returns how many there are."""
    end = 0
    for number in range(codes.size):
        outcome = outcome_of(codes[number])
        if outcome != ENDLESS and (outcome == DRAWN) == drawn:
            queue[end] = number
            end += 1
    return end
