"""The player that was measured to be the strongest."""

from pathlib import Path

import pytest

import papan
from fakes.take_away import TakeAway
from papan.arena import best
from papan.arena.best import best_at, candidates_of, compare, compare_all, comparisons_of
from papan.learn.weights import place_for
from papan.players import registry
from papan.players.level_file import ENDING, Comparison, GameLevels, MeasuredLevel, Strength
from papan.players.level_file import evaluation_digest as digest_of
from papan.search.limits import Limit
from papan.usercode import registry as games
from support import thoroughly


def told(seconds: float, score: float, evaluation: str = "") -> Comparison:
    return Comparison(seconds, 20, score, 0.1, evaluation)


def test_it_is_the_one_that_scored_more_at_the_time_that_is_nearest() -> None:
    quick, slow = told(0.05, 0.7), told(1.0, 0.4)
    assert best_at([quick, slow], 0.1) == "engine"
    assert best_at([quick, slow], 0.6) == "mcts"
    assert best_at([quick, slow], None) == "mcts"


def test_each_candidate_plays_the_winner_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {("engine", "mcts"): 0.3, ("mcts", "mcts:evaluation=learned"): 0.4}

    def quick(
        game: papan.Game, players: tuple[str, str], seconds: float, pairs: int, **rest: object
    ) -> Comparison:
        return Comparison(seconds, 20, scores[players], 0.1, "", *players)

    monkeypatch.setattr(best, "compare", quick)
    found = list(compare_all(games.game("connect_four"), 0.05, 3))
    assert [one.winner for one in found] == ["mcts", "mcts:evaluation=learned"]
    assert best_at(found, 0.05) == "mcts:evaluation=learned"


def test_learned_values_are_a_candidate_only_where_there_are_any() -> None:
    assert candidates_of(games.game("connect_four"))[-1] == "mcts:evaluation=learned"
    assert candidates_of(TakeAway()) == ("engine", "mcts")


@pytest.mark.parametrize(("score", "name"), [(0.9, "engine"), *thoroughly((0.1, "mcts"))])
def test_what_a_game_s_levels_say_is_what_plays(score: float, name: str, tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py"
    (tmp_path / "mine.py").write_text(source.read_text())
    game = games.game(str(tmp_path / "mine.py"))
    level = MeasuredLevel(Strength("mcts", 32, 0.5), 1500.0, 10.0, 10)
    found = GameLevels((level,), best=(told(0.05, score, digest_of(game)),))
    found.write(place_for(game, ENDING), game)
    player = registry.player("best:time=0.02")
    player.new_game(game, 1)
    assert list(player._playing) == [name]
    assert player.choose(game.start(), Limit()).move in game.start().moves()
    player.close()


def test_a_game_of_which_nothing_is_known_is_measured_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played = []

    def quick(game: papan.Game, seconds: float, pairs: int) -> list[Comparison]:
        played.append((seconds, pairs))
        return [told(seconds, 0.6, digest_of(game))]

    monkeypatch.setattr(best, "compare_all", quick)
    monkeypatch.setattr(best, "cache_folder", lambda: tmp_path / "cache")
    first = comparisons_of(TakeAway())
    assert comparisons_of(TakeAway()) == first and len(played) == 1


@pytest.mark.thorough
def test_a_comparison_plays_pairs_and_ends_when_it_is_told_to() -> None:
    game = TakeAway()
    comparison = compare(game, ("engine", "mcts"), 0.01, 5, stop=lambda: True)
    assert comparison.games == 2
    assert 0 <= comparison.score <= 1 and comparison.error > 0
