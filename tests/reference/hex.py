"""Hex, obvious and slow: stones as sets of (row, column), chains found step by step."""

from itertools import product

Cell = tuple[int, int]
STEPS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))


def is_joined(stones: frozenset[Cell], side: int, size: int) -> bool:
    """True if stones join the upper edge with the lower one (side 0), or left with right (1)."""
    chain = [cell for cell in stones if cell[side] == 0]
    for row, column in chain:
        if (row, column)[side] == size - 1:
            return True
        around = {(row + down, column + right) for down, right in STEPS}
        chain += [cell for cell in stones & around if cell not in chain]
    return False


def leaves(size: int, depth: int, stones: tuple[frozenset[Cell], ...], side: int = 0) -> int:
    """Number of games of `depth` plies from a position."""
    if depth == 0:
        return 1
    total = 0
    for cell in set(product(range(size), repeat=2)) - stones[0] - stones[1]:
        own = stones[side] | {cell}
        if not is_joined(own, side, size):
            after = (own, stones[1]) if side == 0 else (stones[0], own)
            total += leaves(size, depth - 1, after, 1 - side)
        elif depth == 1:
            total += 1
    return total
