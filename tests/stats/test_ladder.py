"""The ladder, kept through openskill."""

import os
import subprocess
import sys

import pytest

from papan.stats.ratings import Skill, play_ladder, rate_game
from stats.samples import VECTORS

REFERENCE = VECTORS["openskill_PL_default"]


def rounded(standings):
    return [[round(one.mean, 6), round(one.deviation, 6)] for one in standings]


@pytest.fixture
def openskill():
    return pytest.importorskip("openskill", reason="needs the extra papan[ladder]")


@pytest.mark.usefixtures("openskill")
@pytest.mark.parametrize(
    ("players", "places", "expected"),
    [
        (2, None, REFERENCE["win"]),
        (2, (1, 1), [REFERENCE["draw"]] * 2),
        (4, None, REFERENCE["ffa4"]),
    ],
)
def test_newcomers_move_as_in_the_reference(players, places, expected):
    assert rounded(rate_game([Skill()] * players, places)) == expected


@pytest.mark.usefixtures("openskill")
def test_standings_come_back_in_the_order_of_the_players():
    loser, winner = rate_game([Skill(), Skill()], places=(2, 1))
    assert loser.mean < Skill().mean < winner.mean


@pytest.mark.usefixtures("openskill")
def test_a_ladder_is_its_games_in_order():
    table = play_ladder([("A", "B", 1), ("B", "A", 0), ("B", "C", 0.5)])
    assert table["A"].mean > table["C"].mean > table["B"].mean
    assert table["A"].deviation < Skill().deviation


@pytest.mark.usefixtures("openskill")
def test_a_ladder_goes_on_from_where_it_stood():
    games = [("A", "B", 1), ("B", "C", 1), ("C", "A", 0.5)]
    start = play_ladder(games[:1])
    before = dict(start)
    assert play_ladder(games[1:], start) == play_ladder(games)
    assert start == before


def test_a_newcomer_is_promised_nothing():
    assert Skill().cautious == pytest.approx(0)


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(ModuleNotFoundError, match=r"papan\[ladder\]"):
        rate_game([Skill(), Skill()])


def test_importing_the_statistics_does_not_import_the_library():
    code = "import sys, papan.stats.ratings; print('openskill' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("standings", "places"),
    [([Skill()], None), ([], None), ([Skill()] * 2, (1,))],
)
def test_a_game_needs_two_players_and_a_place_for_each(standings, places):
    with pytest.raises(ValueError, match="expected two or more players"):
        rate_game(standings, places)


@pytest.mark.parametrize("game", [("A", "B", 0.7), ("A", "A", 1)])
def test_a_malformed_ladder_game_is_refused(game):
    with pytest.raises(ValueError, match="ladder game: 'A'"):
        play_ladder([game])
