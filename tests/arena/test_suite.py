"""Balanced random openings of events: repeatable, different, playable, and none in short games."""

import papan
from papan.arena.measure import Match
from papan.arena.suite import BalancedSuite, opening_at, suite_of
from papan.search.limits import Limit
from support import gallery

GAME = papan.game("adjacency:size=6,rounds=12")


def test_openings_are_different_and_begin_games_that_go_on() -> None:
    found = suite_of(GAME, 1, 30)
    assert len({*found}) == 30
    for opening in found:
        assert len(opening) == 6
        assert GAME.start().play(*opening).outcome() is None


def test_the_seed_decides_and_a_longer_suite_begins_with_a_shorter_one() -> None:
    assert suite_of(GAME, 1, 5) == suite_of(GAME, 1, 9)[:5]
    assert suite_of(GAME, 1, 5) != suite_of(GAME, 2, 5)


def test_no_opening_hands_the_game_to_a_side() -> None:
    """A side that is about to have four in a row cannot be stopped at both ends."""
    game = gallery("connect_four.py")
    for opening in suite_of(game, 3, 12):
        found = papan.analyse(game.start().play(*opening), algorithm="mcts", nodes=2000)
        assert abs(found.value) < 900


def test_short_games_start_at_the_start() -> None:
    game = papan.game("platforms")
    assert suite_of(game, 0, 4) == ()
    assert opening_at(BalancedSuite(), game.spec, 7) == ()


def test_a_small_suite_is_used_again() -> None:
    game = papan.game("tictactoe")
    found = suite_of(game, 0, 100)
    assert 0 < len(found) < 100
    assert opening_at(BalancedSuite(), game.spec, len(found)) == found[0]


def test_the_pairs_of_a_match_take_the_openings_in_turn() -> None:
    match = Match(GAME.spec, "first", "random", 6, Limit(nodes=1), openings=BalancedSuite(1))
    assert tuple(pair.opening for pair in match.pairs()) == suite_of(GAME, 1, 3)
    assert match.event != Match(GAME.spec, "first", "random", 6, Limit(nodes=1)).event
