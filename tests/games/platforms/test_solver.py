"""Platforms: who wins and when, the winner hurrying and the loser delaying."""

import pytest

import papan
from papan.games.platforms.rules import WIN
from papan.rules.operations import max_plies_left, symmetry_count, transform
from papan.rules.solving import exact_key, static_bounds
from papan.solve.solve import solve
from reference import truth
from support import reached

#: Random positions that take longer than a second: those of the deepest boards.
LONG = {"platforms:size=4,level=3", "platforms:size=5,level=2"}


def long_ones(case: truth.SolvedCase) -> bool:
    """True if a known position takes more than a second."""
    return case.spec in LONG and case.plies > 23


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.long) if long_ones(case) else case
        for case in truth.platforms_solved()
    ],
    ids=str,
)
def test_known_positions_have_the_value_of_every_move(case: truth.SolvedCase) -> None:
    position = papan.game(case.spec).position(case.line)
    solution = solve(position, every=True)
    assert (solution.value, solution.plies) == (case.value, case.plies)
    assert solution.outcome == ("win" if case.mover_wins else "loss")
    expected = {move: WIN - n if wins else n - WIN for move, wins, n in case.moves}
    assert solution.values == expected
    assert set(solution.moves) == set(case.best_moves) == set(solve(position).moves)


@pytest.mark.parametrize(
    ("size", "level", "value"),
    [
        (3, 1, WIN - 7),
        (3, 2, 16 - WIN),
        (3, 3, WIN - 25),
        (4, 1, 14 - WIN),
        (4, 2, 30 - WIN),
        (5, 1, WIN - 23),
        pytest.param(4, 3, 46 - WIN, marks=pytest.mark.long),
    ],
)
def test_whole_games_are_solved_with_their_length(size: int, level: int, value: int) -> None:
    solution = solve(papan.game(f"platforms:size={size},level={level}").start())
    assert solution.value == value
    assert solution.plies == WIN - abs(value)


@pytest.mark.parametrize("spec", ["platforms:size=3,level=2", "platforms:size=4,level=1"])
def test_what_is_told_without_search_is_true(spec: str) -> None:
    for seed in range(25):
        position = reached(spec, seed, 1 + seed % 9)
        if position.outcome() is not None:
            continue
        sight = static_bounds(position.state, 0)
        solution = solve(position)
        assert sight.lower <= solution.value <= sight.upper
        assert not sight.gap_from < solution.value < sight.gap_to
        assert (solution.plies or 0) <= max_plies_left(position.state)


def test_identities_differ_where_positions_do() -> None:
    seen = {}
    for seed in range(60):
        position = reached("platforms:size=4,level=3", seed, seed % 30)
        for index in range(symmetry_count(position.state)):
            state = transform(position.state, index)
            shown = state._replace(side=0)
            assert seen.setdefault(exact_key(state), shown) == shown
    assert len(seen) > 200
