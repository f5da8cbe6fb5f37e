"""A failing rule of a user's file: one error with file, line, rule and reason, whoever calls it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import papan
from papan.core.game import Game, Position
from papan.errors import InvalidPosition, RuleFailure
from papan.rules import operations as rules
from papan.search.limits import Stop, run_stoppable

SOURCE = (Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py").read_text("utf-8")
PLAY = "    return State(state.theirs, state.mine | bit(move), 1 - state.side)\n"
#: Rules that fail late: `play` at c1 after b2 a1 c3 b1, and methods once `FAILS` is set.
FAILING_PLAY = """    stones = state.mine | (state.theirs << 1)
    if move == 18 and stones == bit(2) | bit(9) | bit(17) | bit(18):
        {body}
"""
BEFORE = ("b2", "a1", "c3", "b1")
METHODS = """
    def facts(self, state):
        if FAILS:
            raise KeyError("fact")
        return {}

    @property
    def winning_row(self):
        if FAILS:
            raise SystemExit(3)
        return 3



FAILS = False
"""


def _position(folder: Path, name: str, body: str, methods: str = "") -> Position:
    """The start position of a game with a rule for `play` that fails late."""
    path = folder / f"{name}.py"
    assert SOURCE.count(PLAY) == 1
    changed = SOURCE.replace(PLAY, FAILING_PLAY.format(body=body) + PLAY)
    path.write_text(changed.rstrip() + "\n" + methods, encoding="utf-8")
    return papan.game(str(path)).start()


@pytest.mark.parametrize(
    ("body", "reason"),
    [("raise ValueError('why')", "ValueError: why"), ("raise SystemExit", "SystemExit")],
)
def test_an_operation_that_fails(tmp_path: Path, body: str, reason: str) -> None:
    name = f"late_{len(body)}"
    position = _position(tmp_path, name, body).play(*BEFORE)
    for call in (
        lambda: position.play("c1"),
        lambda: rules.play(position.state, 18),
    ):
        with pytest.raises(RuleFailure, match=rf"{name}\.py, line \d+: .*'play'.*{reason}"):
            call()


def test_a_papan_error_of_a_rule_passes_unchanged(tmp_path: Path) -> None:
    body = "from papan.errors import InvalidPosition; raise InvalidPosition('position.empty')"
    position = _position(tmp_path, "papan_error", body).play(*BEFORE)
    with pytest.raises(InvalidPosition, match="position") as caught:
        position.play("c1")
    assert type(caught.value) is InvalidPosition


def test_methods_and_properties_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = _position(tmp_path, "methods", "pass", METHODS)
    game = position.game
    module = sys.modules[type(game).__module__]
    monkeypatch.setattr(module, "FAILS", True)
    with pytest.raises(RuleFailure, match=r"methods\.py, line \d+: .*'facts'.*fact"):
        position.facts()
    with pytest.raises(RuleFailure, match=r"methods\.py, line \d+: .*'winning_row'.*SystemExit"):
        assert game.winning_row == 3


def test_a_solver_in_a_user_s_file_that_fails(tmp_path: Path) -> None:
    solver = "\n\ndef solve():\n    return {}[1]\n"
    position = _position(tmp_path, "solver", "pass", solver)
    module = sys.modules[type(position.game).__module__]
    with pytest.raises(RuleFailure, match=r"solver\.py, line \d+: .*KeyError"):
        run_stoppable(module.solve, Stop())


def test_failures_of_other_code_are_left_alone() -> None:
    class Broken(type(papan.game("corners"))):  # type: ignore[misc]  # a class like any other
        def allows(self, state: object) -> bool:
            raise ZeroDivisionError

    game: Game = Broken()
    with pytest.raises(ZeroDivisionError):
        game.allows(game.start_state())
