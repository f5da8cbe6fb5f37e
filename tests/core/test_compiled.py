"""Positions in compiled code equal those in plain Python; failing rules are reported alike."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import papan
from papan.core import readiness
from papan.core.compiled import CompiledPosition
from papan.core.game import Game, Position
from papan.errors import IllegalMove, RuleFailure, UsageError
from support import GALLERY, PATIENCE, thoroughly

FEW = ("amazons", "checkers", "chess", "connect_four", "go", "kalah", "othello")
OTHERS = sorted({path.stem for path in GALLERY.glob("*.py")} - {*FEW})
GAMES = [
    *("tictactoe", "platforms:size=4", "corners"),
    *(str(GALLERY / f"{name}.py") for name in FEW),
    *thoroughly("adjacency", *(str(GALLERY / f"{name}.py") for name in OTHERS)),
]
#: Plies of a compared game, at most.
MOST_PLIES = 120


@pytest.fixture(autouse=True)
def only_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games that are prepared in a test are plain again after it."""
    before = dict(readiness.ready)
    readiness.ready.clear()
    yield
    readiness.ready.clear()
    readiness.ready.update(before)


def facts(position: Position) -> dict[str, Any]:
    """All that can be asked of a position."""
    return {
        "codes": position.codes(),
        "moves": position.moves(),
        "text": str(position),
        "outcome": position.outcome(),
        "over": position.is_over(),
        "line": position.winning_line(),
        "side": position.side,
        "facts": position.facts(),
        "contents": position.game.contents(position.state),
        "past": position.past,
        "keys": (position.key, position.position_key, position.stood),
        "types": [type(field) for field in position.state],
        "state": position.state,
        "hash": hash(position),
    }


def compiled_start(game: Game) -> Position:
    readiness.prepare(game)
    start = game.start()
    assert isinstance(start, CompiledPosition)
    return start


@pytest.mark.parametrize("spec", GAMES)
def test_a_random_game_is_the_same_in_both_forms(spec: str) -> None:
    game, chance = papan.game(spec), Random(1)
    plain, codes = [game.start()], list[int]()
    while len(codes) < MOST_PLIES and (legal := plain[-1].codes()):
        codes.append(chance.choice(legal))
        plain.append(plain[-1].play(codes[-1]))
    expected = [facts(position) for position in plain]
    position = compiled_start(game)
    for index, before in enumerate(plain):
        assert facts(position) == expected[index]
        assert position == before and before == position
        if index < len(codes):
            by_text = position.play(position.moves()[position.codes().index(codes[index])])
            assert by_text == position.play(codes[index]) == position.after(codes[index])
            assert isinstance(by_text, CompiledPosition)
            position = by_text


@pytest.mark.parametrize("spec", ["corners", str(GALLERY / "go.py"), str(GALLERY / "chess.py")])
def test_repetitions_are_the_same_in_both_forms(spec: str) -> None:
    """Pieces go back and forth as long as they may; in Go both sides take back where they can."""
    game, found = papan.game(spec), []
    for start in (game.start(), compiled_start(game)):
        position, lines = start, list[Any]()
        chance = Random(3)
        while len(lines) < 60 and (codes := position.codes()):
            lines.append((codes, position.stood, position.outcome()))
            known = {*position.past}
            back = [child for child in position.children() if child.position_key in known]
            position = chance.choice(back or position.children())
        found.append((lines, position.outcome()))
    assert found[0] == found[1]


def test_children_follow_the_order_of_the_moves() -> None:
    for start in (papan.game("platforms").start(), compiled_start(papan.game("platforms"))):
        assert start.children() == [start.play(move) for move in start.moves()]


def test_a_copy_and_a_pickle_are_equal() -> None:
    plain = papan.game("corners").start().play("f3f4")
    position = compiled_start(papan.game("corners")).play("f3f4")
    copies = (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position)))
    for other in (*copies, dataclasses.replace(position)):
        assert other == position == plain and hash(other) == hash(plain)
    assert repr(position) == repr(plain)
    with pytest.raises(dataclasses.FrozenInstanceError):
        position.past = ()  # type: ignore[misc]
    with pytest.raises(AttributeError, match="nothing"):
        position.nothing  # noqa: B018


def test_long_lists_of_moves_are_complete() -> None:
    """Amazons has 2,176 moves at its start; a new position lists the first 64."""
    start = compiled_start(papan.game(str(GALLERY / "amazons.py")))
    assert len(start.codes()) == len(start.moves()) == 2176
    assert len(start.children()) == 2176
    assert start.play(start.moves()[-1]) == start.children()[-1]


