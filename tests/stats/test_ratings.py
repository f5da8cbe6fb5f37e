"""Ratings of a whole tournament."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.stats.elo import elo_from_score, score_from_elo
from papan.stats.ratings import Pairing, connected_groups, rate_tournament
from stats.samples import VECTORS

REFERENCE = VECTORS["ml_ratings"]
GAMES = [Pairing(*row) for row in REFERENCE["games"]]

counts = st.integers(0, 30)
round_robins = st.lists(st.tuples(counts, counts, counts), min_size=6, max_size=6).map(
    lambda results: [
        Pairing(*pair, *(result if sum(result) else (1, 1, 1)))
        for pair, result in zip(["AB", "AC", "AD", "BC", "BD", "CD"], results, strict=True)
    ]
)


def ratings_by_mm(pairings, rounds):
    """Zermelo's iteration, one player at a time: slow and obvious. Elo by name, mean 0."""
    names = sorted({name for row in pairings for name in row[:2]})
    strength = dict.fromkeys(names, 1.0)
    for _ in range(rounds):
        for name in names:
            points, weight = 0.0, 0.0
            for one, other, wins, draws, losses in pairings:
                if name in (one, other):
                    points += (wins if name == one else losses) + draws / 2
                    weight += (wins + draws + losses) / (strength[one] + strength[other])
            strength[name] = points / weight
    elo = {name: 400 * math.log10(strength[name]) for name in names}
    mean = sum(elo.values()) / len(elo)
    return {name: value - mean for name, value in elo.items()}


def elos(table):
    return {rating.player: rating.elo for rating in table.ratings}


def test_without_a_prior_the_ratings_are_the_reference_ratings():
    table = rate_tournament(GAMES, prior=0)
    assert elos(table) == pytest.approx(REFERENCE["elo_mean0"], abs=6e-5)


def test_ordos_scale_differs_by_a_factor():
    """There, 202 Elo stand for a score of 76 %."""
    factor = 202 / elo_from_score(0.76)
    assert factor == pytest.approx(REFERENCE["scale_factor"], abs=1e-9)
    scaled = {name: elo * factor for name, elo in elos(rate_tournament(GAMES, prior=0)).items()}
    assert scaled == pytest.approx(REFERENCE["ordo_default_scale"], abs=6e-5)


def test_newton_agrees_with_the_obvious_iteration():
    assert elos(rate_tournament(GAMES, prior=0)) == pytest.approx(
        ratings_by_mm(GAMES, rounds=500), abs=1e-6
    )


