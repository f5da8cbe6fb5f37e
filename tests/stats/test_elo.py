"""Elo differences, their errors and bounds, and the likelihood of superiority."""

import json
import math
import statistics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from papan.stats.counts import Pentanomial, Trinomial
from papan.stats.elo import (
    Z95,
    elo_difference,
    elo_from_score,
    los,
    los_from_decisive_games,
    mean_interval,
    normalised_elo,
    score_from_elo,
    score_interval,
)
from stats.samples import SAMPLES, SIX_DIGITS, VECTORS, samples

ESTIMATORS = [elo_difference, normalised_elo]


@pytest.mark.parametrize(("counts", "expected"), SAMPLES)
def test_estimates_match_the_reference_to_six_digits(counts, expected):
    elo, normalised = elo_difference(counts), normalised_elo(counts)
    assert elo.value == pytest.approx(expected["elo"], abs=SIX_DIGITS)
    assert elo.error == pytest.approx(expected["err"], abs=SIX_DIGITS)
    assert normalised.value == pytest.approx(expected["nelo"], abs=SIX_DIGITS)
    assert normalised.error == pytest.approx(expected["nerr"], abs=SIX_DIGITS)
    assert 100 * los(counts) == pytest.approx(expected["los"], abs=SIX_DIGITS)


@pytest.mark.parametrize("row", VECTORS["wdl"])
def test_los_from_decisive_games_is_that_of_cutechess(row):
    counts = Trinomial(row["W"], row["D"], row["L"])
    assert 100 * los_from_decisive_games(counts) == pytest.approx(row["los_cutechess"], abs=6e-5)


@given(st.floats(-3000, 3000))
def test_elo_and_score_are_inverse(elo):
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_higher_elo_never_expects_a_lower_score(one, other):
    low, high = sorted((one, other))
    assert 0 <= score_from_elo(low) <= score_from_elo(high) <= 1


@pytest.mark.parametrize("score", [0, 1, -0.5, 1.5, math.nan])
def test_a_score_without_a_finite_elo_is_refused(score):
    with pytest.raises(ValueError, match="expected a number above 0 and below 1"):
        elo_from_score(score)


@pytest.mark.parametrize("elo", [math.inf, -math.inf, math.nan])
def test_an_elo_that_is_not_finite_is_refused(elo):
    with pytest.raises(ValueError, match="expected a finite number"):
        score_from_elo(elo)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@given(counts=samples)
def test_every_sample_gives_finite_numbers_in_order(estimator, counts):
    estimate = estimator(counts)
    numbers = [n for n in estimate.to_dict().values() if isinstance(n, float)]
    assert all(map(math.isfinite, numbers))
    assert estimate.error > 0
    assert estimate.low is None or estimate.low <= estimate.value
    assert estimate.high is None or estimate.value <= estimate.high
    assert not {"inf", "nan"} & set(str(estimate).split())
    json.dumps(estimate.to_dict(), allow_nan=False)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@given(counts=samples)
def test_the_other_player_gets_the_opposite_estimate(estimator, counts):
    mine, theirs = estimator(counts), estimator(counts.swapped())
    assert theirs.value == pytest.approx(-mine.value, rel=1e-6, abs=1e-6)
    assert theirs.error == pytest.approx(mine.error, rel=1e-6, abs=1e-6)
    opposite = {"exact": "exact", "lower": "upper", "upper": "lower"}
    assert theirs.bound == opposite[mine.bound]


@given(samples)
def test_a_player_with_more_than_half_the_points_is_not_rated_weaker(counts):
    assume(counts.score > 0.5)
    assert elo_difference(counts).value >= 0
    assert normalised_elo(counts).value >= 0
    assert los(counts) >= 0.5


@given(st.integers(0, 50), st.integers(1, 50), st.integers(0, 50))
def test_turning_a_draw_into_a_win_never_lowers_the_elo(wins, draws, losses):
    before = elo_difference(Trinomial(wins, draws, losses))
    after = elo_difference(Trinomial(wins + 1, draws - 1, losses))
    assert after.value >= before.value


def test_an_estimate_prints_its_value_and_error():
    assert str(elo_difference(Trinomial(wins=60, draws=10, losses=30))) == "+107.5 ± 68.5"


