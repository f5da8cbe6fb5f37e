"""The games of the shelf come with their weights and levels."""

import pytest

from benchmarks.train_all import SHELF, SOLVED, is_kept, known_results
from papan.learn.weights import ENDING, FOLDER, name_of
from papan.players.level_file import ENDING as LEVELS
from papan.players.level_file import read_levels
from papan.usercode.registry import game

#: Maximum size of all weights in bytes.
MOST = 8_000_000


@pytest.mark.parametrize("spec", SHELF)
def test_a_game_of_the_shelf_is_trained_and_its_levels_are_measured(spec: str) -> None:
    rules, facts = game(spec), known_results()[spec]
    weights, levels = (FOLDER / f"{name_of(rules)}{ending}" for ending in (ENDING, LEVELS))
    assert ("training" in facts) == (spec not in SOLVED)
    # Weights that are not clearly stronger than the file's evaluation do not ship.
    assert weights.is_file() == is_kept(facts)
    found = read_levels(levels, rules)
    assert found.complete
    assert len(found.levels) == facts["levels"]["count"]


def test_the_weights_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob(f"*{ENDING}")) <= MOST
