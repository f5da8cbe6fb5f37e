"""Counts of games and of game pairs."""

import pytest
from hypothesis import given

from papan.stats.counts import Pentanomial, Trinomial
from stats.samples import SAMPLES, SIX_DIGITS, samples


@pytest.mark.parametrize(("counts", "expected"), SAMPLES)
def test_the_score_is_the_reference_score(counts, expected):
    assert counts.score == pytest.approx(expected["score"], abs=SIX_DIGITS)


def test_single_games_are_counted_by_their_score():
    assert Trinomial.from_scores([1, 0, 0.5, 1]) == Trinomial(wins=2, draws=1, losses=1)


def test_game_pairs_are_counted_by_the_points_of_both_games():
    pairs = [(0, 0), (0, 0.5), (1, 0), (0.5, 0.5), (0, 1), (0.5, 1), (1, 1)]
    assert Pentanomial.from_scores(pairs) == Pentanomial(ll=1, ld=1, even=3, wd=1, ww=1)


def test_a_pair_is_two_games():
    counts = Pentanomial(1, 2, 3, 4, 5)
    assert (counts.units, counts.games) == (15, 30)


def test_counts_of_one_kind_add_up():
    assert Trinomial(1, 2, 3) + Trinomial(10, 20, 30) == Trinomial(11, 22, 33)


def test_games_and_pairs_do_not_add_up():
    with pytest.raises(TypeError):
        Trinomial(1, 2, 3) + Pentanomial(1, 2, 3, 4, 5)


@given(samples)
def test_the_other_player_scores_the_rest(counts):
    assert counts.swapped().score == pytest.approx(1 - counts.score)
    assert counts.swapped().swapped() == counts


@pytest.mark.parametrize("wrong", [-1, 1.5, "2", None])
def test_what_is_no_count_is_refused(wrong):
    with pytest.raises(ValueError, match=r"is not a count"):
        Trinomial(wins=wrong)


def test_a_score_no_game_has_is_refused():
    with pytest.raises(ValueError, match=r"0\.7; expected 0, 0\.5 or 1"):
        Trinomial.from_scores([1, 0.7])


@pytest.mark.parametrize("empty", [Trinomial(), Pentanomial()])
def test_no_games_have_no_score(empty):
    with pytest.raises(ValueError, match="no games; expected at least one"):
        _ = empty.score
