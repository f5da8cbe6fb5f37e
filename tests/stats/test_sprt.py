"""The sequential probability ratio test."""

import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.stats.counts import Pentanomial, Trinomial
from papan.stats.elo import score_from_elo
from papan.stats.sprt import Sprt, wald_bounds
from stats.samples import SAMPLES, SIX_DIGITS, VECTORS, samples, trinomials

MODELS = ["logistic", "normalised"]


@pytest.mark.parametrize(("counts", "expected"), SAMPLES)
def test_the_llr_matches_the_reference_to_six_digits(counts, expected):
    logistic = Sprt(0, 10).llr(counts)
    normalised = Sprt(0, 10, model="normalised").llr(counts)
    assert logistic == pytest.approx(expected["llr_logistic_0_10"], abs=SIX_DIGITS)
    assert normalised == pytest.approx(expected["llr_normalized_0_10"], abs=SIX_DIGITS)


@pytest.mark.parametrize("row", VECTORS["wdl"])
def test_the_bayesian_llr_is_that_of_cutechess(row):
    counts = Trinomial(row["W"], row["D"], row["L"])
    llr = Sprt(0, 10, model="bayesian").llr(counts)
    assert llr == pytest.approx(row["llr_cutechess_0_10"], abs=SIX_DIGITS)


@pytest.mark.parametrize("row", VECTORS["bounds"])
def test_the_bounds_are_walds(row):
    bounds = wald_bounds(row["alpha"], row["beta"])
    assert bounds == pytest.approx((row["lower"], row["upper"]), abs=SIX_DIGITS)


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=25, deadline=None)
@given(counts=samples)
def test_the_llr_of_every_sample_is_finite(model, counts):
    assert math.isfinite(Sprt(-5, 5, model=model).llr(counts))


@given(trinomials)
def test_the_bayesian_llr_of_every_sample_is_finite(counts):
    assert math.isfinite(Sprt(0, 10, model="bayesian").llr(counts))


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=25, deadline=None)
@given(counts=samples)
def test_opposite_hypotheses_see_opposite_evidence_in_the_swapped_sample(model, counts):
    mine = Sprt(-3, 7, model=model).llr(counts)
    theirs = Sprt(-7, 3, model=model).llr(counts.swapped())
    assert theirs == pytest.approx(-mine, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("model", [*MODELS, "bayesian"])
@settings(max_examples=25, deadline=None)
@given(wins=st.integers(5, 99), draws=st.integers(5, 99), losses=st.integers(5, 99))
def test_a_win_more_and_a_loss_less_speak_for_h1(model, wins, draws, losses):
    sprt = Sprt(0, 10, model=model)
    before = sprt.llr(Trinomial(wins, draws, losses))
    assert sprt.llr(Trinomial(wins + 1, draws, losses - 1)) > before


def test_before_the_first_game_the_test_goes_on():
    result = Sprt(0, 10).test(Pentanomial())
    assert (result.llr, result.decision) == (0, "continue")


@pytest.mark.parametrize(
    ("counts", "decision"),
    [
        (Pentanomial(5, 20, 50, 30, 15), "continue"),
        (Pentanomial(332, 433, 498, 333, 334), "H0"),
        (Pentanomial(10, 20, 50, 90, 70), "H1"),
    ],
)
def test_the_test_decides_at_walds_bounds(counts, decision):
    assert Sprt(0, 10).test(counts).decision == decision


def test_the_error_rate_is_what_was_asked_for():
    """Even players, H1 wrong by 150 Elo: at most alpha of the tests may accept it."""
    chance, sprt, wrong = random.Random(1), Sprt(0, 150, alpha=0.1, beta=0.1), 0
    for _ in range(100):
        counts = Trinomial()
        while (decision := sprt.test(counts).decision) == "continue":
            counts += Trinomial.from_scores([chance.choice((0, 0.5, 1))])
        wrong += decision == "H1"
    assert wrong <= 15


def test_a_result_prints_and_serialises():
    result = Sprt(0, 10).test(Trinomial(136, 111, 96))
    assert str(result) == "LLR +1.49 [-2.94, +2.94] continue"
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["decision"] == "continue"


def test_at_the_middle_hypothesis_an_even_sample_says_nothing():
    counts = Trinomial(100, 50, 100)
    assert Sprt(-10, 10).llr(counts) == pytest.approx(0, abs=1e-9)
    assert score_from_elo(0) == 0.5


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"elo0": 10, "elo1": 0}, "expected elo0 < elo1"),
        ({"elo0": 0, "elo1": 0}, "expected elo0 < elo1"),
        ({"elo0": 0, "elo1": math.inf}, "from -4000 to 4000"),
        ({"elo0": math.nan, "elo1": 5}, "expected elo0 < elo1"),
        ({"elo0": 0, "elo1": 201, "model": "normalised"}, "from -200 to 200"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "two chances above 0"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.6, "beta": 0.4}, "their sum below 1"),
        ({"elo0": 0, "elo1": 5, "model": "linear"}, "'linear'; expected one of logistic"),
    ],
)
def test_a_test_that_cannot_be_decided_is_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        Sprt(**fields)


def test_the_bayesian_model_refuses_pairs():
    with pytest.raises(ValueError, match="judges single games"):
        Sprt(0, 10, model="bayesian").test(Pentanomial(1, 1, 1, 1, 1))
