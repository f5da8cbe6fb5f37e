"""The measured games come with their weights, unless their own evaluation is as strong."""

import pytest

from benchmarks.train_all import SOLVED, is_kept, known_results
from papan.learn.weights import ENDING, FOLDER, name_of
from papan.players.level_file import ENDING as LEVELS
from papan.usercode.registry import game

#: Maximum size of all weights in bytes.
MOST = 8_000_000


@pytest.mark.parametrize("spec", sorted(known_results().keys() - SOLVED))
def test_a_game_has_the_weights_and_levels_that_were_measured(spec: str) -> None:
    name, facts = name_of(game(spec)), known_results()[spec]
    assert FOLDER.joinpath(name + ENDING).is_file() == is_kept(facts)
    assert FOLDER.joinpath(name + LEVELS).is_file() == ("levels" in facts)


def test_the_weights_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob(f"*{ENDING}")) <= MOST
