"""A game that breaks a promise is caught, and the message says which promise, where."""

import pytest

import papan
from fakes import broken_rules, broken_texts, broken_values  # noqa: F401  # note their breakers
from fakes.breaking import BREAKERS, Breaker
from papan.errors import BrokenContract, PapanError
from papan.messages import catalogue
from papan.testing import check_game


def never_compile(patch: pytest.MonkeyPatch) -> None:
    """Keeps wrong rules out of the compiled code of this process and of the cache on disk."""
    patch.setattr("papan.testing.compiled.compiled_rules_agree", lambda visit: None)


CASES = [(promise, breaker) for promise, found in BREAKERS.items() for breaker in found]


@pytest.mark.parametrize(
    ("promise", "breaker"), CASES, ids=[breaker.__name__ for _, breaker in CASES]
)
def test_a_broken_promise_is_named(
    promise: str, breaker: Breaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    if promise != "compiled":
        never_compile(monkeypatch)
    with pytest.raises(BrokenContract) as caught:
        check_game(breaker(monkeypatch), games=10)
    assert caught.value.values["promise"] == f"@contract.{promise}"
    assert catalogue()[f"contract.{promise}"]["en"] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_promise_has_a_game_that_breaks_it() -> None:
    promises = {name for name in catalogue() if name.startswith("contract.")}
    assert {f"contract.{promise}" for promise in BREAKERS} == promises - {"contract.broken"}


def test_the_message_names_game_position_and_move(monkeypatch: pytest.MonkeyPatch) -> None:
    never_compile(monkeypatch)
    broken_values.a_leaf_value_that_forgets_the_flips(monkeypatch)
    with pytest.raises(BrokenContract) as caught:
        check_game("adjacency:size=4", games=10)
    game, line, move = caught.value.values["where"].split("'")
    assert game == "adjacency:size=4 "
    assert move.strip() in papan.game("adjacency:size=4").position(line).moves()


def test_a_spec_that_names_no_game_is_a_usage_error() -> None:
    with pytest.raises(PapanError, match="checkers"):
        check_game("checkers")
