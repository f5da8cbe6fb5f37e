"""Games that only go forward: layer by layer down, and up again.

The layer of a position is `max_plies_left`, which every move makes smaller; so a layer is complete
when all above it are, and only its own followers are needed to solve it. A game for which that is
not so is found out on the way (`Circles`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from papan.errors import InvalidGame
from papan.jit.compiler import kernel
from papan.rules import operations as rules
from papan.tablebase.expand import (
    CHILDREN,
    LEAST_RANK,
    MOST_RANK,
    Batch,
)
from papan.tablebase.keys import (
    PARTS,
    code_at,
    codes_of,
    insert,
    key_width,
    keys_of,
    number_in,
)
from papan.tablebase.layers import OpenLayers
from papan.tablebase.packing import Words
from papan.tablebase.results import NO_SCORE, code_of_score, score_above
from papan.tablebase.work import Building, images_of

_NOTHING = np.zeros(0, np.uint64)


def build_forward(work: Building) -> list[int]:
    """Makes the blocks of all layers, solved, as the parts `layer-RANK`; the ranks, ascending.

    Raises:
        Circles: the game does not only go forward.
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, or takes more memory than is allowed.
    """
    layers = find_layers(work)
    work.begin_stage("solving", work.found)
    ranks = sorted(layers)
    for rank in ranks:
        _solve_layer(work, rank)
    return ranks


def find_layers(work: Building) -> list[int]:
    """Finds all positions, layer by layer, as the parts `keys-RANK`; returns the ranks."""
    layers = _first_layers(work)
    done: list[list[int]] = work.parts.notes.get("layers", [])
    while layers.ranks:
        rank = layers.ranks[0]
        block = layers.completed(rank)
        work.found += int(block[0])
        least, images = _spread(work, block, layers)
        work.images += images
        done.append([rank, least, images])
        work.parts.note(layers=done)
        work.foretell(int(block[0]), rank)
    return [rank for rank, _, _ in done]


def _first_layers(work: Building) -> OpenLayers:
    """The layers that are not complete: at first the one of the root alone; later those below the
    ones that are kept."""
    done = work.parts.notes.get("layers", [])
    if not done:
        layers = OpenLayers(work, 1 << 30)
        root = layers.table(int(rules.max_plies_left(work.state)), 1)
        insert(root, work.first_key(), 1, (0, PARTS), _NOTHING)
        return layers
    layers = OpenLayers(work, min(rank for rank, _, _ in done))
    for rank, least, images in done:
        block = kept_block(work, rank)
        work.found, work.images = work.found + int(block[0]), work.images + images
        work.sizes.append(int(block[0]))
        if least < layers.below:
            _spread(work, block, layers)
    return layers


def kept_block(work: Building, rank: int) -> Words:
    """The block of a layer, solved if it is.

    Raises:
        InvalidGame: it is damaged.
    """
    for name in (f"layer-{rank}", f"keys-{rank}"):
        block = work.parts.get(name)
        if block is not None:
            return block
    raise InvalidGame("database.part", text=f"keys-{rank}")


def _spread(work: Building, block: Words, layers: OpenLayers) -> tuple[int, int]:
    """Adds all that follows a layer's positions to the layers that are open; the least rank of it,
    and how many positions the layer has with all their images."""
    if work.spread is None:
        return spread_keys(work, keys_of(block), layers)
    least, images = 1 << 30, 0
    for first, end, found in work.spread.find(work, keys_of(block)):
        for rank, keys in found.keys.items():
            layers.add_keys(rank, keys)
        least, images = min(least, *found.keys, 1 << 30), images + found.images
        work.advance(end - first)
    return least, images


def spread_keys(work: Building, keys: Words, layers: OpenLayers) -> tuple[int, int]:
    """Adds all that follows some positions to layers; the least rank of it, and how many positions
    they are with all their images."""
    least, images = 1 << 30, 0
    for results in work.rounds(keys, ranked=True):
        layers.add(results)
        least = min(least, *(int(batch.facts[LEAST_RANK]) for batch, _, _ in results))
        images += images_of(results)
        work.advance(sum(done for _, _, done in results))
    return least, images


# --- back up --------------------------------------------------------------------------------------


def _solve_layer(work: Building, rank: int) -> None:
    """Solves a layer all of whose followers are solved."""
    solved = work.parts.get(f"layer-{rank}")
    if solved is not None:
        work.advance(int(solved[0]))
        return
    kept, below = kept_block(work, rank), _Below(work)
    with work.parts.revising(f"keys-{rank}", kept, f"layer-{rank}") as block:
        keys, codes = keys_of(block), codes_of(block)
        if work.spread is None:
            settle_keys(work, keys, codes, below.block)
            return
        lower = {other: below.block(other) for other in _lower_ranks(work, rank)}
        for first, end, found in work.spread.solve(work, keys, lower):
            codes[first:end] = found
            work.advance(end - first)


def _lower_ranks(work: Building, rank: int) -> list[int]:
    """The ranks of layers that moves from a layer may lead to."""
    layers: list[list[int]] = work.parts.notes["layers"]
    least = next(least for each, least, _ in layers if each == rank)
    return [other for other, _, _ in layers if least <= other < rank]


def settle_keys(work: Building, keys: Words, codes: Any, block_of: Callable[[int], Words]) -> None:
    """Writes the results of positions all of whose followers stand solved in blocks, by rank."""

    def settle_batch(batch: Batch, first: int, done: int) -> None:
        scores = np.full(done, NO_SCORE, np.int32)
        for lower in _child_ranks(batch):
            if settle(batch, block_of(lower), lower, scores, work.step) > 0:
                raise InvalidGame("database.unfound", game=work.position.game.spec)
        finish(batch.ends, scores, codes[first : first + done], work.step)

    for results in work.rounds(keys, ranked=True, act=settle_batch):
        work.advance(sum(done for _, _, done in results))


def _child_ranks(batch: Batch) -> list[int]:
    """The ranks of the children of a batch."""
    low, high = int(batch.facts[LEAST_RANK]), int(batch.facts[MOST_RANK])
    if low >= high:
        return [low] if low == high else []
    found: list[int] = np.unique(batch.ranks[: int(batch.facts[CHILDREN])]).tolist()
    return found


class _Below:
    """The solved layers that a layer's moves lead to."""

    def __init__(self, work: Building) -> None:
        self.work = work
        self.blocks: dict[int, Words] = {}

    def block(self, rank: int) -> Words:
        """The block of a rank."""
        if rank not in self.blocks:
            self.blocks[rank] = kept_block(self.work, rank)
        return self.blocks[rank]


@kernel
def settle(batch: Batch, block: Words, rank: int, scores: Any, step: int) -> int:
    """Raises the scores of a batch's positions to what their children of one rank are worth.

    Returns how many of these were not found, which are none if rules are what they promise.
    """
    width, missing = key_width(block), 0
    for child in range(batch.facts[CHILDREN]):
        if batch.ranks[child] != rank:
            continue
        number = number_in(block, 0, batch.keys, child * width)
        if number < 0:
            missing += 1
            continue
        link = batch.links[child]
        score = score_above(code_at(block, 0, number), (link & 1) == 1, step)
        if score > scores[link >> 1]:
            scores[link >> 1] = score
    return missing


@kernel
def finish(ends: Any, scores: Any, codes: Any, step: int) -> None:
    """Writes the results of positions that are over, or that have these scores."""
    for index in range(scores.size):
        codes[index] = ends[index] if ends[index] != 0 else code_of_score(scores[index], step)
