"""Two kinds of features race, and the better one goes on."""

from dataclasses import replace

import pytest

from papan.learn import race
from papan.learn.learner import Learner
from papan.learn.race import Race, variants
from papan.learn.self_play import SelfPlaySettings, TraceTarget
from papan.learn.survey import survey
from papan.learn.training import Training, TrainingPlan, settings_for
from papan.usercode.registry import game


@pytest.fixture(scope="module")
def racers() -> Race:
    rules = game("connect_four")
    plain, *richer = variants(survey(rules))
    settings: SelfPlaySettings = settings_for(plain, TrainingPlan())._replace(games=10)
    return Race(Learner(rules, plain, 1, target=TraceTarget(0.8)), richer, settings)


@pytest.mark.parametrize(
    ("least", "own", "chosen"),
    [(0.0, 1.1, ("play", "")), (1.1, 0.0, ("", "open-fours")), (1.1, 1.1, ("", ""))],
)
def test_the_network_that_goes_on_depends_on_the_matches(
    racers: Race,
    monkeypatch: pytest.MonkeyPatch,
    least: float,
    own: float,
    chosen: tuple[str, str],
) -> None:
    monkeypatch.setattr(race, "PAIRS", 2)
    monkeypatch.setattr(race, "NODES", 10)
    monkeypatch.setattr(race, "LEAST_SCORE", least)
    monkeypatch.setattr(race, "LEAST_OWN", own)
    facts = racers.run(20, None).facts
    assert (facts.fillable, facts.own_value) == chosen
    assert all(learner.games >= 20 for learner in racers.learners)


def test_a_race_that_is_stopped_goes_on_with_the_first_network(racers: Race) -> None:
    assert racers.run(1000, None, stop=lambda: True) is racers.learners[0]


def test_weights_that_are_trained_further_keep_their_features() -> None:
    rules = game("connect_four")
    facts = replace(survey(rules), fillable="")
    start = Learner(rules, facts, 1, target=TraceTarget(0.8)).quantise()
    training = Training(rules, TrainingPlan(games=10), start=start)
    assert training.learner.facts.fillable == ""
