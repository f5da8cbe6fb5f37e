"""Matches of game pairs: sides, seeds, openings, resuming, workers, tests that end them."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import papan
from papan.arena.measure import Match, measure, verdict
from papan.arena.pairs import Pair, play_pairs, record_of
from papan.arena.score import Tally, points_of_first
from papan.campaign import Campaign
from papan.errors import PapanError
from papan.play.referee import PlayedGame
from papan.play.table import Termination
from papan.records.model import LONGEST_SAYING, Record
from papan.records.store import Store
from papan.records.text import read, write
from papan.search.limits import Limit
from papan.stats.sprt import Sprt

#: A program that rejects board sizes other than 3.
_FAKE = Path(__file__).parent.parent / "fakes" / "engines" / "gtp.py"
REJECTING = shlex.join([sys.executable, "-I", "-S", str(_FAKE), "good"])
MATCH = Match("platforms:size=4", "random", "first", 7, seed=3)


def games_of(match: Match, **options: object) -> list[Record]:
    found: list[Record] = []
    measure(match, lambda record, tally: found.append(record), **options)  # type: ignore[arg-type]  # passed on
    return sorted(found, key=lambda record: record.round)


def test_sides_change_within_a_pair_and_every_game_is_sound() -> None:
    games = games_of(MATCH)
    assert [game.x for game in games] == ["random", "first"] * 3 + ["random"]
    assert [game.round for game in games] == [1, 2, 3, 4, 5, 6, 7]
    for game in games:
        game.replay()


def test_the_result_is_the_first_players() -> None:
    tally = measure(MATCH)
    first = sum(points_of_first(game) or 0.0 for game in games_of(MATCH))
    won = sum(
        (game.result == "x") == (game.x == "random") for game in games_of(MATCH)
    )  # Platforms has no draws
    assert tally.single.wins == won == first
    assert tally.games == 7


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    assert games_of(MATCH) == games_of(MATCH)
    other = games_of(replace(MATCH, seed=4))
    assert [game.moves for game in other] != [game.moves for game in games_of(MATCH)]


def test_worker_processes_play_the_same_games() -> None:
    assert games_of(MATCH, campaign=Campaign(2)) == games_of(MATCH)


def test_both_games_of_a_pair_begin_with_its_opening() -> None:
    match = replace(MATCH, openings=(("b4",), ("a3", "c1")))
    games = games_of(match)
    assert all(game.moves[:1] == ("b4",) for game in games[:2])
    assert all(game.moves[:2] == ("a3", "c1") for game in games[2:4])
    for game in games:
        game.replay()


def test_a_pair_tells_of_each_move_from_the_opening_on() -> None:
    seen: list[tuple[int, tuple[str, ...]]] = []
    pair = Pair("cup", 0, "platforms", "first", "random", opening=("b2",))
    records = list(pair.play(lambda game, moves: seen.append((game, moves))))
    expected = [
        (game, record.moves[:plies])
        for game, record in enumerate(records)
        for plies in range(1, len(record.moves) + 1)
    ]
    assert seen == expected
    assert [pair.sides(game) for game in (0, 1)] == [(record.x, record.o) for record in records]


def test_a_match_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        assert measure(replace(MATCH, games=3), store=store).games == 3
        later = games_of(MATCH, store=store)
        assert [game.round for game in later] == [4, 5, 6, 7]
        whole = measure(MATCH, store=store)
    assert whole.points == measure(MATCH).points


def test_a_game_that_is_counted_twice_counts_once() -> None:
    tally = Tally()
    for game in [*games_of(MATCH), *games_of(MATCH)]:
        tally.add(game)
    assert tally.games == 7


def test_refused_games_count_for_no_side_and_are_not_played_again(tmp_path: Path) -> None:
    refused = replace(MATCH, second=f"gtp:{REJECTING}", games=2)
    with Store(tmp_path / "games.sqlite") as store:
        tally = measure(refused, store=store)
        again = measure(refused, lambda *_: pytest.fail("played again"), store=store)
    assert (tally.games, tally.terminations) == (0, {"refusal": 2})
    assert again == tally


def test_strength_is_taken_from_pairs_if_all_games_are_paired() -> None:
    tally = measure(replace(MATCH, games=6))
    assert tally.paired.games == 6
    assert sum(tally.as_dict()["pairs"]) == 3
    assert measure(MATCH).counts == measure(MATCH).single


def test_a_match_ends_as_soon_as_its_test_is_decided() -> None:
    match = Match("platforms:size=4", "alphabeta:depth=14", "random", 400, sprt=Sprt(0.0, 200.0))
    tally = measure(match)
    assert tally.games < 400
    result = verdict(match, tally)
    assert result is not None
    assert result.decision == "H1"


def test_every_process_may_play_a_pair() -> None:
    pair = Pair("event", 4, "platforms", "first", "first", limit=Limit(seconds=1.0))
    assert [game.round for game in pair.play()] == [9, 10]


#: A bot that takes the worker process it plays for with it, once or always.
FRAGILE = """
import os, signal
from pathlib import Path

