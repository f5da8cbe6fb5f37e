"""Keys are the same in every process, on every machine, for ever: they may be stored."""

from itertools import islice

import numpy as np
import pytest

import papan
from papan.rules import splitmix
from papan.rules.bits import of_squares
from papan.rules.keys import combined, zobrist_keys
from reference.splitmix import splitmix64
from support import SPECS, run_python

#: Keys of the start positions. If one changes, stored keys are worth nothing any more.
FROZEN = {
    "adjacency": 0x87D1_DFC3_55E8_CB8C,
    "platforms:size=3,level=1": 0x33A3_AB39_E5CC_2BCD,
    "corners": 0x550E_9029_A77D_2AFF,
}


def test_the_generator_gives_the_published_numbers() -> None:
    found = splitmix.numbers(1234567, 3).tolist()
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_the_generator_is_that_of_the_oracle() -> None:
    for seed in (0, 99, (1 << 64) - 1):
        assert splitmix.numbers(seed, 100).tolist() == list(islice(splitmix64(seed), 100))


def test_a_name_gives_the_same_keys_again_and_another_name_others() -> None:
    keys = zobrist_keys("something", 3, 64)
    assert keys.dtype == np.uint64
    assert keys.shape == (3, 64)
    assert (keys == zobrist_keys("something", 3, 64)).all()
    assert not set(keys.ravel().tolist()) & set(zobrist_keys("anything", 3, 64).ravel().tolist())
    assert len(set(keys.ravel().tolist())) == keys.size


def test_a_set_of_squares_is_combined_by_exclusive_or() -> None:
    keys = zobrist_keys("squares", 64)
    assert combined(keys, of_squares([])) == 0
    assert combined(keys, of_squares([3, 9, 63])) == keys[3] ^ keys[9] ^ keys[63]


@pytest.mark.parametrize("spec", FROZEN)
def test_the_keys_of_the_start_positions_never_change(spec: str) -> None:
    assert papan.game(spec).start().key == FROZEN[spec]


def test_another_process_has_the_same_keys() -> None:
    code = f"import papan; print([papan.game(s).start().key for s in {SPECS!r}])"
    found = run_python(code, PYTHONHASHSEED="1")
    assert found.stdout.strip() == str([papan.game(spec).start().key for spec in SPECS])
