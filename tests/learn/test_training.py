"""Learning learns, the same from the same seed, and goes on where it was ended."""

import itertools
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.core.game import Game
from papan.errors import InvalidSpec
from papan.learn import threads
from papan.learn.choice import evaluation_named
from papan.learn.learner import Team, join_weights
from papan.learn.matches import EvaluationMatch, MatchRules
from papan.learn.self_play import ResultTarget, SearchTarget, TraceTarget, next_target
from papan.learn.training import (
    GATE,
    GROWTH,
    Milestone,
    Training,
    TrainingPlan,
    milestone_of,
    score_facts,
)
from papan.learn.weights import read, read_arrays, write_arrays
from papan.players.registry import player
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.algorithm import search
from papan.search.limits import Limit, Stop
from papan.search.registry import algorithm
from papan.solve.solve import solve
from papan.stats.counts import Pentanomial, Trinomial
from papan.stats.sprt import Sprt
from papan.usercode.registry import game

SMALL = TrainingPlan(games=2000, seed=1)


def trained(rules_: Game, plan: TrainingPlan, out: Path | None = None) -> Training:
    training = Training(rules_, plan, out)
    for _ in training.run():
        pass
    return training


def games_lost(rules_: Game, evaluation: Evaluation, side: int) -> int:
    """Games that a side loses which looks one move ahead, against every way to play."""
    lost, waiting = 0, [rules_.start()]
    while waiting:
        position = waiting.pop()
        codes = position.codes()
        if not codes:
            outcome = position.outcome()
            lost += outcome is not None and outcome.winner == "xo"[1 - side]
            continue
        if rules.side_to_move(position.state) == side:
            values = [rules.evaluate_after(evaluation, position.state, code, 0) for code in codes]
            codes = [codes[values.index(max(values))]]
        waiting += [position.after(code) for code in codes]
    return lost


@pytest.mark.thorough
def test_tic_tac_toe_is_learnt_to_perfect_play() -> None:
    """Looking one move ahead, it never loses, as the solver says that nobody need."""
    rules_ = game("tictactoe")
    assert solve(rules_.start()).outcome == "draw"
    training = trained(rules_, SMALL)
    learned, untrained = training.best.evaluation, rules_.evaluations["none"]
    assert [games_lost(rules_, learned, side) for side in (0, 1)] == [0, 0]
    assert games_lost(rules_, untrained, 1) > 0
    assert training.history[-1].error < 0.2


def test_the_same_seed_gives_the_same_weights_and_another_one_others(tmp_path: Path) -> None:
    plan = TrainingPlan(games=600, seed=3)
    one, two = (trained(game("tictactoe"), plan).learner.quantise() for _ in range(2))
    assert (one.values == two.values).all()
    other = trained(game("tictactoe"), TrainingPlan(games=600, seed=4)).learner.quantise()
    assert (one.values != other.values).any()