def test_a_perfect_score_prints_a_bound():
    """Ten wins of ten say at least what nine wins and a draw would say."""
    estimate = elo_difference(Trinomial(wins=10))
    assert str(estimate) == "≥ +511.5"
    assert estimate.value == elo_difference(Trinomial(wins=9, draws=1)).value
    assert estimate.high is None
    assert str(elo_difference(Trinomial(losses=10))) == "≤ -511.5"


def test_the_low_end_of_a_perfect_score_is_wilsons():
    estimate = elo_difference(Trinomial(wins=10))
    assert estimate.low == pytest.approx(elo_from_score(10 / (10 + 1.959963984540054**2)))
    assert estimate.error == pytest.approx(estimate.value - estimate.low)


def test_one_won_game_says_next_to_nothing():
    estimate = elo_difference(Trinomial(wins=1))
    assert str(estimate) == "≥ +0.0"
    assert estimate.low < -200


def test_draws_alone_have_an_error_that_shrinks_with_their_number():
    few, many = elo_difference(Trinomial(draws=10)), elo_difference(Trinomial(draws=1000))
    assert few.value == many.value == 0
    assert few.error > 10 * many.error > 0


def test_pairs_that_all_end_alike_bound_only_the_normalised_elo():
    counts = Pentanomial(wd=10)
    assert elo_difference(counts).bound == "exact"
    assert normalised_elo(counts).bound == "lower"


@given(samples)
def test_the_score_interval_holds_the_score_within_0_and_1(counts):
    low, high = score_interval(counts)
    assert 0 <= low <= counts.score + 1e-12
    assert counts.score - 1e-12 <= high <= 1
    assert low < high


def test_without_draws_the_score_interval_is_wilsons():
    """The textbook values for 7 of 10."""
    assert score_interval(Trinomial(wins=7, losses=3)) == pytest.approx(
        (0.396779, 0.892207), abs=1e-5
    )


def test_draws_narrow_the_score_interval():
    widths = [
        high - low
        for low, high in map(score_interval, [Trinomial(50, 0, 50), Trinomial(25, 50, 25)])
    ]
    assert widths[1] < 0.75 * widths[0]


@pytest.mark.parametrize(
    "chances", [(0.5, 0, 0.5), (0.4, 0.4, 0.2), (0.9, 0, 0.1), (0.1, 0.8, 0.1)]
)
def test_the_score_interval_covers_the_truth_about_95_times_in_100(chances):
    """Counted over every possible result of 20 games, with its exact chance."""
    games, truth = 20, chances[0] + chances[1] / 2
    covered = 0.0
    for wins in range(games + 1):
        for draws in range(games + 1 - wins):
            losses = games - wins - draws
            ways = math.comb(games, wins) * math.comb(games - wins, draws)
            chance = ways * chances[0] ** wins * chances[1] ** draws * chances[2] ** losses
            low, high = score_interval(Trinomial(wins, draws, losses))
            covered += chance * (low <= truth <= high)
    assert 0.93 < covered < 0.985


@given(samples)
def test_the_likelihoods_of_superiority_of_both_players_sum_to_one(counts):
    assert 0 <= los(counts) <= 1
    assert los(counts) + los(counts.swapped()) == pytest.approx(1)


@pytest.mark.parametrize("games", range(1, 12))
def test_a_perfect_score_is_significant_when_its_interval_excludes_even(games):
    counts = Trinomial(wins=games)
    assert (los(counts) > 0.975) == (score_interval(counts)[0] > 0.5)
    assert los(counts) < 1


def test_decisive_games_alone_say_nothing_when_there_are_none():
    assert los_from_decisive_games(Trinomial(draws=7)) == 0.5


@pytest.mark.parametrize("statistic", [*ESTIMATORS, los, score_interval])
@pytest.mark.parametrize("empty", [Trinomial(), Pentanomial()])
def test_no_games_are_refused(statistic, empty):
    with pytest.raises(ValueError, match="no games; expected at least one"):
        statistic(empty)


def test_the_interval_of_a_mean_is_that_of_independent_values() -> None:
    values = [1.0, 2.0, 3.0] * 4
    error = Z95 * statistics.stdev(values) / 12**0.5
    assert mean_interval(values) == pytest.approx((2, 2 - error, 2 + error))
    assert mean_interval([4.0, 4.0]) == (4, -float("inf"), float("inf"))
