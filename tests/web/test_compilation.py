"""The progress of a compilation, from the parts that it has compiled."""

import pytest

from papan.web.engines.compilation import (
    FEW_PARTS,
    FIRST_PARTS,
    LAST_SHARE,
    RATED_PARTS,
    Compilation,
    PartCounts,
)


def test_the_end_follows_from_the_rate_of_this_compilation() -> None:
    compilation = Compilation(100, began=1000.0)
    compilation.note(RATED_PARTS - 1, 1001.0)
    assert compilation.until is None
    compilation.note(50, 1010.0)
    assert compilation.until == pytest.approx(1010.0 + (100 * (1 + LAST_SHARE) - 50) * 0.2)
    on_time = compilation.until
    compilation.note(60, 1040.0)
    assert compilation.until > on_time + 30.0


def test_more_parts_than_expected_are_never_all() -> None:
    compilation = Compilation(10)
    shown = []
    for done in range(1, 30):
        compilation.note(done, 0.0)
        shown.append((done, compilation.parts))
    assert all(done < parts for done, parts in shown)
    assert shown[8] == (9, 10)


def test_the_number_of_parts_is_that_of_the_last_compilation_of_this_kind() -> None:
    counts = PartCounts()
    for done in (130, FEW_PARTS - 1):
        compilation = counts.begin("move engine")
        compilation.note(done, 0.0)
        counts.remember("move engine", compilation)
    assert counts.begin("move engine").expected == 130
    assert counts.begin("move level").expected == FIRST_PARTS
