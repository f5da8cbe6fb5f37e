"""Games of the gallery go as OpenSpiel's do: a few each. `tests/openspiel_twins.py` plays more."""

from random import Random

import pytest

pytest.importorskip("pyspiel", reason="needs papan[openspiel]")

from twins import Twin, names, side_by_side, twins

ALL = {twin.papan: twin for name in names() for twin in twins(name)}


@pytest.mark.thorough
@pytest.mark.parametrize("twin", ALL.values(), ids=ALL)
def test_a_game_goes_as_openspiel_says(twin: Twin) -> None:
    chance = Random(1)
    assert sum(side_by_side(twin, chance) for _ in range(3)) >= 3
