"""Tuning finds numbers that win, can be gone on with, and claims no gain that is not shown."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import papan
from papan.arena import tune
from papan.arena.pairs import Pair
from papan.arena.score import Tally
from papan.arena.suite import BalancedSuite
from papan.arena.tune import Parameter, Tuning, TuningPlan, parameters
from papan.core.evaluation_text import read_evaluation, write_evaluation
from papan.errors import InvalidSpec, UsageError
from papan.learn.choice import evaluation_named
from papan.records.model import Record

PLAN = TuningPlan("tictactoe", "mcts", names=("exploration", "scale"), games=400, seed=3)
#: The numbers that win most: what `judged` prefers.
BEST = {"exploration": 1.0, "scale": 4.0}


def distance(spec: str) -> float:
    """How far the numbers of a player are from the best ones, in their own size."""
    player = papan.player(spec)
    return sum(abs(getattr(player, name) / best - 1) for name, best in BEST.items())


def judged(pair: Pair) -> Iterator[tuple[Record, ...]]:
    """A pair that the player nearer to the best numbers wins."""
    ahead = distance(pair.first) < distance(pair.second)
    results = ("x", "o") if ahead else ("o", "x")
    yield tuple(
        Record(pair.game, *pair.sides(index), (), result, "rules", round=pair.round(index))
        for index, result in enumerate(results)
    )


@pytest.fixture
def no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are judged by their numbers, not played."""
    monkeypatch.setattr(tune, "play_afresh", judged)


@pytest.mark.usefixtures("no_games")
def test_all_numbers_go_at_once_to_where_games_are_won() -> None:
    tuning = Tuning(PLAN)
    assert list(tuning.run()) == list(range(2, 401, 2))
    before, after = distance(tuning.spec()), distance(tuning.spec(tuning.tuned_values()))
    assert after < 0.4 * before


@pytest.mark.thorough
@pytest.mark.usefixtures("no_games")
def test_the_same_seed_gives_the_same_numbers_also_in_two_goes(tmp_path: Path) -> None:
    whole = Tuning(PLAN)
    list(whole.run())
    out = tmp_path / "tuning.json"
    first = Tuning(PLAN, out)
    list(first.run(lambda: first.games >= 100))
    second = Tuning(PLAN, out)
    assert second.is_resumed and second.games == 100
    list(second.run())
    assert second.tuned_values() == whole.tuned_values()
    other = Tuning(replace(PLAN, seed=4))
    list(other.run())
    assert other.tuned_values() != whole.tuned_values()


@pytest.mark.usefixtures("no_games")
def test_a_file_of_another_tuning_or_none_at_all_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "tuning.json"
    list(Tuning(replace(PLAN, games=4), out).run())
    with pytest.raises(InvalidSpec, match="another tuning"):
        Tuning(replace(PLAN, names=("exploration",)), out)
    with pytest.raises(InvalidSpec, match="another tuning"):
        Tuning(replace(PLAN, seed=9), out)
    report = json.loads(out.read_text())
    for damaged in ("", "[]", "{}", json.dumps({**report, "values": None})):
        out.write_text(damaged)
        with pytest.raises(InvalidSpec, match="not a valid"):
            Tuning(PLAN, out)


@pytest.mark.parametrize(("score", "gained"), [(50, False), (56, False), (70, True), (30, False)])
def test_a_gain_is_one_whose_interval_is_above_one_half(
    score: int, gained: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = Tuning(PLAN)
    tuning.values[0] *= 2

    def played(match: tune.Match, *_: object, **__: object) -> Tally:
        tally = Tally()
        assert match.openings == BalancedSuite(match.seed)
        for number in range(100):
            result = "x" if number < score else "o"
            for game in (1, 2):
                sides = (match.first, match.second)[:: 1 if game == 1 else -1]
                own = result if game == 1 else "ox"["xo".index(result)]
                tally.add(Record(match.game, *sides, (), own, "rules", round=2 * number + game))
        return tally

    monkeypatch.setattr(tune, "measure", played)
    assert tuning.confirm()[1] is gained


def test_numbers_that_are_as_before_need_no_match() -> None:
    tally, gained = Tuning(PLAN).confirm()
    assert (tally.games, gained) == (0, False)


def test_a_whole_number_is_played_as_one_of_its_neighbours_and_stays_in_range() -> None:
    depth = Parameter("depth", 4, of_evaluation=False, low=1, high=5)
    played = [depth.round_value(3.25, share / 100) for share in range(100)]
    assert (set(played), played.count(4)) == ({3, 4}, 25)
    assert (depth.round_value(0.2, 0.0), depth.round_value(99.0), depth.within(-3)) == (1, 5, 1)
    assert Parameter("scale", 8.0, of_evaluation=False).round_value(1.23456) == 1.235


def test_the_fields_of_an_evaluation_stand_in_the_spec() -> None:
    plan = TuningPlan("othello", "engine", "mobility")
    (corner,) = parameters(plan)
    assert (corner.name, corner.start, corner.of_evaluation) == ("corner", 8, True)
    assert Tuning(plan).spec({"corner": 11}) == "engine:evaluation=mobility/corner=11"
    othello = papan.game("othello")
    assert evaluation_named(othello, "mobility/corner=11").corner == 11
    assert write_evaluation(othello, "mobility", {"corner": 8}) == "mobility"
    assert read_evaluation(othello, "learned") is None
    for text in ("mobility/edge=3", "mobility/corner=x", "mobility/corner", "mobilty/corner=3"):
        with pytest.raises(InvalidSpec):
            evaluation_named(othello, text)


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (TuningPlan("othello", "engine", "mobilty"), "mobility"),
        (TuningPlan("othello", "engine"), "--evaluation"),
        (TuningPlan("othello", "engine", names=("corner",)), "corner"),
        (TuningPlan("othello", "mcts", names=("exploraton",)), "exploration"),
        (TuningPlan("othello", "random", "mobility"), "random"),
    ],
)
def test_what_cannot_be_tuned_is_said_in_one_line(plan: TuningPlan, named: str) -> None:
    with pytest.raises(UsageError, match=named) as error:
        Tuning(plan)
    assert "\n" not in str(error.value)
