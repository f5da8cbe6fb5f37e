"""Levels are found by playing: the same each time, and what was ended goes on."""

from itertools import count
from pathlib import Path

import pytest

from papan.arena.level_search import LEAST, MOST, LevelSearch, pairs_of
from papan.arena.levels import LevelMeasurement, LevelPlan
from papan.errors import InvalidSpec
from papan.players.level_file import read_levels
from papan.players.levels import measured_at, strengths_of
from papan.usercode import registry as games

GAME = games.game("tictactoe")
PLAN = LevelPlan(pairs=8, seed=1, best=False)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> LevelMeasurement:
    path = tmp_path_factory.mktemp("levels") / "tictactoe.levels"
    measurement = LevelMeasurement(GAME, PLAN, path)
    assert list(measurement.run())
    return measurement


@pytest.mark.thorough
def test_a_game_that_is_too_easy_has_fewer_levels_each_stronger_than_the_one_below(
    measured: LevelMeasurement,
) -> None:
    found = read_levels(measured.path, GAME)
    assert found == measured.levels() and found.complete
    assert 2 <= len(found.levels) < 8
    assert all(level.score is not None and level.score >= 0.6 for level in found.levels[1:])
    elo = [level.elo for level in found.levels]
    assert elo == sorted(elo) and sum(elo) / len(elo) == pytest.approx(1500, abs=0.2)
    assert all(level.error > 0 for level in found.levels)


@pytest.mark.thorough
def test_a_measurement_that_was_ended_goes_on_and_finds_the_same(
    measured: LevelMeasurement, tmp_path: Path
) -> None:
    path, asked = tmp_path / "tictactoe.levels", count()
    first = LevelMeasurement(GAME, PLAN, path)
    list(first.run(lambda: next(asked) > 14))
    assert not first.complete and 0 < first.games < measured.games
    second = LevelMeasurement(GAME, PLAN, path)
    assert second.is_resumed and second.games > 0
    list(second.run())
    assert second.levels() == measured.levels()


def test_another_seed_plays_other_games(measured: LevelMeasurement, tmp_path: Path) -> None:
    measured.levels().write(tmp_path / "some.levels", GAME)
    other = LevelMeasurement(GAME, LevelPlan(seed=2), tmp_path / "some.levels")
    assert not other.is_resumed and not other.results


def test_a_damaged_file_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "some.levels"
    path.write_text("what I wrote")
    with pytest.raises(InvalidSpec, match="not a valid"):
        LevelMeasurement(GAME, PLAN, path)


def test_steps_rise_in_effort_and_fall_in_noise(tmp_path: Path) -> None:
    measurement = LevelMeasurement(GAME, PLAN, tmp_path / "some.levels")
    steps = [measurement.strength(step) for step in range(0, 112, 8)]
    assert [each.nodes for each in steps] == sorted(each.nodes for each in steps)
    assert [each.noise for each in steps] == sorted((each.noise for each in steps), reverse=True)
    assert steps[-1].noise == 0.0


def test_results_are_pairs_of_games() -> None:
    counts = pairs_of("2202")
    assert (counts.units, counts.score) == (2, 0.75)
    assert LEAST <= counts.score <= MOST


@pytest.mark.parametrize(
    ("first_strong", "width", "step"), [(33, 1, 33), (29, 1, 29), (29, 4, 30), (113, 4, None)]
)
def test_the_first_step_that_is_strong_enough_is_the_level_if_none_fits(
    first_strong: int, width: int, step: int | None
) -> None:
    def play(below: int, tried: int, pairs: int) -> str:
        games = "2220222202222022" if tried >= first_strong else "2202202220220220"  # 81 or 69 %
        return (games * pairs)[: 2 * pairs]

    search = LevelSearch(play, below=24, top=112, goal=16, width=width)
    assert list(search.run(32))
    assert search.step == step


def test_a_game_without_measured_levels_has_eight_that_are_said_to_be_unmeasured() -> None:
    game = games.game("adjacency:size=4,rounds=3")
    assert measured_at(game, 3) is None
    assert len(strengths_of(game)) == 8


@pytest.mark.thorough
def test_two_workers_find_levels_too(tmp_path: Path) -> None:
    plan = LevelPlan(pairs=8, seed=1, workers=2, best=False)
    measurement = LevelMeasurement(GAME, plan, tmp_path / "some.levels")
    list(measurement.run())
    assert measurement.complete and len(measurement.chain) >= 2
