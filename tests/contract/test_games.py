"""Every game keeps the contract, with no exception by name."""

import pytest

import papan
from fakes.take_away import TakeAway
from papan.testing import check_game
from papan.usercode import registry
from support import SPECS, thoroughly

POSITIONS, FEW_POSITIONS = 300, 60  # looked at, or those of one or two games


@pytest.mark.parametrize("spec", ["adjacency", "corners", *thoroughly(*SPECS[1:-1])])
def test_every_game_keeps_its_promises_with_any_options(spec: str, thorough: bool) -> None:
    positions = POSITIONS if thorough else FEW_POSITIONS
    games = max(2 if thorough else 1, positions // papan.game(spec).max_plies)
    check_game(spec, games=games, seconds=1.0 if thorough else 0.1)


def test_no_game_that_is_installed_escapes_the_check() -> None:
    assert set(registry.names()) <= {spec.partition(":")[0] for spec in SPECS}


def test_a_game_of_one_short_file_with_every_default_keeps_its_promises() -> None:
    check_game(TakeAway(), games=20)


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
def test_every_game_keeps_its_promises_over_many_games(spec: str) -> None:
    check_game(spec, games=50, seed=2)