def test_the_list_of_codes_belongs_to_the_caller() -> None:
    position = compiled_start(papan.game("tictactoe"))
    position.codes().clear()
    assert position.codes() == [0, 1, 2, 8, 9, 10, 16, 17, 18]


@pytest.mark.parametrize("move", [3, -1, 10**30, True, 1.0, "z9", "a1a1", None, b"a1"])
def test_a_wrong_move_is_refused_alike(move: Any) -> None:
    game, said = papan.game("tictactoe"), []
    for start in (game.start(), compiled_start(game)):
        for call in (start.play, start.play("b2").play):
            with pytest.raises((UsageError, IllegalMove, TypeError)) as error:
                call(move)
            said.append((type(error.value), str(error.value)))
    assert said[:2] == said[2:]


@pytest.mark.parametrize("code", [-1, 10**9, 1.5, "a1", None])
def test_after_refuses_a_wrong_number_alike(code: Any) -> None:
    game, said = papan.game("tictactoe"), []
    for start in (game.start(), compiled_start(game)):
        try:
            said.append(str(start.after(code)))
        except (papan.PapanError, TypeError) as error:
            said.append(str(error))
    assert said[0] == said[1]


#: A rule for `play` that fails late: at c1 after b2 a1 c3 b1.
FAILING = """    table = (1, 2, 3)
    if move == 18 and state.mine == bit(2) | bit(9) and state.theirs == bit(16) | bit(17):
        {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('why')",
        "return State(bit(table[move]), NONE, 0)",
        "return State(bit(1 // (state.side - 0)), NONE, 0)",
    ],
)
def test_a_failing_rule_is_reported_alike(tmp_path: Path, body: str) -> None:
    text = (GALLERY / "tictactoe.py").read_text("utf-8")
    line = "    return State(state.theirs, state.mine | bit(move), 1 - state.side)\n"
    path = tmp_path / f"failing_{len(body)}.py"
    path.write_text(text.replace(line, FAILING.format(body=body) + line), "utf-8")
    said = []
    game = papan.game(str(path))
    for start in (game.start(), compiled_start(game)):
        with pytest.raises(RuleFailure) as error:
            start.play("b2", "a1", "c3", "b1", "c1")
        said.append(str(error.value))
    assert said[0] == said[1]


def test_much_work_in_plain_python_compiles_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = papan.game("tictactoe")
    prepared = list[Game]()
    monkeypatch.setattr(readiness, "_try_to_prepare", prepared.append)
    monkeypatch.setattr(readiness, "_listed", type(readiness._listed)())
    readiness.count_plain(game, readiness.PLAIN_MOVES)
    assert not prepared, "these tests stay plain"
    monkeypatch.setattr(readiness, "_stays_plain", type(readiness._stays_plain)())
    readiness._listed.clear()
    readiness.count_plain(game, readiness.PLAIN_MOVES - 1)
    assert not prepared
    readiness.count_plain(game, 1)
    readiness.count_plain(game, readiness.PLAIN_MOVES)
    assert prepared == [game]


@pytest.mark.parametrize("waits", [False, True])
def test_a_compilation_in_the_background_ends_with_the_script(tmp_path: Path, waits: bool) -> None:
    script = """
import sys, time, papan
from papan.core import readiness
readiness.PLAIN_MOVES = 1
game = papan.game("platforms:size=4")
game.start().codes()
while sys.argv[1] == "True" and game not in readiness.ready:
    time.sleep(0.01)
print(type(game.start()).__name__)
"""
    environment = {**os.environ, "PAPAN_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", script, str(waits)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    expected = "CompiledPosition\n" if waits else "Position\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


def test_compilations_of_several_games_end_with_the_script() -> None:
    script = """
import threading, time, papan
from papan.core import readiness
lock, begun = threading.Lock(), threading.Event()
def prepare(game):
    lock.acquire()  # an exception of the end may come before the release
    begun.set()
    while True:
        time.sleep(0.01)
readiness.PLAIN_MOVES, readiness.prepare = 1, prepare
for size in (3, 4, 5):
    papan.game(f"platforms:size={size}").start().codes()
begun.wait()
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_game_that_cannot_be_compiled_stays_plain(tmp_path: Path) -> None:
    text = (GALLERY / "tictactoe.py").read_text("utf-8")
    path = tmp_path / "uncompilable.py"
    line = "    return State(state.theirs, state.mine | bit(move), 1 - state.side)\n"
    path.write_text(text.replace(line, f"    {{}}.get(object())\n{line}"), "utf-8")
    game = papan.game(str(path))
    with pytest.raises(papan.PapanError, match=r"uncompilable\.py"):
        readiness.prepare(game)
    readiness._try_to_prepare(game)
    assert game not in readiness.ready
    assert len(game.start().codes()) == 9
