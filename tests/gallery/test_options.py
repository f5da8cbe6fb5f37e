"""Games of the gallery keep their promises with each option at both of its ends."""

import pytest

from papan.jit.compiler import kernel
from papan.rules.operations import most_moves
from papan.usercode.contract.check import check_extremes
from papan.usercode.smoke_test import run_smoke_test
from support import GALLERY, gallery


@kernel
def compiled_most_moves(state):  # type: ignore[no-untyped-def]  # numba infers the types
    return most_moves(state)


@pytest.mark.parametrize(("spec", "bound"), [("hex.py:size=19", 384), ("othello.py", 256)])
def test_a_game_has_at_most_as_many_moves_as_its_widest_set_has_bits(spec: str, bound: int) -> None:
    largest = gallery(spec)
    run_smoke_test(largest)
    state = largest.start().state
    assert len(largest.start().moves()) <= bound
    assert most_moves(state) == compiled_most_moves(state) == bound


@pytest.mark.thorough
@pytest.mark.parametrize("file", sorted(path.name for path in GALLERY.glob("*.py")))
def test_each_option_is_tried_at_both_ends(file: str) -> None:
    check_extremes(gallery(file))
