"""The first answer of each game and level without any compiled code.

Each command starts with an empty cache of compiled code. Times are the processor time of all
processes, in units that are comparable between machines: one unit is a run of `python -c` with the
loop of `startup.UNIT`, alternating with the commands. `search` with few nodes runs as plain Python.
The cost of compilation appears in `search` with more nodes and in the players, who play one move.

On the page a user starts a game and moves as soon as the server responds. The time is measured
until the program's move is on the board.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.startup import PAPAN, UNIT, processor_seconds, units
from benchmarks.tools.report import CannotMeasure, Report, Table
from benchmarks.tools.timing import in_turns, wall_seconds
from benchmarks.tools.webclient import Visitor, begin, plies, targets
from benchmarks.tools.webserver import WebServer
from papan.players import levels

GALLERY = Path(__file__).parents[1] / "examples" / "games"
OWN_GAMES = ("adjacency", "corners", "platforms")
#: Nodes of a search that needs no compilation, and of one that does.
FEW, MANY = 1000, 10_000
#: Work that must compile → its command and maximum units of processor time with an empty cache.
COMPILING = {
    "engine for Adjacency": (["search", "adjacency", "--nodes", str(MANY)], 5.0),
    "mcts": (["search", "adjacency", "--algorithm", "mcts", "--nodes", str(MANY)], 4.5),
    "engine for chess": (["search", str(GALLERY / "chess.py"), "--nodes", str(MANY)], 9.0),
    "match of two": (["match", "adjacency", "engine", "mcts", "--games", "2", "--nodes", "9"], 8.0),
}
#: A search whose code is in the cache, and its maximum units.
WARM, WARM_PROMISED = "search adjacency --depth 1", 0.8
#: Maximum units of processor time of the first answer of a small search.
PROMISED = 6.0
#: Maximum seconds, on a quiet machine, of the first move of a level on the page. The thinking time
#: of a level is well below a second; the strongest player thinks for three seconds.
PROMISED_REPLY = {"level:1": 2.0, "level:4": 2.5, "level:8": 2.5, "best:time=3": 4.5}


def run(quick: bool) -> Report:
    """Measures searches of all games, and players and levels of the package's own games."""
    columns = ("command", "wall seconds", "processor seconds", "units")
    table = Table("First answers with an empty cache", columns)
    report = Report([table])
    report.tables.append(_compiling(report, quick))
    for words in _searches(quick):
        taken = _measure(table, words)
        if words[-1] == str(FEW):
            report.expect_below(f"papan {' '.join(words)}, units", taken, PROMISED)
    for words in _moves(quick):
        _measure(table, words)
    report.tables.append(_replies(report, quick))
    return report


def _compiling(report: Report, quick: bool) -> Table:
    """Measures what must be compiled, and a search that finds its code in the cache."""
    columns = ("work", "processor seconds (least)", "units", "promised")
    table = Table("First searches that must compile, and a later one", columns)
    for work, (words, promised) in COMPILING.items():
        one, ours = in_turns(
            1 if quick else 3, lambda: processor_seconds(UNIT), partial(_cold_seconds, words)
        )
        _add(report, table, work, min(ours), min(ours) / min(one), promised)
    seconds, taken = units(WARM, 3 if quick else 10)
    _add(report, table, "warm start", seconds, taken, WARM_PROMISED)
    return table


def _add(
    report: Report, table: Table, work: str, seconds: float, taken: float, promised: float
) -> None:
    table.add(work, seconds, taken, promised)
    report.expect_below(f"{work}, units of processor time", taken, promised)


def _replies(report: Report, quick: bool) -> Table:
    """Measures first moves on the page, each with its own server and an empty cache."""
    table = Table("First moves on the page with an empty cache", ("game", "opponent", "seconds"))
    for game in OWN_GAMES[1:2] if quick else (*OWN_GAMES, "breakthrough", "checkers", "chess"):
        for opponent, promised in PROMISED_REPLY.items():
            with (
                tempfile.TemporaryDirectory() as empty,
                WebServer(Path(empty, "server"), cache=Path(empty, "cache")) as server,
            ):
                seconds = asyncio.run(_first_reply(server.port, game, opponent))
            table.add(game, opponent, seconds)
            report.expect_below(f"{game}, {opponent}: seconds", seconds, promised)
    return table


async def _first_reply(port: int, game: str, opponent: str) -> float:
    """Returns the seconds from the first move of a new game to the program's reply."""
    visitor = Visitor(port)
    path = await begin(visitor, "solo", game=game, opponent=opponent, side="x")
    moves = targets((await visitor.get(path)).text)
    async with visitor.live(path) as socket:
        await socket.recv()
        began = time.perf_counter()
        made = plies((await visitor.post(f"{path}/move", {"move": moves[0]})).text)
        while made < 2:
            made = max(made, plies(str(await socket.recv())))
    visitor.leave()
    return time.perf_counter() - began


def _searches(quick: bool) -> Iterator[list[str]]:
    """Yields small searches of all games, and larger ones of the package's own games."""
    gallery = [] if quick else [str(path) for path in sorted(GALLERY.glob("*.py"))]
    for game in (*OWN_GAMES, *gallery):
        yield ["search", game, "--nodes", str(FEW)]
    for game in OWN_GAMES[:1] if quick else OWN_GAMES:
        yield ["search", game, "--nodes", str(MANY)]


def _moves(quick: bool) -> Iterator[list[str]]:
    """Yields matches of each level: one game pair that ends after a few plies."""
    for game in ("platforms",) if quick else OWN_GAMES:
        for level in levels.NAMES[2:3] if quick else levels.NAMES[1:]:
            yield ["match", game, level, "random", "--games", "2", "--time", "0.05"]


def _measure(table: Table, words: list[str]) -> float:
    """Returns the units of processor time of a command, and adds a row to the table."""
    unit = processor_seconds(UNIT)
    seconds = 0.0

    def start() -> None:
        nonlocal seconds
        seconds = _cold_seconds(words)

    _, wall = wall_seconds(start)
    unit = (unit + processor_seconds(UNIT)) / 2
    name = " ".join(Path(word).stem if word.endswith(".py") else word for word in words)
    table.add(f"papan {name}", wall, seconds, seconds / unit)
    return seconds / unit


def _cold_seconds(words: list[str]) -> float:
    """Returns the processor time of a command with an empty cache."""
    with tempfile.TemporaryDirectory() as empty:
        command = [*_with_cache(empty), *PAPAN, *words, "--json"]
        try:
            return processor_seconds(command)
        except subprocess.CalledProcessError as error:
            raise CannotMeasure(f"papan {' '.join(words)}: {error.stderr.decode()}") from error


def _with_cache(folder: str) -> list[str]:
    """Returns the start of a command with a cache folder."""
    return ["env", f"PAPAN_CACHE_DIR={folder}"]
