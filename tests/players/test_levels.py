"""Levels: names for people, a player each."""

import pytest

import papan
from fakes.take_away import TakeAway
from papan.core.spec import options_of
from papan.errors import UsageError
from papan.messages import catalogue
from papan.play.referee import play_game
from papan.players import registry
from papan.players.levels import GENERAL, NAMES, spec_at
from papan.search.limits import Limit
from papan.usercode import registry as games
from support import thoroughly


@pytest.mark.parametrize("name", games.names())
def test_each_level_of_each_game_names_a_player_that_plays_it(name: str) -> None:
    game = games.game(name)
    assert tuple(GENERAL) == NAMES
    assert set(game.levels) <= set(NAMES)
    for level in NAMES:
        player = registry.player(spec_at(level, game))
        assert name in (player.games or games.names())


def test_a_level_plays_as_the_player_that_it_names() -> None:
    position = papan.game("adjacency").start()
    level, named = registry.player("easy"), registry.player(spec_at("easy", position.game))
    for player in (level, named):
        player.new_game(position.game, 5)
    chosen = [player.choose(position, Limit()).move for player in (level, named)]
    assert chosen[0] == chosen[1]
    assert level.spec == "easy"


def test_one_level_plays_one_game_after_the_other() -> None:
    level = registry.player("medium")
    for name in ("adjacency", "platforms:size=4", "platforms:size=3", "corners"):
        position = papan.game(name).start()
        level.new_game(position.game, 1)
        assert level.choose(position, Limit()).move in position.moves()
    level.close()


@pytest.mark.thorough
def test_a_game_without_a_row_of_its_own_has_all_levels() -> None:
    position = TakeAway().start()
    for name in ("beginner", "easy", "medium", "hard"):
        level = registry.player(name)
        level.new_game(position.game, 1)
        assert level.choose(position, Limit()).move in position.moves()


@pytest.mark.parametrize(
    "game", ["adjacency:rounds=8", *thoroughly("platforms:size=4,level=2", "corners")]
)
def test_a_hard_player_beats_a_beginner(game: str) -> None:
    score = 0.0
    for seed in range(4):
        names = ("hard", "beginner") if seed % 2 == 0 else ("beginner", "hard")
        players = dict(zip("xo", map(registry.player, names), strict=True))
        outcome = play_game(players, papan.game(game).start(), seed=seed).outcome
        score += outcome.points("xo"[seed % 2])
    assert score >= 3


def test_a_level_has_no_options() -> None:
    with pytest.raises(UsageError, match="depth"):
        registry.player("hard:depth=3")


@pytest.mark.parametrize("name", registry.names())
def test_every_player_and_each_of_its_options_is_explained_in_both_languages(name: str) -> None:
    cls = registry.player_class(name)
    for message in [f"player.{name}", *(facts["about"] for facts in options_of(cls).values())]:
        assert set(catalogue()[message]) == {"en", "id"}
