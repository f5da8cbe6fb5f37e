"""The engine as a player: sure of what the game makes sure, exact where the end is near."""

import pytest

import papan
from papan.arena.pairs import Pair
from papan.players.registry import player
from papan.search.limits import Limit

QUICK = "engine:time=0.005,hash=1"


@pytest.mark.parametrize(
    "opponent", ["random", "hill-climbing:variant=steepest", "minimax:depth=4"]
)
@pytest.mark.parametrize("game", ["adjacency:rounds=4", "adjacency:size=6", "adjacency:size=4x6"])
def test_as_second_player_on_an_even_board_it_never_loses(game: str, opponent: str) -> None:
    for seed in range(2):
        pair = Pair("never", 0, game, opponent, QUICK, seed=seed, games=(0,))
        (record,) = pair.play()
        assert record.termination == "rules"
        assert record.result in ("o", "draw")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_as_second_player_it_wins_platforms_on_an_even_board(level: int) -> None:
    for seed in range(2):
        game = f"platforms:size=4,level={level}"
        (record,) = Pair("wins", 0, game, "random", QUICK, seed=seed, games=(0,)).play()
        assert record.result == "o"


def test_what_it_has_left_the_mirror_strategy_for_it_keeps_when_time_is_short() -> None:
    hasty, game = "engine:time=0.003,hash=1", "adjacency:size=4x6"
    for seed in range(8):
        pair = Pair("kept", 0, game, "minimax:depth=4", hasty, seed=seed, games=(0,))
        (record,) = pair.play()
        assert record.termination == "rules"
        assert record.result in ("o", "draw")


def test_it_leaves_the_mirror_strategy_for_a_proven_win() -> None:
    game = papan.game("adjacency:size=4")
    position = game.start()
    values = set()
    for move in position.moves():
        choice = player("engine:time=0.5,hash=1").choose(position.play(move), Limit())
        values.add(choice.value)
    assert min(v for v in values if v is not None) >= 0
    assert max(v for v in values if v is not None) > 0


def test_without_the_strategy_move_it_trusts_its_search() -> None:
    position = papan.game("adjacency").start().play("d4")
    sure = player("engine:nodes=2000").choose(position, Limit())
    free = player("engine:nodes=2000,sure=no").choose(position, Limit())
    assert (sure.move, sure.value) == ("e5", 0)
    assert free.value != 0