def test_a_training_that_was_ended_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    rules_, out = game("tictactoe"), tmp_path / "some.weights"
    plan = TrainingPlan(games=6000, seed=5)
    ended = Training(rules_, plan, out)
    next(ended.run())  # the process may die after any measurement
    assert ended.games < 6000
    resumed = Training(rules_, plan, out)
    assert resumed.is_resumed and resumed.games == ended.games
    assert resumed.history == ended.history
    for _ in resumed.run():
        pass
    whole = trained(rules_, plan)
    assert (resumed.learner.weights == whole.learner.weights).all()
    assert [each.against_fixed for each in resumed.history] == [
        each.against_fixed for each in whole.history
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"]


def test_stopping_keeps_the_best_so_far(tmp_path: Path) -> None:
    rules_, out = game("tictactoe"), tmp_path / "some.weights"
    training = Training(rules_, TrainingPlan(games=10_000, seed=1), out)
    milestones = list(training.run(lambda: training.games > 3000))
    assert training.games > 3000 > milestones[-1].games > 0
    assert out.is_file() == training.has_kept
    assert out.with_name("some.weights.part").is_file()


def test_a_measurement_that_was_stopped_is_played_again(tmp_path: Path) -> None:
    rules_, out, plan = game("tictactoe"), tmp_path / "some.weights", TrainingPlan(games=300)
    stopped = Training(rules_, plan, out)
    assert list(stopped.run(lambda: stopped.games > 0)) == []
    assert stopped.games == 300
    resumed = Training(rules_, plan, out)
    assert [each.games for each in resumed.run()] == [300]
    assert resumed.history[0].against_best == trained(rules_, plan).history[0].against_best


def test_a_checkpoint_of_an_earlier_version_is_named(tmp_path: Path) -> None:
    rules_, out, plan = game("tictactoe"), tmp_path / "some.weights", TrainingPlan(games=9)
    Training(rules_, plan, out)._write_part()
    header, arrays = read_arrays(part := tmp_path / "some.weights.part")
    del header["checkpoint"]
    write_arrays(part, header, arrays)
    with pytest.raises(InvalidSpec, match=r"some\.weights\.part.* earlier version"):
        Training(rules_, plan, out)


def test_a_damaged_file_of_an_ended_training_is_named(tmp_path: Path) -> None:
    rules_, out, plan = game("tictactoe"), tmp_path / "some.weights", TrainingPlan(games=9)
    training = Training(rules_, plan, out)
    training._write_part()
    header, arrays = read_arrays(part := tmp_path / "some.weights.part")
    assert Training(rules_, plan, out).is_resumed
    best = {**header["best"], "spread": 99}
    odd: list[dict[str, Any]] = [{"seconds": "x"}, {"history": [{}]}, {"facts": {}}, {"best": best}]
    for changes in odd:
        write_arrays(part, header | changes, arrays)
        with pytest.raises(InvalidSpec, match=r"some\.weights\.part"):
            Training(rules_, plan, out)


def test_a_batch_ends_in_the_middle_of_a_game_when_its_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(work: Callable[[], None], stop: Stop, seconds: float | None) -> None:
        assert seconds == 7.0
        stop.set()
        work()

    training = Training(game("tictactoe"), TrainingPlan(seed=1))
    training.prepare()
    monkeypatch.setattr(threads, "run_stoppable", stopped)
    training.learner.learn(training.settings, 7.0)
    assert training.games == 0
    match = match_of(training, training.best.evaluation)
    match.play(3, 7.0)
    assert match.games.games == match.visited == 0


def test_a_training_gives_batches_and_measurements_no_more_time_than_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float | None] = []

    def noted(work: Callable[[], None], stop: Stop, seconds: float | None) -> None:
        given.append(seconds)
        work()

    monkeypatch.setattr(threads, "run_stoppable", noted)
    trained(game("tictactoe"), TrainingPlan(seconds=1e-6, seed=1))
    assert given and all(each is not None and each <= 1e-6 for each in given)


def test_what_is_kept_is_the_strongest_that_was_measured(tmp_path: Path) -> None:
    training = trained(game("tictactoe"), SMALL, tmp_path / "some.weights")
    kept = [each for each in training.history if each.is_best][-1]
    assert training.best.training["games"] == kept.games
    assert training.best.strength["score"] == round(kept.against_fixed.score, 4)
    weights, changed = read(tmp_path / "some.weights", game("tictactoe"))
    assert (weights.values == training.best.values).all() and not changed


def test_the_first_weights_are_kept_at_the_end_even_if_nothing_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.learn.training.GATE", Sprt(0.0, 0.001))
    out = tmp_path / "some.weights"
    training = trained(game("tictactoe"), TrainingPlan(games=600, seed=1), out)
    assert not any(each.is_best for each in training.history)
    assert training.history[-1].against_best.score >= 0.5
    assert training.has_kept and out.is_file()
    assert training.best.training["games"] == training.history[-1].games


def test_new_weights_replace_the_best_ones_when_the_test_accepts_them() -> None:
    training = trained(game("tictactoe"), SMALL)
    growing = [each.games for each in training.history]
    assert all(later >= GROWTH * earlier for earlier, later in itertools.pairwise(growing[:-1]))
    assert [each.is_best for each in training.history] == [
        GATE.test(each.pairs).decision == "H1" for each in training.history
    ]
    for earlier, later in itertools.pairwise(training.history):
        # An undecided test goes on with the games that it has.
        goes_on = earlier.decision == "continue"
        assert not goes_on or later.pairs.units > earlier.pairs.units
        assert later.pairs.games == later.against_best.games


def test_self_play_searches_deeper_once_learning_stalls() -> None:
    training = Training(game("tictactoe"), TrainingPlan(seed=1))
    even, pairs = Trinomial(5, 0, 5), Pentanomial(0, 0, 5, 0, 0)
    decisions = ["continue", "H1", "H0", "continue", "H1"]
    depths = []
    for decision in decisions:
        is_best = decision == "H1"
        facts = (1.0, 2, 3, 4, 0.5, 6, even, pairs, 0.1, decision, even, is_best)
        training.history.append(Milestone(*facts))
        depths.append(training.depth)
    assert depths == [1, 1, 1, 2, 2]


def match_of(training: Training, opponent: Evaluation, **options: Any) -> EvaluationMatch:
    rules_ = MatchRules(0, 20, 1)
    mine = training.learner.quantise().evaluation
    return EvaluationMatch(training.game, mine, opponent, rules_, seed=1, **options)