def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def worker(pid):
    while b"spawn_main" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        pid = parent(pid)
    return pid

def choose(position, limit):
    flag = Path(__file__).with_name("flag")
    if ALWAYS or not flag.exists():
        flag.touch()
        os.kill(worker(os.getpid()), signal.SIGKILL)
    return position.moves()[0]
"""

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds it in /proc")


def fragile_pairs(folder: Path, count: int, *, always: bool) -> list[Pair]:
    bot = folder / "fragile.py"
    bot.write_text(f"ALWAYS = {always}\n{FRAGILE}", encoding="utf-8")
    return [Pair("event", n, "platforms", f"python:{bot}", "random") for n in range(count)]


@needs_proc
def test_pairs_of_a_worker_that_died_are_played_again(tmp_path: Path) -> None:
    finished = list(play_pairs(fragile_pairs(tmp_path, 4, always=False), Campaign(2)))
    assert (tmp_path / "flag").exists()
    assert sorted(pair.number for pair, _ in finished) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert all(record.termination == "rules" for _, record in finished)


@pytest.mark.thorough
@needs_proc
def test_a_pair_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(PapanError, match=r"fragile\.py – random"):
        list(play_pairs(fragile_pairs(tmp_path, 1, always=True), Campaign(2)))


RUDE = """
import os

def choose(position, limit):
    if len(position.moves()) < 8:
        {answer}
    return position.moves()[0]
"""


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("return '(-1, -1)'", ("illegal move", "(-1, -1)", None)),
        ("os._exit(7)", ("crash", "", 7)),
        ("os.kill(os.getpid(), 9)", ("crash", "", -9)),
    ],
)
def test_a_record_keeps_the_illegal_move_and_the_exit_status(
    tmp_path: Path, answer: str, kept: tuple[str, str, int | None]
) -> None:
    bot = tmp_path / "rude.py"
    bot.write_text(RUDE.replace("{answer}", answer), encoding="utf-8")
    (game,) = Pair("cup", 0, "platforms", f"python:{bot}", "first", games=(0,)).play()
    assert (game.termination, game.given, game.exit_code) == kept
    with Store(tmp_path / "games.sqlite") as store:
        store.add(game)
        (found,) = store.find()
    assert found == game
    (again,) = read(write(game))
    assert again == game


def test_of_what_a_player_said_no_more_is_kept_than_anybody_reads() -> None:
    start = papan.game("platforms").start()
    ending = (None, Termination.ILLEGAL_MOVE, "d" * 10**5)
    played = PlayedGame(start, {"x": "a", "o": "b"}, (), *ending, given="g" * 10**5)
    record = record_of(played)
    assert (len(record.detail), len(record.given)) == (LONGEST_SAYING, LONGEST_SAYING)
