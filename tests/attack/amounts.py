"""How much each attack tries: by default, with --thorough as in CI, and with --long.

`docs/reliability.md` states these numbers, and a test compares.
"""

from __future__ import annotations

from typing import NamedTuple


class Amount(NamedTuple):
    """What is tried of a kind in each of the three runs."""

    default: int
    thorough: int
    long: int


AMOUNTS = {
    "wrong game files": Amount(3, 21, 21),
    "mutated game files": Amount(20, 100, 5_000),
    "mutated requests": Amount(150, 1_800, 18_000),
    "mutated frames": Amount(20, 200, 2_000),
    "mutated records": Amount(60, 450, 4_500),
    "mutated stores": Amount(8, 50, 500),
    "mutated files of compiled code": Amount(50, 50, 500),
    "mutated tablebases": Amount(30, 200, 2_000),
    "mutated weights": Amount(15, 150, 2_000),
    "mutated levels": Amount(20, 200, 2_000),
    "mutated puzzles": Amount(20, 200, 2_000),
    "mutated tournament files": Amount(20, 200, 2_000),
    "mutated openings": Amount(20, 200, 2_000),
    "hostile bots": Amount(6, 60, 60),
    "random calls": Amount(200, 2_000, 20_000),
    "kills while writing": Amount(1, 20, 500),
}
