"""Commands that only look something up come at once: units of processor time, with some slack."""

import pytest

from benchmarks.startup import LOOKUPS, units

#: What a busy machine may add.
SLACK = 1.25


@pytest.mark.long
@pytest.mark.parametrize("words", ["games", "--help", "search --help"])
def test_a_command_that_looks_something_up_takes_no_longer_than_promised(words: str) -> None:
    _, taken = units(words, repetitions=3)
    assert taken < SLACK * LOOKUPS[words]