@settings(max_examples=50, deadline=None)
@given(round_robins)
def test_every_player_scores_what_the_ratings_expect(pairings):
    """The condition of maximum likelihood, with the imaginary draws counted in."""
    elo = elos(rate_tournament(pairings, prior=2))
    imaginary = 0.0
    for _ in range(200):
        expected = sum(score_from_elo(imaginary - other) for other in elo.values())
        imaginary += 400 * (len(elo) / 2 - expected) / len(elo)
    for name, own in elo.items():
        surplus = 1 - 2 * score_from_elo(own - imaginary)
        for one, other, wins, draws, losses in pairings:
            if name in (one, other):
                rival = elo[other if name == one else one]
                points = (wins if name == one else losses) + draws / 2
                surplus += points - (wins + draws + losses) * score_from_elo(own - rival)
        assert surplus == pytest.approx(0, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(round_robins)
def test_the_ratings_are_finite_sorted_and_centred(pairings):
    ratings = rate_tournament(pairings).ratings
    assert all(math.isfinite(rating.elo) and rating.error > 0 for rating in ratings)
    assert [rating.elo for rating in ratings] == sorted((r.elo for r in ratings), reverse=True)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(round_robins)
def test_the_order_and_the_direction_of_the_pairings_do_not_matter(pairings):
    turned = [Pairing(j, i, losses, draws, wins) for i, j, wins, draws, losses in pairings[::-1]]
    assert elos(rate_tournament(turned)) == pytest.approx(elos(rate_tournament(pairings)), abs=1e-6)


def test_two_players_differ_by_the_elo_of_their_score():
    lead, error = rate_tournament([("A", "B", 60, 0, 40)], prior=0).difference("A", "B")
    assert lead == pytest.approx(elo_from_score(0.6))
    assert error == pytest.approx(1.959963984540054 * 400 / math.log(10) / math.sqrt(100 * 0.24))


def test_an_unbeaten_player_gets_a_finite_rating_from_the_prior():
    table = rate_tournament([("A", "B", 10, 0, 0), ("B", "C", 5, 0, 5)])
    assert 0 < table["A"].elo < 2000
    assert table.los("A", "B") > 0.9


def test_a_smaller_prior_pulls_less():
    spreads = [rate_tournament(GAMES, prior=prior)["A"].elo for prior in (10, 1, 0.1, 0)]
    assert spreads == sorted(spreads)


def test_without_a_prior_an_unbeaten_player_is_refused():
    with pytest.raises(ValueError, match=r"between A \| B, C all points went one way"):
        rate_tournament([("A", "B", 10, 0, 0), ("B", "C", 5, 0, 5)], prior=0)


def test_groups_that_never_met_are_refused_and_named():
    pairings = [("A", "B", 1, 1, 1), ("C", "D", 1, 1, 1)]
    with pytest.raises(ValueError, match=r"A, B \| C, D never met"):
        rate_tournament(pairings)
    assert connected_groups(pairings) == (("A", "B"), ("C", "D"))


def test_a_chain_of_opponents_connects_a_group():
    chain = [(f"p{i}", f"p{i + 1}", 1, 0, 0) for i in range(8)]
    assert len(connected_groups(chain)) == 1


def test_an_anchor_keeps_its_level_and_has_no_error():
    table = rate_tournament(GAMES, prior=0, anchor="C", level=1500)
    assert (table["C"].elo, table["C"].error) == (pytest.approx(1500), pytest.approx(0, abs=1e-6))
    centred = rate_tournament(GAMES, prior=0)
    assert table.difference("A", "B") == pytest.approx(centred.difference("A", "B"))


def test_more_games_narrow_the_error():
    """Four times the games halve it."""
    more = [Pairing(i, j, 4 * w, 4 * d, 4 * lost) for i, j, w, d, lost in GAMES]
    once, fourfold = rate_tournament(GAMES, prior=0), rate_tournament(more, prior=0)
    assert fourfold["A"].error == pytest.approx(once["A"].error / 2)


def test_the_covariance_belongs_to_the_sorted_ratings():
    table = rate_tournament(GAMES)
    errors = [1.959963984540054 * math.sqrt(table.covariance[i][i]) for i in range(4)]
    assert errors == pytest.approx([rating.error for rating in table.ratings])


def test_games_and_scores_are_the_players_own():
    rating = rate_tournament(GAMES)["A"]
    assert (rating.games, rating.score) == (30, pytest.approx(24 / 30))
    assert str(rating).startswith("A +182.3 ± ")


def test_against_oneself_superiority_is_a_toss():
    assert rate_tournament(GAMES).los("A", "A") == 0.5


@pytest.mark.parametrize(
    ("pairings", "options", "message"),
    [
        ([], {}, "no games; expected at least one"),
        ([("A", "A", 1, 0, 0)], {}, "'A' meets themselves"),
        ([("A", "B", -1, 0, 0)], {}, "expected counts ≥ 0"),
        ([("A", "B", 1, 0, 1)], {"prior": -1}, "prior: -1; expected"),
        ([("A", "B", 1, 0, 1)], {"prior": math.nan}, "prior: nan; expected"),
        ([("A", "B", 1, 0, 1)], {"anchor": "C"}, "'C' did not play; expected one of A, B"),
    ],
)
def test_malformed_tournaments_are_refused(pairings, options, message):
    with pytest.raises(ValueError, match=message):
        rate_tournament(pairings, **options)


def test_a_player_who_was_not_rated_is_named():
    with pytest.raises(ValueError, match="'Z' was not rated; expected A, B, C, D"):
        _ = rate_tournament(GAMES)["Z"]
