"""The example bots do what their files say, and play by the rules under the guards."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import papan
from papan.core.game import Position
from papan.play.referee import play_game
from papan.play.table import Termination
from papan.players.base import Player
from papan.players.external import PythonPlayer, UgiPlayer
from papan.players.simple import RandomPlayer
from papan.search.limits import Limit
from support import reached

BOTS = Path(__file__).parent.parent / "examples" / "bots"
#: Starting another program takes its time on a busy machine; none of this is thinking.
LIMIT = Limit(seconds=10.0)

Make = Callable[[Path], UgiPlayer]


def python(folder: Path) -> UgiPlayer:
    """The bot in Python."""
    return UgiPlayer(shlex.join([sys.executable, "-I", str(BOTS / "adjacency.py")]))


def cpp(folder: Path) -> UgiPlayer:
    """The bot in C++, compiled."""
    if shutil.which("g++") is None:
        pytest.skip("there is no C++ compiler")
    program = folder / "turner"
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["g++", *flags, str(BOTS / "adjacency.cpp"), "-o", str(program)], check=True)
    return UgiPlayer(shlex.quote(str(program)))


def javascript(folder: Path) -> UgiPlayer:
    """The bot in JavaScript."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js")
    return UgiPlayer(shlex.join(["node", str(BOTS / "adjacency.mjs")]))


def most_turned(position: Position) -> str:
    """The first of the moves that turn most pieces."""

    def turned(move: str) -> int:
        pieces = position.facts()[f"fact.{position.side}"]
        return position.play(move).facts()[f"fact.{position.side}"] - pieces

    return max(position.moves(), key=turned)


@pytest.mark.parametrize("make", [python, cpp, javascript])
def test_the_bot_is_the_same_in_every_language(make: Make, tmp_path: Path) -> None:
    bot = make(tmp_path)
    try:
        for spec in ("adjacency", "adjacency:size=5x7,rounds=9", "adjacency:rounds=6,first=o"):
            bot.new_game(papan.game(spec), 1)
            for plies in (0, 1, 4, 9):
                position = reached(spec, plies, plies)
                assert bot.choose(position, LIMIT).move == most_turned(position)
    finally:
        bot.close()


@pytest.mark.parametrize("make", [python, cpp, javascript])
def test_the_bot_wins_a_game_from_chance(make: Make, tmp_path: Path) -> None:
    bot = make(tmp_path)
    seats: dict[str, Player] = {"x": RandomPlayer(), "o": bot}
    played = play_game(seats, papan.game("adjacency").start(), LIMIT)
    bot.close()
    assert (played.termination, played.detail) == (Termination.RULES, "")
    assert played.outcome is not None
    assert played.outcome.winner == "o"


@pytest.mark.parametrize("spec", ["adjacency:rounds=8", "platforms:size=4", "corners"])
def test_the_hill_climber_plays_every_game(spec: str) -> None:
    bot = PythonPlayer(str(BOTS / "hill_climber.py"))
    seats: dict[str, Player] = {"x": bot, "o": RandomPlayer()}
    played = play_game(seats, papan.game(spec).start(), LIMIT)
    bot.close()
    assert (played.termination, played.detail) == (Termination.RULES, "")
