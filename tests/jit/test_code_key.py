"""The key of compiled code changes with what a user's rules are made of, and with nothing else."""

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.typed import List

from papan.jit.code_key import Untracked, key_of
from papan.rules import operations
from papan.rules.dispatch import Operation

GAME = """
import os
from pathlib import Path
from typing import NamedTuple
import numpy as np
from papan.rules.dispatch import helper
from papan.rules.operations import moves, play
import tables

STEP = int(os.environ.get("STEP", "2"))
TABLE = np.fromfile(Path(__file__).with_name("table.bin"), np.uint8)
LOOSE = [1, 2]

class State(NamedTuple):
    left: int

@helper
def taken(move):
    return move + STEP

def least(number):
    def rule(state):
        return np.uint64(number + tables.WIDTH + len(LOOSE))
    return rule

moves.register(State)(least(4))

@play.register(State)
def _(state, move):
    return State(state.left - taken(move) - TABLE[move])
"""

OVERRIDE = """
from papan.games.platforms.rules import PlatformsState
from papan.rules.operations import play

@play.register(PlatformsState)
def _(state, move):
    return state
"""

OPERATIONS = [item for item in vars(operations).values() if isinstance(item, Operation)]


def kernel(state: Any) -> int:
    return 0


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Loads the game anew, with changes in its text and in what it reads."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setitem(sys.modules, "tables", ModuleType("tables"))

    def loaded(*change: str, width: int = 8, table: bytes = b"abc", step: str = "") -> ModuleType:
        (tmp_path / "table.bin").write_bytes(table)
        path = tmp_path / "keyed.py"
        path.write_text(GAME.replace(*change) if change else GAME)
        sys.modules["tables"].WIDTH = width  # type: ignore[attr-defined]  # a made module
        with monkeypatch.context() as patch:
            if step:
                patch.setitem(os.environ, "STEP", step)
            spec = importlib.util.spec_from_file_location("keyed", path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        return module

    return loaded


def key(module: ModuleType) -> str:
    return key_of(kernel, [module.State], OPERATIONS)


def test_the_key_stays_when_the_file_is_loaded_again(load: Callable[..., ModuleType]) -> None:
    assert key(load()) == key(load())


@pytest.mark.parametrize(
    "change",
    [
        {"change": ("move + STEP", "move - STEP")},  # a helper that a rule calls
        {"change": ("least(4)", "least(5)")},  # a value in a closure
        {"change": ("[1, 2]", "[1, 3]")},
        {"change": ("left: int", "left: int\n    right: int = 0")},
        {"width": 9},  # of a module beside the file
        {"table": b"abd"},  # a data file that it reads
        {"step": "3"},  # a variable of the environment
    ],
)
def test_the_key_changes_with_all_that_rules_are_made_of(
    load: Callable[..., ModuleType], change: dict[str, Any]
) -> None:
    before = key(load())
    changed = load(*change.pop("change", ()), **change)
    assert key(changed) != before


def test_a_rule_for_a_game_of_papans_changes_the_keys_of_all_kernels() -> None:
    before = key_of(kernel, [], OPERATIONS)
    overridden = Operation(lambda state, move: None)
    overridden.__module__, overridden.__name__ = "papan.rules.operations", "play"
    exec(OVERRIDE.replace("from papan.rules.operations import play", ""), {"play": overridden})
    assert key_of(kernel, [], [*OPERATIONS, overridden]) != before


def test_a_value_that_has_no_digest_is_refused_by_its_type(
    load: Callable[..., ModuleType],
) -> None:
    module = load()
    module.LOOSE = List([np.int64(1)])  # type: ignore[attr-defined]  # numba can freeze neither
    with pytest.raises(Untracked, match="List"):
        key(module)
