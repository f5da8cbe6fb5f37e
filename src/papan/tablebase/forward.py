"""Solving games without cycles: layer by layer, lowest depth first.

All children of a position are in solved layers, so its result is the best of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from papan.errors import InvalidGame
from papan.jit.compiler import kernel
from papan.tablebase import keys as tables
from papan.tablebase.building import Building
from papan.tablebase.codec import (
    ENDLESS,
    NO_SCORE,
    Codes,
    Words,
    code_of,
    code_of_score,
    score_above,
)
from papan.tablebase.expand import CHILDREN, Batch, Expansion
from papan.tablebase.frontier import find_layers
from papan.tablebase.keys import code_at, codes_of, key_width, number_in


def build_forward(work: Building) -> list[int]:
    """Builds the solved blocks of all layers as the parts `layer-DEPTH`; returns their depths.

    Raises:
        CyclicGame: the game has cycles.
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, or exceeds the memory limit.
        InvalidGame: the rules are inconsistent.
    """
    # Ascending order: all children of a position are in layers that are solved before it.
    layers = find_layers(work)
    work.begin_stage("solving", work.positions)
    for depth, depths in layers.items():
        # A stored solved block has a checksum, so an interrupted build continues after it.
        solved = work.solved_block(depth)
        if solved is not None:
            work.advance(int(solved[0]))
            continue
        with work.solving(depth) as block:
            for each in depths:
                _solve_depth(work, block, each)
    return list(layers)


def _solve_depth(work: Building, block: Words, depth: int) -> None:
    """Solves the positions of a depth in a block."""
    codes, blocks = codes_of(block), dict[int, Words]()

    # Blocks are kept for the whole layer, because reading a part computes its checksum. Threads may
    # read the same block twice at first, which only costs time.
    def block_of(lower: int) -> Words:
        if tables.has_numbers(block):
            return block
        if lower not in blocks:
            blocks[lower] = work.block(lower)
        return blocks[lower]

    for places, keys in _find_unsolved(block, depth):
        if work.cluster is None:
            results = np.zeros(places.size, np.uint16)
            # Results go through an array, because the places of numbers are not consecutive.
            solve_keys(work, keys, results, block_of)
            codes[places] = results
            continue
        lower = {each: block_of(each) for each in _depths_below(work, depth)}
        for first, end, results in work.cluster.solve(work, keys, lower):
            codes[places[first:end]] = results
            work.advance(end - first)


def _find_unsolved(block: Words, depth: int) -> Iterator[tuple[Any, Words]]:
    """Yields places and keys of the unsolved positions of a depth in a block, in portions."""
    if not tables.has_numbers(block):
        yield from tables.sections(block)
        return
    # An unsolved number has its depth as its code; no result of a game without cycles is endless.
    for numbers in tables.numbers_with(codes_of(block), code_of(ENDLESS, depth)):
        yield numbers, tables.keys_of_numbers(numbers)


def _depths_below(work: Building, depth: int) -> list[int]:
    """Returns the depths of the layers to which moves from a layer may lead."""
    layers: list[list[int]] = work.parts.notes["layers"]
    least = next(least for each, least, _ in layers if each == depth)
    return [other for other, _, _ in layers if least <= other < depth]


def solve_keys(work: Building, keys: Words, codes: Codes, block_of: Callable[[int], Words]) -> None:
    """Writes the results of positions whose children are all in solved blocks.

    Args:
        work: the build.
        keys: the positions.
        codes: the array for the results.
        block_of: returns the solved block of a depth.

    Raises:
        InvalidGame: a child is in no block, so the rules are inconsistent.
    """

    def solve(expansion: Expansion) -> None:
        # Called in the threads; each expansion has its own range of `codes`.
        room = codes[expansion.first : expansion.first + expansion.size]
        if solve_expansion(expansion, block_of, room, work.step) > 0:
            raise InvalidGame("tablebase.unfound", game=work.position.game.spec)

    for _ in work.expand_keys(keys, layered=True, act=solve):
        pass


def solve_expansion(
    expansion: Expansion, block_of: Callable[[int], Words], codes: Codes, step: int
) -> int:
    """Writes the results of expanded positions, computed from those of their children.

    Returns the number of children that are in no block; 0 unless the rules are inconsistent.
    """
    # One pass for each depth, since the kernel searches one block.
    batch, missing = expansion.batch, 0
    scores = np.full(expansion.size, NO_SCORE, np.int32)
    for depth in child_depths(expansion):
        missing += raise_scores(batch, block_of(depth), depth, scores, step)
    write_results(batch.ends, scores, codes, step)
    return missing


def child_depths(expansion: Expansion) -> list[int]:
    """Returns the depths of the children of expanded positions."""
    # The bounds may be too wide (see `expand`), so equal bounds are exact.
    if expansion.least >= expansion.most:
        return [expansion.least] if expansion.least == expansion.most else []
    depths: list[int] = np.unique(expansion.batch.depths[: expansion.children]).tolist()
    return depths


@kernel
def raise_scores(batch: Batch, block: Words, depth: int, scores: Any, step: int) -> int:
    """Raises the scores of expanded positions to the best score among children of one depth.

    Returns the number of children that are not in the block.
    """
    width, missing = key_width(block), 0
    for child in range(batch.facts[CHILDREN]):
        if batch.depths[child] != depth:
            continue
        number = number_in(block, 0, batch.keys, child * width)
        if number < 0:
            missing += 1
            continue
        # A position keeps only its best score, so children may come in any order.
        link = batch.links[child]
        score = score_above(code_at(block, 0, number), (link & 1) == 1, step)
        if score > scores[link >> 1]:
            scores[link >> 1] = score
    return missing


@kernel
def write_results(ends: Any, scores: Any, codes: Any, step: int) -> None:
    """Writes the result of each position.

    A finished game has its result in `ends`; the result of other positions is that of their score.
    """
    # 0 means "not over", since the outcome of a finished game is never `ENDLESS` (0).
    for index in range(scores.size):
        codes[index] = ends[index] if ends[index] != 0 else code_of_score(scores[index], step)
