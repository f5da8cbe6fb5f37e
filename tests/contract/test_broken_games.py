"""A game that breaks a promise is caught, and the message says which promise, where."""

from pathlib import Path

import pytest

import papan
from fakes import broken_rules, broken_texts, broken_values  # noqa: F401  # note their breakers
from fakes.breaking import BREAKERS, Breaker
from papan.core.readiness import ready
from papan.errors import BrokenContract, PapanError
from papan.messages import catalogue
from papan.testing import check_game

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "games"


@pytest.fixture(autouse=True)
def _plain_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions that another test has compiled would have the right rules."""
    for game in [*ready]:
        monkeypatch.delitem(ready, game)


def never_compile(patch: pytest.MonkeyPatch) -> None:
    """Keeps wrong rules out of the compiled code of this process and of the cache on disk."""
    patch.setattr("papan.usercode.contract.check.GameCheck.many_games", lambda check, seconds: [])


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


RARELY_WRONG = """
MINE, THEIRS = bit(0) | bit(9) | bit(17), bit(2) | bit(8) | bit(18)
SIDES = np.array([1, 0])

@play.register(State)
def _(state: State, move: int) -> State:
    side = 1 - state.side
    if state.mine == MINE and state.theirs == THEIRS:
        side = {wrong}
    return State(state.theirs, state.mine | bit(move), side)

class TicTacToe(Game):"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("state.side", "the sides take turns"),
        ("SIDES[state.side + 99]", "IndexError"),  # compiled, it reads whatever is there
    ],
)
def test_a_rule_that_is_wrong_in_one_of_a_thousand_positions_is_found(
    wrong: str, said: str, tmp_path: Path
) -> None:
    source = (EXAMPLES / "tictactoe.py").read_text()
    wrong_play = RARELY_WRONG.replace("{wrong}", wrong)
    path = tmp_path / "rarely.py"
    path.write_text("import numpy as np\n" + source.replace("class TicTacToe(Game):", wrong_play))
    with pytest.raises(BrokenContract, match=said) as caught:
        check_game(str(path), games=0)
    assert "'x1o/ox1/1xo x'" in str(caught.value)


def test_a_spec_that_names_no_game_is_a_usage_error() -> None:
    with pytest.raises(PapanError, match="backgammon"):
        check_game("backgammon")
