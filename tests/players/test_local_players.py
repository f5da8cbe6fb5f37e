"""Hill climbing and annealing: what they choose among the moves of one position."""

from collections import Counter
from random import Random

import pytest

import papan
from papan.core.game import Outcome, Position
from papan.errors import InvalidSpec
from papan.learn.choice import evaluation_named
from papan.players.local_search import best, move_values, restarts, sideways, stochastic
from papan.players.registry import player
from papan.search.limits import Limit
from support import find, reached


def chosen(spec: str, position: Position, times: int = 60) -> Counter[str]:
    """How often each move is chosen over so many seeds."""
    found: Counter[str] = Counter()
    for seed in range(times):
        asked = player(spec)
        asked.new_game(position.game, seed)
        found[asked.choose(position, Limit()).move] += 1
    return found


def test_steepest_ascent_draws_among_the_moves_of_the_greatest_gain() -> None:
    gains = {1: 3.0, 2: 5.0, 3: 5.0, 4: -1.0}
    assert {best(gains, Random(seed)) for seed in range(30)} == {2, 3}


def test_sideways_moves_are_made_and_worse_ones_only_where_all_are_worse() -> None:
    assert sideways({1: -1.0, 2: 0.0, 3: -2.0}, Random(1)) == 2
    assert sideways({1: -1.0, 3: -2.0}, Random(1)) == 1


def test_climbs_with_restarts_end_higher_than_random_moves_and_seldom_at_the_top() -> None:
    gains = {move: float(move) for move in range(60)}
    ends = [restarts(gains, Random(seed)) for seed in range(200)]
    assert sum(ends) / len(ends) > 50
    assert 0.02 < sum(end == 59 for end in ends) / len(ends) < 0.6
    assert restarts({7: -1.0}, Random(0)) == 7


def test_stochastic_climbing_goes_uphill_the_steeper_the_more_often() -> None:
    random = Random(1)
    drawn = Counter(stochastic({1: 1.0, 2: 4.0, 3: 0.0, 4: -2.0}, random) for _ in range(500))
    assert set(drawn) == {1, 2}
    assert drawn[2] > 2 * drawn[1]
    level = {stochastic({1: 0.0, 2: -1.0}, random) for _ in range(30)}
    assert level == {1, 2}


@pytest.mark.parametrize("variant", ["sideways", "steepest"])
@pytest.mark.parametrize("seed", range(3))
def test_hill_climbing_plays_every_best_move_of_a_search_of_one_ply(variant, seed) -> None:
    position = reached("adjacency", seed, 25)
    values = {move: -value for move, value in _after(position).items()}
    top = max(values.values())
    expected = {move for move, value in values.items() if value == top}
    assert set(chosen(f"hill-climbing:variant={variant}", position, 80)) <= expected
    assert find("minimax", position, 1).value == top


def _after(position: Position) -> dict[str, float]:
    """The lead in pieces of the side to move after each move."""
    found = {}
    for move in position.moves():
        state = position.play(move).state
        found[move] = int(state.mine).bit_count() - int(state.theirs).bit_count()
    return found


def test_a_draw_by_repetition_counts_as_0() -> None:
    for seed in range(20):
        position = papan.game("corners").start()
        random = Random(seed)
        while (outcome := position.outcome()) is None:
            before, code = position, random.choice(position.codes())
            position = position.after(code)
        if outcome is Outcome.DRAW:
            break
    values = move_values(before, evaluation_named(before.game, ""))
    assert values[code] == 0
    assert list(values) == before.codes()


def test_annealing_is_nearly_random_when_hot_and_climbs_when_cold() -> None:
    position = reached("adjacency", 4, 30)
    values = _after(position)
    top = min(values.values())
    hot = chosen("annealing:temperature=1000,end=900", position)
    cold = chosen("annealing:temperature=1,cooling=0.99,end=0.001", position)
    assert len(hot) > 10
    assert all(values[move] == top for move in cold)


def test_the_objective_can_be_named_and_an_unknown_one_is_refused() -> None:
    game = papan.game("corners")
    climber = player("hill-climbing:evaluation=stuck")
    climber.new_game(game, 1)
    assert climber.choose(game.start(), Limit()).move in game.start().moves()
    for spec in ("hill-climbing", "annealing", "genetic", "minimax"):
        with pytest.raises(InvalidSpec, match=r"stock.*stuck"):
            player(f"{spec}:evaluation=stock").new_game(game, 1)