def test_a_match_goes_on_where_it_was_left() -> None:
    training = trained(game("tictactoe"), TrainingPlan(games=300, seed=1))
    opponent = training.game.evaluations["none"]
    whole, parts = match_of(training, opponent), match_of(training, opponent)
    whole.play(6)
    for _ in range(3):
        parts.play(2)
    assert (whole.games, whole.pairs) == (parts.games, parts.pairs)
    assert whole.games.games == whole.pairs.games == 12
    assert whole.games.score == whole.pairs.score
    assert whole.visited == parts.visited > 12


def test_equal_evaluations_share_the_points_of_each_pair() -> None:
    training = Training(game("tictactoe"), TrainingPlan(seed=1))
    match = match_of(training, training.best.evaluation, threads=2)
    match.play(5)
    assert match.pairs.even == match.pairs.units == 10


@pytest.mark.thorough
def test_the_engine_plays_by_a_file_of_weights(tmp_path: Path) -> None:
    rules_, file = game("tictactoe"), tmp_path / "some.weights"
    trained(rules_, SMALL, file)
    evaluation = evaluation_named(rules_, str(file))
    found = search(
        rules_.start(), Limit(depth=2), algorithm=algorithm("engine"), evaluation=evaluation
    )
    assert found.chance is not None and 0.3 < found.chance < 0.9
    assert found.as_dict()["chance"] == round(found.chance, 4)
    bot = player(f"engine:depth=2,evaluation={file}")
    bot.new_game(rules_, 1)
    assert bot.choose(rules_.start(), Limit()).move in rules_.start().moves()


@pytest.mark.thorough
def test_two_threads_learn_together(tmp_path: Path) -> None:
    rules_ = game("tictactoe")
    training = trained(rules_, TrainingPlan(games=9000, workers=2, seed=1))
    assert training.games >= 9000
    # The order of their changes depends on the machine, so not quite perfect play.
    untrained = games_lost(rules_, rules_.evaluations["none"], 0)
    assert games_lost(rules_, training.best.evaluation, 0) < untrained / 4


def test_weights_are_joined_by_what_each_process_has_seen() -> None:
    before = np.zeros((1, 2, 4), dtype=np.float32)
    one, two = before.copy(), before.copy()
    one[0, 0, :3], two[0, 0, :3] = (1.0, 0.5, 3.0), (0.0, 0.5, 1.0)
    found = join_weights(before, [one, two])
    assert found[0, 0, :3].tolist() == [0.75, 1.0, 4.0]
    assert found[0, 1].tolist() == [0.0] * 4


def test_targets_mix_what_came_later_with_what_was_searched() -> None:
    assert next_target(TraceTarget(0.75), 1.0, 0.0) == 0.75
    assert next_target(SearchTarget(), 1.0, 0.25) == 0.25
    assert next_target(ResultTarget(), 1.0, 0.25) == 1.0


def test_a_score_has_its_interval() -> None:
    clear, even = Trinomial(10, 0, 0), Trinomial(50, 0, 50)
    assert (score_facts(clear)["score"], score_facts(clear)["error"]) == (1, 0)
    assert (score_facts(even)["score"], score_facts(even)["error"]) == (0.5, 0.098)
    assert score_facts(Trinomial())["score"] == 0
    pairs = Pentanomial(1, 0, 2, 0, 1)
    milestone = Milestone(1.0, 2, 3, 4, 0.5, 6, even, pairs, 0.1, "continue", even, False)
    assert milestone_of(milestone.as_dict()) == milestone


class OneDies(Executor):
    """Workers of which the first one is lost in the first round."""

    workers = 3

    def __init__(self) -> None:
        self.asked = 0

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        self.asked += 1
        if self.asked == 1:
            done.set_exception(BrokenProcessPool())
        else:
            done.set_result(work(*args, **kwargs))
        return done


def test_a_lost_worker_costs_its_share_only() -> None:
    training = Training(game("tictactoe"), TrainingPlan(games=1, seed=1))
    team = Team(training.learner, training.settings, OneDies())
    team.learn()
    assert training.games == 2 * training.settings.games
    assert np.any(training.learner.weights)
    team.learn()
    assert training.games >= 5 * training.settings.games


def test_workers_play_no_more_than_the_games_that_are_left() -> None:
    training = Training(game("tictactoe"), TrainingPlan(games=1, seed=1))
    team = Team(training.learner, training.settings, OneDies())
    team.batches = 64
    team.learn(4 * 3 * training.settings.games)
    assert training.games == 4 * 2 * training.settings.games
