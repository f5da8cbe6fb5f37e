"""The modules of the package: current, small, and built on demand for other games."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

import papan
from papan.browser import linker, modules
from papan.browser.facts import facts_of
from papan.browser.modules import FOLDER, compiled, module_for
from papan.build_modules import games, outdated
from papan.core.game import Game
from wasm.node import NODE, NodeEngine

#: Largest size of all modules in bytes.
MOST = 4_500_000

HAS_LINKER = pytest.mark.skipif(
    not (shutil.which("wasm-ld") or list(Path("/usr/bin").glob("wasm-ld-*"))),
    reason="there is no wasm-ld: apt install lld",
)

OWN = """
from typing import NamedTuple

from papan.gamekit import WIN, Bits, Game, Grid, final_value, max_plies_left, moves, play, popcount

BOARD = Grid(1, 5)


class State(NamedTuple):
    left: Bits
    side: int


@moves.register(State)
def _(state: State) -> Bits:
    return state.left


@play.register(State)
def _(state: State, move: int) -> State:
    return State(state.left & ~(Bits(1) << move), 1 - state.side)


@final_value.register(State)
def _(state: State) -> int:
    return -WIN


@max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.left)


class Last(Game):
    \"\"\"Take a square; whoever takes the last one wins.\"\"\"

    board = BOARD

    def start_state(self) -> State:
        return State(BOARD.mask, 0)
"""


def test_modules_are_built_from_the_sources_of_today() -> None:
    assert [game.name for game in outdated()] == [], "run python -m papan.build_modules"


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.name, marks=[] if index % 10 == 0 else [pytest.mark.thorough])
        for index, game in enumerate(games())
    ],
)
def test_facts_are_those_of_today(game: Game) -> None:
    stored = json.loads((FOLDER / f"{game.name}.json").read_text(encoding="utf-8"))
    found = json.loads(json.dumps(facts_of(game)))
    assert 0 < found.pop("lead") < 4 * stored.pop("lead")  # an estimate within some time
    assert found == stored


def test_all_modules_fit_in_the_package() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < MOST


def test_a_module_is_small() -> None:
    for file in FOLDER.glob("*.wasm"):
        assert len(gzip.compress(file.read_bytes())) < 70_000, file.name


def test_options_of_a_game_need_no_other_module() -> None:
    game = papan.game("adjacency:rounds=8,first=o")
    assert modules.is_ready(game)
    assert module_for(game).data["longest"] == 16


@HAS_LINKER
@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_a_game_of_ones_own_is_compiled_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "last.py"
    file.write_text(OWN, encoding="utf-8")
    game = papan.game(str(file))
    said: list[Game] = []
    module = module_for(game, said.append)
    with NodeEngine(module, tmp_path) as node:
        assert node.ask("solve", moves=[])["value"] == 10_000 - 5
    monkeypatch.setattr(modules, "compiled", lambda game: pytest.fail("compiled again"))
    assert module_for(game, said.append).wasm == module.wasm
    assert len(said) <= 1


def test_a_machine_without_a_linker_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(linker, "find_spec", lambda name: None)
    monkeypatch.setattr(Path, "glob", lambda path, pattern: iter(()))
    with pytest.raises(linker.NoLinker, match="install the package lld, or papan\\[export\\]"):
        compiled(papan.game("tictactoe"))


@HAS_LINKER
def test_what_no_browser_has_is_named(tmp_path: Path) -> None:
    file = tmp_path / "last.py"
    broken = OWN.replace(
        "    return popcount(state.left)", "    return len(str(state.side)) * popcount(state.left)"
    )
    file.write_text(broken, encoding="utf-8")
    with pytest.raises(papan.PapanError, match=r"browser|'str'"):
        compiled(papan.game(str(file)))
