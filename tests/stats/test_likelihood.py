"""The likeliest distribution under a hypothesis."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.stats.sprt import solve_theta, with_mean, with_normalised_mean
from stats.samples import samples

means = st.floats(0.01, 0.99)
normalised_means = st.floats(-1, 1)


def observed(counts):
    units = [count or 0.001 for count in counts.frequencies]
    return [count / sum(units) for count in units]


def moments(probabilities, scores):
    mean = sum(p * a for p, a in zip(probabilities, scores, strict=True))
    variance = sum(p * (a - mean) ** 2 for p, a in zip(probabilities, scores, strict=True))
    return mean, math.sqrt(variance)


def log_likelihood(seen, model):
    return sum(p * math.log(q) for p, q in zip(seen, model, strict=True))


def drawn_shares():
    """Shares of draws from 0 to 1, closer together near both ends."""
    return [(1 - math.cos(math.pi * step / 4000)) / 2 for step in range(1, 4000)]


def best_with_mean(seen, mean):
    """The best log likelihood by trying every share of draws: slow and obvious."""
    models = ((1 - mean - d / 2, d, mean - d / 2) for d in drawn_shares())
    return max(log_likelihood(seen, model) for model in models if min(model) > 0)


def best_with_normalised_mean(seen, t):
    """As above; a share d of draws and t leave (mean − ½)² = t²·(1 − d)/(4·(1 + t²))."""
    means = ((d, 0.5 + t / 2 * math.sqrt((1 - d) / (1 + t * t))) for d in drawn_shares())
    models = ((1 - mean - d / 2, d, mean - d / 2) for d, mean in means)
    return max(log_likelihood(seen, model) for model in models if min(model) > 0)


@given(samples, means)
def test_theta_is_solved_to_1e_9(counts, mean):
    phi, seen = [score - mean for score in counts.scores], observed(counts)
    theta = solve_theta(seen, phi)

    def total(value):
        return sum(p * v / (1 + value * v) for p, v in zip(seen, phi, strict=True))

    poles = (-1 / max(phi), -1 / min(phi))
    assert poles[0] < theta < poles[1]
    below, above = theta - 1e-9, theta + 1e-9
    assert below <= poles[0] or total(below) > 0
    assert above >= poles[1] or total(above) < 0


@given(samples, means)
def test_the_likeliest_distribution_has_the_mean_asked_for(counts, mean):
    found = with_mean(observed(counts), counts.scores, mean)
    assert min(found) > 0
    assert sum(found) == pytest.approx(1, abs=1e-6)
    assert moments(found, counts.scores)[0] == pytest.approx(mean, abs=1e-6)


@settings(deadline=None)
@given(samples, normalised_means)
def test_the_likeliest_distribution_has_the_normalised_mean_asked_for(counts, t):
    found = with_normalised_mean(observed(counts), counts.scores, t)
    assert min(found) > 0
    assert sum(found) == pytest.approx(1, abs=1e-6)
    mean, deviation = moments(found, counts.scores)
    assert (mean - 0.5) / deviation == pytest.approx(t, abs=1e-6)


@pytest.mark.parametrize("seen", [(0.2, 0.5, 0.3), (0.01, 0.98, 0.01), (0.6, 0.1, 0.3)])
@pytest.mark.parametrize("mean", [0.4, 0.5, 0.55])
def test_no_share_of_draws_is_likelier_with_the_same_mean(seen, mean):
    found = with_mean(seen, (0, 0.5, 1), mean)
    assert log_likelihood(seen, found) == pytest.approx(best_with_mean(seen, mean), abs=2e-6)


@pytest.mark.parametrize("seen", [(0.2, 0.5, 0.3), (0.01, 0.98, 0.01), (0.6, 0.1, 0.3)])
@pytest.mark.parametrize("t", [-0.5, 0.01, 0.2])
def test_no_share_of_draws_is_likelier_with_the_same_normalised_mean(seen, t):
    found = with_normalised_mean(seen, (0, 0.5, 1), t)
    best = best_with_normalised_mean(seen, t)
    assert log_likelihood(seen, found) == pytest.approx(best, abs=2e-6)


def test_of_two_solutions_the_likelier_one_is_taken():
    """Pairs that nearly all end even: the mean can move to σ, or σ shrink to the mean."""
    counts, t = (145, 1360, 98372, 123, 0.001), -0.5
    seen = [count / sum(counts) for count in counts]
    found = with_normalised_mean(seen, (0, 0.25, 0.5, 0.75, 1), t)
    assert log_likelihood(seen, found) == pytest.approx(-0.26396, abs=1e-4)


def test_a_function_of_one_sign_has_no_theta():
    with pytest.raises(ValueError, match="no distribution satisfies it"):
        solve_theta((0.5, 0.5), (0.1, 0.2))


@pytest.mark.parametrize("t", [1.01, -2, math.nan])
def test_a_normalised_mean_too_far_from_even_is_refused(t):
    with pytest.raises(ValueError, match="expected at most 1"):
        with_normalised_mean((0.2, 0.5, 0.3), (0, 0.5, 1), t)
