"""`papan games`."""

from papan.cli.games import description
from papan.games.platforms import Platforms
from papan.messages import Messages


def test_every_game_is_listed_with_its_options_and_their_ranges(papan):
    ran = papan("games")
    assert ran.status == 0
    for text in ("adjacency", "rounds", "2 … 28", "platforms", "1 … 3 (1)", "corners"):
        assert text in ran.out


def test_the_report_has_a_key_for_all_that_is_shown(papan):
    games = {game["name"]: game for game in papan("games --json").report["games"]}
    assert set(games) >= {"adjacency", "corners", "platforms"}
    assert games["platforms"]["options"]["level"] == {
        "about": "number of times that each platform can be stepped on",
        "expected": "1 … 3",
        "default": 1,
    }
    assert games["platforms"]["evaluations"] == list(Platforms.evaluations)


def test_a_game_the_catalogue_does_not_know_is_described_by_its_own_words():
    class Ladders(Platforms):
        """Climb and fall.

        Nobody has written about it in two languages.
        """

        name = "ladders"

    assert description(Ladders, Messages("id"))["about"] == "Climb and fall."


def test_the_games_of_the_gallery_are_named_and_with_all_described(papan):
    assert "connect_four" in papan("games").out
    assert "connect_four" in papan("games --json").report["gallery"]
    games = {game["name"]: game for game in papan("games --all --json").report["games"]}
    assert games["connect_four"]["title"] == "Connect four"


def test_a_game_of_the_gallery_is_called_by_its_name(papan):
    for name in ("connect_four", "connect-four"):
        ran = papan(f"perft {name} --depth 2 --json")
        assert ran.report["nodes"] == 49
    assert "connect_four" in papan("perft connect_for --depth 2").err
