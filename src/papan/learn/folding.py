"""Folding: joins tuples whose places overlap into one larger table, to save look-ups."""

from __future__ import annotations

from papan.learn.features import Features

#: Maximum number of entries of a folded table: 3⁸, a line of eight squares.
LARGEST_TABLE = 6561


def folds(features: Features, most: int) -> list[tuple[tuple[int, ...], list[int]]]:
    """Groups the tuples so that each group covers at most `most` places.

    The first tuple, which has no places, is left out if its entries are steps of an own value.

    Returns:
        The places of each group, and the indices of its tuples. Each tuple is in one group.
    """
    groups: list[set[int]] = []
    inside: list[list[int]] = []
    numbers = range(features.steps > 1, len(features.tuples))
    by_size = sorted(numbers, key=lambda each: -len(features.tuples[each]))
    for number in by_size:
        one = set(features.tuples[number])
        best, shared = -1, 0 if one else -1
        for index, group in enumerate(groups):
            joined = len(group | one)
            fits = joined <= most and features.base**joined <= LARGEST_TABLE
            if fits and len(group & one) > shared:
                best, shared = index, len(group & one)
        if best < 0:
            groups.append(one)
            inside.append([number])
        else:
            groups[best] |= one
            inside[best].append(number)
    return [(tuple(sorted(group)), held) for group, held in zip(groups, inside, strict=True)]
