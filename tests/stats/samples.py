"""The reference vectors, and random samples for the properties."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from papan.stats.counts import Pentanomial, Trinomial

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "statistics.json").read_text(encoding="utf-8")
)

SAMPLES = [
    *((Trinomial(row["W"], row["D"], row["L"]), row) for row in VECTORS["wdl"]),
    *((Pentanomial(*row["LL_LD_WLDD_WD_WW"]), row) for row in VECTORS["penta"]),
]
"""Counts, and what is expected of them."""

SIX_DIGITS = 0.6e-6
"""Half a unit in the last of the six digits, and a little for how it was rounded."""

count = st.one_of(st.integers(0, 3), st.integers(0, 1_000_000))
trinomials = st.builds(Trinomial, count, count, count).filter(lambda counts: counts.units)
pentanomials = st.builds(Pentanomial, count, count, count, count, count).filter(
    lambda counts: counts.units
)
samples = st.one_of(trinomials, pentanomials)
