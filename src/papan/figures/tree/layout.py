"""Horizontal positions of the nodes of a tree.

Each parent is centred above its children, and subtrees are pushed together until they touch (after
Reingold & Tilford, "Tidier drawings of trees", 1981).
"""

from __future__ import annotations

from papan.figures.tree.model import TreeNode


def columns(root: TreeNode) -> dict[int, float]:
    """Returns the horizontal position of each node (by `id`), in node widths; the leftmost is 0."""
    places: dict[int, float] = {}
    _spread(root, places)
    least = min(places.values())
    return {key: place - least for key, place in places.items()}


Outline = list[tuple[float, float]]  # leftmost and rightmost position in each row


def _spread(node: TreeNode, places: dict[int, float]) -> Outline:
    """Places a node at 0 with its descendants around it; returns the outline of the subtree."""
    merged: Outline = []
    offsets: list[float] = []
    for child in node.children:
        outline = _spread(child, places)
        gaps = [old[1] - new[0] + 1.0 for old, new in zip(merged, outline, strict=False)]
        shift = max(gaps, default=0.0)
        offsets.append(shift)
        merged = _join_outlines(merged, [(low + shift, high + shift) for low, high in outline])
    middle = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
    for child, offset in zip(node.children, offsets, strict=True):
        for inner in child.walk():
            places[id(inner)] += offset - middle
    places[id(node)] = 0.0
    return [(0.0, 0.0), *((low - middle, high - middle) for low, high in merged)]


def _join_outlines(old: Outline, new: Outline) -> Outline:
    """Returns the outline of two neighbouring subtrees."""
    both = [(left[0], right[1]) for left, right in zip(old, new, strict=False)]
    shorter = len(both)
    return [*both, *old[shorter:], *new[shorter:]]


def height(root: TreeNode) -> int:
    """Returns the number of rows of a tree."""
    return len(rows(root))


def rows(root: TreeNode) -> list[list[TreeNode]]:
    """Returns the nodes row by row."""
    levels = [[root]]
    while below := [child for node in levels[-1] for child in node.children]:
        levels.append(below)
    return levels
