"""UGI: the overhead of a move, measured with programs that do not think.

Times are wall-clock times from the referee's request to the player's reply, in games of Adjacency.
For comparison, a bare exchange of two requests and two replies over pipes is measured, which is the
minimum for a program that drives another process.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import in_turns, wall_seconds
from benchmarks.tools.twins import compiler
from papan.play.referee import play_game
from papan.players.base import Player
from papan.players.external import PythonPlayer, UgiPlayer
from papan.players.simple import FirstMove
from papan.search.limits import Limit

BOTS = Path(__file__).parent.parent / "examples" / "bots"
GAME = "adjacency"
LIMIT = Limit(seconds=10.0)
MS = 1000

#: Maximum overhead of a program's move in the median, in ms.
MOST_MS = 5.0

#: Answers each line with a line, like a program that does not think.
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
FIRST = "def choose(position, limit): return position.moves()[0]"


def run(quick: bool) -> Report:
    """Measures each kind of player in games against one that replies at once."""
    columns = ("player", "moves", "median, ms", "p99, ms")
    table = Table("A move's cost beside the thinking", columns)
    report = Report([table])
    games = 2 if quick else 20
    with tempfile.TemporaryDirectory() as folder:
        players = _players(Path(folder))
        plays = [partial(_game, player) for player in players.values()]
        found = in_turns(games, *plays, _echoes)
        for player in players.values():
            player.close()
    for title, rounds in zip([*players, "bare conversation over pipes"], found, strict=True):
        times = [seconds * MS for taken in rounds for seconds in taken]
        table.add(title, len(times), median(times), quantiles(times, n=100)[-1])
        if title in players:
            report.expect_below(f"{title}, median ms", median(times), MOST_MS)
    return report


def _players(folder: Path) -> dict[str, Player]:
    """Returns the players by title: the example bots, and a function that plays the first move."""
    program, function = folder / "turner", folder / "first.py"
    source = str(BOTS / "adjacency.cpp")
    subprocess.run([compiler(), "-std=c++17", "-O2", source, "-o", str(program)], check=True)
    function.write_text(FIRST)
    return {
        "first, in this process": FirstMove(),
        "ugi: C++": UgiPlayer(shlex.quote(str(program))),
        "ugi: Python": UgiPlayer(shlex.join([sys.executable, "-I", str(BOTS / "adjacency.py")])),
        "python: function": PythonPlayer(str(function)),
    }


def _game(player: Player) -> list[float]:
    """Returns the time of each move of a player in a game, in seconds."""
    played = play_game({"x": player, "o": FirstMove()}, papan.game(GAME).start(), LIMIT)
    if played.detail:
        raise RuntimeError(played.detail)
    return list(played.seconds[::2])


def _echoes() -> list[float]:
    """Returns the time of each of some bare exchanges: two lines in each direction."""
    with subprocess.Popen(
        [sys.executable, "-I", "-c", ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as echo:
        assert echo.stdin is not None and echo.stdout is not None
        sending, receiving = echo.stdin, echo.stdout

        def exchange() -> None:
            for _ in range(2):
                sending.write(b"isready\n")
                sending.flush()
                receiving.readline()

        exchange()
        times = [wall_seconds(exchange)[1] for _ in range(28)]
        sending.close()
    return times
