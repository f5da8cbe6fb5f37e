"""Who meets whom."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.arena.event import bracket, gauntlet, round_robin, swiss_round

SIZES = st.integers(2, 12)


def names(count: int) -> list[str]:
    return [f"p{number}" for number in range(count)]


@given(SIZES)
def test_everybody_meets_everybody_once_and_plays_once_a_round(count: int) -> None:
    rounds = round_robin(names(count))
    met = Counter(frozenset(meeting) for meetings in rounds for meeting in meetings)
    assert met == Counter(map(frozenset, combinations(names(count), 2)))
    for meetings in rounds:
        playing = [name for meeting in meetings for name in meeting]
        assert len(playing) == len(set(playing))


@given(st.integers(2, 6).map(lambda half: 2 * half))
def test_round_robin_shares_out_the_first_move(count: int) -> None:
    first = Counter(a for meetings in round_robin(names(count)) for a, _ in meetings)
    assert max(first.values()) - min(first.get(name, 0) for name in names(count)) <= 2


def test_in_a_gauntlet_the_first_player_meets_each_of_the_others() -> None:
    assert gauntlet(["a", "b", "c"]) == [[("a", "b")], [("a", "c")]]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=2, max_size=11))
def test_a_swiss_round_gives_everybody_an_opponent_or_one_bye(points: list[float]) -> None:
    table = dict(zip(names(len(points)), points, strict=True))
    meetings, bye = swiss_round(table, {})
    playing = [name for meeting in meetings for name in meeting]
    assert sorted([*playing, *([bye] if bye else [])]) == sorted(table)
    assert (bye is None) == (len(points) % 2 == 0)


def test_a_swiss_tournament_repeats_no_meeting_while_it_can_be_helped() -> None:
    points, met, rested = dict.fromkeys(names(7), 0.0), Counter[frozenset[str]](), list[str]()
    for _ in range(5):
        meetings, bye = swiss_round(points, met, rested)
        assert bye not in rested
        rested.append(str(bye))
        for winner, loser in meetings:
            met[frozenset((winner, loser))] += 1
            points[winner] += 1
    assert max(met.values()) == 1


def test_leaders_of_a_swiss_tournament_meet_each_other() -> None:
    points = {"a": 2.0, "b": 0.0, "c": 2.0, "d": 1.0}
    assert swiss_round(points, {}) == ([("a", "c"), ("d", "b")], None)


@pytest.mark.parametrize(
    ("count", "first_round"),
    [
        (2, [("p0", "p1")]),
        (4, [("p0", "p3"), ("p1", "p2")]),
        (3, [("p0",), ("p1", "p2")]),
        (8, [("p0", "p7"), ("p3", "p4"), ("p1", "p6"), ("p2", "p5")]),
        (5, [("p0",), ("p3", "p4"), ("p1",), ("p2",)]),
    ],
)
def test_the_best_seeds_of_a_knockout_meet_late_and_have_the_byes(
    count: int, first_round: list[tuple[str, ...]]
) -> None:
    assert bracket(names(count)) == first_round
