"""Kernels answer as plain Python where no machine code is ready and none is to be waited for."""

from pathlib import Path

import pytest

import papan
from papan.jit import interpreter
from papan.jit.interpreter import FEW_MOVES, without_compiling
from papan.players.registry import player
from papan.search.limits import Limit
from papan.usercode import registry
from papan.usercode.gallery import gallery
from support import at_length, run_python

KERNELS = """
from papan.jit.compiler import kernel, part
from papan.jit.interpreter import without_compiling

@part
def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)

@kernel
def doubled(number: int) -> int:
    return 2 * factorial(number)
"""

CALLS = """
with without_compiling(runs=False) as none:
    print(doubled(4), end=" ")
print(none.is_plain, end="; ")
with without_compiling() as first:
    print(doubled(4), first.is_plain, len(doubled.signatures), end="; ")
print(doubled(4), len(doubled.signatures), end="; ")
with without_compiling() as second:
    print(doubled(5), second.is_plain)
"""


def test_the_first_answer_is_not_compiled_and_machine_code_is_taken_as_soon_as_it_is_kept(
    tmp_path: Path,
) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    found = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from kernels import *\n"
    runs = [run_python(found + CALLS, PAPAN_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert [run.stdout.strip() for run in runs] == [
        "True; 48 True 0; 48 1; 240 False",
        "48 False; 48 False 1; 48 1; 240 False",
    ], runs


#: Games whose rules take numbers of moves in each way: shifts, tables, places, several steps.
QUICK = ("connect_four", "corners", "kalah", "morris")


@pytest.mark.parametrize("spec", ["engine", "level:4", "mcts"])
@pytest.mark.parametrize(
    "name", [*QUICK, *at_length(*sorted({*registry.names(), *gallery()} - {*QUICK}))]
)
def test_players_answer_for_every_game_without_machine_code(
    name: str, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "is_ready", lambda *_: False)
    start, asked = papan.game(name).start(), player(spec)
    if len(start.codes()) > FEW_MOVES:
        pytest.skip("it is compiled: plain Python takes longer")
    with without_compiling() as answer:
        asked.new_game(start.game, 1)
        choice = asked.choose(start, Limit(seconds=0.1))
    assert answer.is_plain
    assert choice.move in start.moves()
