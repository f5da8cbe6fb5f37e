"""A rule that never ends, but only late in a game, which the smoke test does not reach: whatever
searches ends with its line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from numba.core.compiler_lock import global_compiler_lock

import papan
from papan.core.game import Position
from papan.errors import InvalidGame, Unsolved
from papan.learn.training import Training, TrainingPlan
from papan.play.table import ask
from papan.players.registry import player
from papan.search import limits
from papan.search.perft import divide, perft
from papan.search.trace import trace
from papan.solve.solve import solve
from papan.usercode import watchdog
from support import PATIENCE, at_length, thoroughly

RULES = Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py"
PLAY = "    return State(state.theirs, state.mine | bit(move), 1 - state.side)\n"
#: After b2 a1 c3 b1, the move c1 works for longer than one waits. What a test leaves behind ends
#: some time after it, so that it takes nothing from later tests.
ENDLESS = """    stones = state.mine | (state.theirs << 1)
    if move == 18 and stones == bit(2) | bit(9) | bit(17) | bit(18):
        for _ in range(1 << 33):
            move = (move ^ (move << 7)) & 0xFFFF_FFFF
            move ^= move >> 9
        move &= 7
"""


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Position:
    """The position after which a move works without end."""
    file: Path = tmp_path_factory.mktemp("endless") / "late.py"
    rules = RULES.read_text(encoding="utf-8")
    assert rules.count(PLAY) == 1
    file.write_text(rules.replace(PLAY, ENDLESS + PLAY), encoding="utf-8")
    position = papan.game(str(file)).start()
    for move in ("b2", "a1", "c3", "b1"):
        position = position.play(move)
    return position


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "SECONDS", 0.3)


def _level(position: Position) -> object:
    playing = player("level:2")
    playing.new_game(position.game, 1)
    return [ask(playing, position, limits.Limit()) for _ in range(20)]


SEARCHES: dict[str, Callable[[Position], object]] = {
    "perft": lambda position: divide(position, 3),
    "time": lambda position: papan.analyse(position, algorithm="alphabeta", time=0.2),
    "engine": lambda position: papan.analyse(position, depth=3),
    "mcts": lambda position: papan.analyse(position, algorithm="mcts", nodes=10_000),
    "solver": solve,
    "tree": lambda position: trace(position, 2),
    "level": _level,
    "tablebase": lambda position: papan.tablebase(position.game, workers=2),
}


# First: rules that go on after a test take the processor from others.
@pytest.mark.parametrize("name", ["perft", *thoroughly("training"), *at_length("solver")])
def test_long_work_that_goes_on_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Compiling, and tables that grow, take longer than a search may stand still."""
    monkeypatch.setattr(limits, "STANDSTILL", 0.4)
    rules = (RULES.parent / "connect_four.py").read_text(encoding="utf-8")
    (tmp_path / f"own_{name}.py").write_text(rules, encoding="utf-8")
    start = papan.game(str(tmp_path / f"own_{name}.py")).start()
    if name == "perft":
        assert perft(start, 6) == 117_649
        monkeypatch.setattr(limits, "STANDSTILL", 0.15)  # it takes longer below each move
        assert perft(start.play("d"), 11) > 10**9
    elif name == "solver":
        with pytest.raises(Unsolved):
            solve(start, limit=limits.Limit(seconds=6))
    else:
        assert [*Training(start.game, TrainingPlan(games=200, seed=1)).run()]


@pytest.mark.parametrize(
    "name",
    [
        "perft",
        *thoroughly("engine"),
        *at_length("time", "mcts", "solver", "level", "tree", "tablebase"),
    ],
)
def test_a_search_ends_with_the_line(endless: Position, name: str) -> None:
    with pytest.raises(InvalidGame, match=r"late\.py, line \d\d: .*it ran for more than"):
        SEARCHES[name](endless)


def test_plain_python_is_interrupted_in_any_thread(endless: Position) -> None:
    found: list[BaseException] = []

    def play() -> None:
        try:
            endless.play("c1")
        except InvalidGame as error:
            found.append(error)

    for _ in range(2):
        thread = threading.Thread(target=play)
        thread.start()
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert len(found) == 2
    assert "late.py, line" in str(found[0]) and "for more than" in str(found[0])


def test_many_short_calls_are_left_alone(
    endless: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "SECONDS", 0.3)
    monkeypatch.setattr(watchdog, "_GUARD_PATIENCE", 0.1)
    random, end = Random(1), time.thread_time() + 1.0
    while time.thread_time() < end:
        position = endless.play("a2")
        while position.outcome() is None:
            position = position.play(random.choice(position.moves()))


def test_compiling_in_another_thread_is_seen() -> None:
    taken, done = threading.Event(), threading.Event()

    def compile_something() -> None:
        with global_compiler_lock:
            taken.set()
            done.wait(PATIENCE)

    thread = threading.Thread(target=compile_something)
    thread.start()
    assert taken.wait(PATIENCE)
    assert limits._is_compiling()
    done.set()
    thread.join()
    assert not limits._is_compiling()
