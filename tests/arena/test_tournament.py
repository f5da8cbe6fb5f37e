"""Tournaments in each format: who plays how often, results, ratings, resuming, configuration."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from papan.arena.event import FORMATS, Results, Tournament, play_tournament
from papan.arena.pairs import Pair
from papan.arena.score import Tally
from papan.campaign import Campaign
from papan.cli.tournament import read_config
from papan.errors import UsageError
from papan.records.model import Record
from papan.records.store import Store

STRONG, GOOD, FIRST, RANDOM = "alphabeta:depth=6", "minimax:depth=2", "first", "random"
FOUR = Tournament("platforms:size=4", (STRONG, GOOD, FIRST, RANDOM), pairs=2, seed=3)


def games_of(tournament: Tournament, **options: object) -> list[Record]:
    found: list[Record] = []
    play_tournament(tournament, lambda record, results: found.append(record), **options)  # type: ignore[arg-type]  # passed on
    return sorted(found, key=lambda record: record.round)


def tally(wins: int, losses: int, draws: int = 0) -> Tally:
    results = [1.0] * wins + [0.0] * losses + [0.5] * draws
    return Tally(points=dict(enumerate(results, start=1)))


def test_everybody_plays_everybody_as_often_with_either_side() -> None:
    games = games_of(FOUR)
    sides = Counter((game.x, game.o) for game in games)
    assert sides == {pair: 2 for a, b in combinations(FOUR.players, 2) for pair in ((a, b), (b, a))}
    assert [game.round for game in games] == list(range(1, FOUR.games + 1))
    for game in games:
        game.replay()


def test_in_a_gauntlet_every_game_has_the_first_player() -> None:
    games = games_of(replace(FOUR, format="gauntlet"))
    assert len(games) == replace(FOUR, format="gauntlet").games == 12
    assert all(STRONG in (game.x, game.o) for game in games)


def test_in_a_swiss_tournament_nobody_meets_anybody_twice_while_it_can_be_helped() -> None:
    swiss = replace(FOUR, format="swiss", players=(*FOUR.players, "minimax:depth=1"))
    results = play_tournament(swiss)
    assert max(results.meeting_counts().values()) == 1
    assert results.games == swiss.games == 3 * 2 * 4
    assert len(results.byes) == len(set(results.byes)) == 3


def test_those_who_have_not_lost_meet_in_the_final_of_a_knockout() -> None:
    results = play_tournament(replace(FOUR, format="knockout"))
    semi_finals = {(STRONG, RANDOM), (GOOD, FIRST)}
    assert {meeting for meeting, _ in results.meetings[:2]} == semi_finals
    finalists, _ = results.meetings[-1]
    for meeting in semi_finals:
        (winner,) = set(meeting) & set(finalists)
        (loser,) = set(meeting) - {winner}
        wins, _, losses = results.against(winner, loser)
        assert wins > losses or (wins == losses and winner == meeting[0])


def test_the_strongest_player_is_rated_best() -> None:
    standings = play_tournament(replace(FOUR, pairs=6)).as_dict()["standings"]
    assert standings[0]["player"] == STRONG
    assert standings[0]["elo"] > standings[-1]["elo"]
    assert all(entry["error"] > 0 for entry in standings)


def test_the_crosstable_is_antisymmetric_and_adds_up() -> None:
    report = play_tournament(FOUR).as_dict()
    for entry in report["standings"]:
        row = report["crosstable"][entry["player"]]
        assert sum(wins + draws / 2 for wins, draws, _ in row.values()) == entry["points"]
        assert sum(map(sum, row.values())) == entry["games"] == 12
        for other, counts in row.items():
            assert report["crosstable"][other][entry["player"]] == counts[::-1]


def test_there_are_no_ratings_before_all_players_have_been_compared() -> None:
    results = Results(("a", "b", "c"), [(("a", "b"), tally(3, 1))])
    assert results.ratings() is None
    assert [entry["elo"] for entry in results.as_dict()["standings"]] == [None] * 3
    results.meetings.append((("b", "c"), tally(0, 2, draws=1)))
    assert results.ratings() is not None


def test_a_rated_winner_of_few_games_stands_above_a_loser_of_many() -> None:
    meetings = [(("a", "b"), tally(4, 0)), (("b", "c"), tally(12, 8))]
    standings = Results(("c", "b", "a"), meetings).as_dict()["standings"]
    assert [entry["player"] for entry in standings] == ["a", "b", "c"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_tournament_goes_on_where_it_was_ended(format: str, tmp_path: Path) -> None:
    tournament = replace(FOUR, format=format)
    whole = play_tournament(tournament).as_dict()

    def end(record: Record, results: Results) -> None:
        if results.games == 7:
            raise KeyboardInterrupt

    with Store(tmp_path / "games.sqlite") as store:
        so_far = Results(tournament.players)
        with pytest.raises(KeyboardInterrupt):
            play_tournament(tournament, end, results=so_far, store=store)
        assert so_far.games == store.count() == 7
        later = games_of(tournament, store=store)
        assert min(game.round for game in later) == 8
        assert play_tournament(tournament, store=store).as_dict() == whole
        assert store.count() == whole["games"]


def test_a_game_that_was_broken_off_is_played_again(tmp_path: Path) -> None:
    first = games_of(FOUR)[0]
    with Store(tmp_path / "games.sqlite") as store:
        store.add(replace(first, result="*", termination="unterminated"))
        assert len(games_of(FOUR, store=store)) == FOUR.games
        assert store.count() == FOUR.games


@pytest.mark.thorough
def test_worker_processes_play_the_same_tournament() -> None:
    small = replace(FOUR, players=(FIRST, RANDOM, "minimax:depth=1"))
    assert games_of(small, campaign=Campaign(2)) == games_of(small)


def test_a_different_tournament_has_a_different_name() -> None:
    others = [
        FOUR,
        replace(FOUR, seed=4),
        replace(FOUR, pairs=3),
        replace(FOUR, players=FOUR.players[::-1]),
        replace(FOUR, openings=(("b4",),)),
    ]
    assert len({tournament.event for tournament in others}) == len(others)
    assert replace(FOUR).event == FOUR.event


def test_threads_do_not_share_players() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def play(pair: Pair) -> list[Record]:
        return list(pair.play())

    pairs = [Pair("event", n, "platforms", "random", "random", seed=n) for n in range(40)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(play, pairs))
    assert together == list(map(play, pairs))


CONFIG = 'game = "platforms"\nplayers = ["first", "random"]\n'


def test_a_configuration_is_read_with_its_types(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(f'{CONFIG}pairs = 3\ntime = 0.5\nformat = "swiss"\n')
    assert read_config(str(path)) == {
        "game": "platforms",
        "players": ["first", "random"],
        "pairs": 3,
        "time": 0.5,
        "format": "swiss",
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"{CONFIG}pair = 3", r"unknown key 'pair' \(pairs\?\)"),
        (f'{CONFIG}pairs = "3"', "key 'pairs' is 3, expected an integer"),
        (f"{CONFIG}pairs = true", "key 'pairs' is True, expected an integer"),
        (f"{CONFIG}time = []", r"key 'time' is \[\]"),
        ('game = "platforms"', "key 'players' is missing"),
        ('players = ["first"]', "key 'game' is missing"),
        ('game = "platforms"\nplayers = "first"', "key 'players' is first, expected a list"),
        (f"{CONFIG}[pairs]", "key 'pairs'"),
        ("game =", "cannot be read"),
    ],
)
def test_a_bad_configuration_is_refused_with_its_key(text: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=named):
        read_config(str(path))


def test_a_configuration_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match=r"/nowhere/cup\.toml"):
        read_config("/nowhere/cup.toml")


@pytest.mark.parametrize("format", list(FORMATS))
@pytest.mark.parametrize("games", [0, 5, 1000])
def test_games_of_a_store_are_counted_without_playing_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, games: int
) -> None:
    class Enough(Exception):
        """Ends the tournament early."""

    def on_game(record: Record, results: Results) -> None:
        if results.games == games:
            raise Enough

    tournament = replace(FOUR, players=("first", "random", "hill-climbing"), format=format)
    played = Results(tournament.players)
    with Store(tmp_path / "games.sqlite") as store:
        with contextlib.suppress(Enough):
            if games:
                play_tournament(tournament, on_game, results=played, store=store)
        monkeypatch.setattr(Pair, "play", lambda pair: pytest.fail("played"))
        counted = Results.of(tournament, store)
    assert counted.games == played.games <= games
    assert counted.points() == played.points()
