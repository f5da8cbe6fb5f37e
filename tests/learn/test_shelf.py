"""Each game of the package and the gallery comes with weights and levels."""

import pytest

from benchmarks.train_all import SHELF, SOLVED
from papan.learn.weights import ENDING, FOLDER, name_of, read
from papan.players.level_file import ENDING as LEVELS
from papan.usercode.registry import game

#: Maximum size of all weights in bytes.
MOST = 8_000_000


@pytest.mark.parametrize("spec", SHELF)
def test_a_game_has_levels_and_weights_unless_it_is_solved(spec: str) -> None:
    rules = game(spec)
    assert FOLDER.joinpath(name_of(rules) + LEVELS).is_file()
    path = FOLDER / (name_of(rules) + ENDING)
    assert path.is_file() != (spec in SOLVED)
    if path.is_file():
        _, has_changed = read(path, rules)
        assert not has_changed


def test_the_weights_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob(f"*{ENDING}")) <= MOST
