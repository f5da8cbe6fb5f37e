"""Keys and slots of the transposition table: collisions, load and wrong answers, against theory.

Different positions of random games get the keys of the search. Keys are cut to fewer bits, so that
collisions are frequent enough to count; slots are filled as in the table. If keys are as good as
random numbers, the counts agree with the formulas.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from benchmarks.tools.report import Report, Table
from papan.bench import GAMES
from papan.rules.operations import key
from papan.search.table import new_table
from papan.usercode import registry

#: Options of games whose default boards have too few positions.
LARGER = {"platforms": "platforms:size=5,level=3"}

POSITIONS, QUICK_POSITIONS = 200_000, 30_000
#: Numbers of compared key bits.
KEY_BITS = (16, 20, 24, 28, 32, 40, 64)
#: Positions per slot.
LOADS = (0.125, 0.5, 1, 2, 8)
#: Number of slots as a power of two, and numbers of key bits, for counting wrong answers.
SLOT_BITS = 12
CHECKED_BITS = (16, 20, 24, 64)
_SEED = 1

Keys = np.ndarray[Any, np.dtype[np.uint64]]


def run(quick: bool) -> Report:
    """Counts collisions, full slots and wrong answers for each game."""
    pairs = Table(
        "Pairs of positions with one key, by the bits of the key",
        ("game", "positions", "key bits", "expected", "measured", "chance of any, %"),
    )
    load = Table(
        "Slots in use and positions that meet a full slot, by positions for each slot",
        ("game", "slots", "positions/slot", "used, %", "expected, %", "met, %", "expected, %"),
    )
    wrong = Table(
        "Answers that belong to another position, by the bits of the key",
        ("game", "slots", "key bits", "probes", "expected", "measured"),
    )
    report = Report([pairs, load, wrong])
    for name in GAMES:
        keys = keys_of(LARGER.get(name, name), QUICK_POSITIONS if quick else POSITIONS)
        for bits in KEY_BITS:
            expected, found = expected_pairs(len(keys), bits), colliding_pairs(keys, bits)
            chance = -100 * math.expm1(-expected)
            pairs.add(name, len(keys), bits, expected, found, chance)
            _expect(report, f"{name}: pairs at {bits} bits", found, expected)
        for row in _loads(keys):
            load.add(name, *row)
        for bits in CHECKED_BITS:
            probes, expected, found = wrong_answers(keys, SLOT_BITS, bits)
            wrong.add(name, 1 << SLOT_BITS, bits, probes, expected, found)
            _expect(report, f"{name}: wrong answers at {bits} bits", found, expected)
    return report


def _expect(report: Report, what: str, found: int, expected: float) -> None:
    """Checks that a count lies within five standard deviations of its expected value."""
    room = 5 * math.sqrt(expected) + 1
    near = "near" if abs(found - expected) <= room else f"{found}, not {expected:.3g}"
    report.expect_equal(what, near, "near")


def keys_of(spec: str, count: int) -> Keys:
    """Returns the keys of a number of different positions from random games."""
    start, chance = registry.game(spec).start(), random.Random(_SEED)
    found: dict[str, int] = {}
    while len(found) < count:
        for _, position in start.random_walk(chance):
            found[str(position)] = int(key(position.state))
    return np.array(list(found.values())[:count], dtype=np.uint64)


def expected_pairs(count: int, bits: int) -> float:
    """Returns the expected number of pairs with equal keys if keys are random."""
    return float(count * (count - 1) / 2 / 2.0**bits)


def colliding_pairs(keys: Keys, bits: int) -> int:
    """Returns the number of pairs of keys with equal upper bits."""
    _, times = np.unique(keys >> np.uint64(64 - bits), return_counts=True)
    return int((times * (times - 1) // 2).sum())


def _loads(keys: Keys) -> list[tuple[int, float, float, float, float, float]]:
    """Returns slots, positions per slot, and the shares of used slots and hits with
    expectations."""
    slots = 1 << (int(len(keys) / LOADS[-1]).bit_length() - 1)
    rows = []
    for load in LOADS:
        stored = keys[: int(load * slots)]
        used = len(np.unique(places_of(stored, slots))) / slots
        full = -math.expm1(-load)
        met, expected = (100 * (1 - share / load) for share in (used, full))
        rows.append((slots, float(load), 100 * used, 100 * full, met, expected))
    return rows


def places_of(keys: Keys, slots: int) -> Keys:
    """Returns the slots of keys as the table selects them."""
    places: Keys = keys & new_table(slots=slots).mask
    return places


def wrong_answers(keys: Keys, slot_bits: int, bits: int) -> tuple[int, float, int]:
    """Returns the number of probes, the expected wrong answers, and the counted ones.

    The first half of the positions fills the table, where the last position in each slot stays. The
    other half is probed. A slot's number is the lower part of the key, so a check of `bits` bits
    compares `bits` − `slot_bits` further bits.
    """
    half = len(keys) // 2
    stored, probed = keys[:half], keys[half:]
    table, used = np.zeros(1 << slot_bits, dtype=np.uint64), np.zeros(1 << slot_bits, dtype=bool)
    slots = places_of(stored, 1 << slot_bits)
    table[slots], used[slots] = stored, True
    at = places_of(probed, 1 << slot_bits)
    # The lower `bits` bits of the keys are equal.
    differing = (table[at] ^ probed) << np.uint64(64 - bits)
    found = int((used[at] & (differing == np.uint64(0))).sum())
    expected = len(probed) * float(used.mean()) / 2.0 ** (bits - slot_bits)
    return len(probed), expected, found
