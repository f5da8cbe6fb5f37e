"""Walks through the package: the files that an action enters, in order.

    python -m docs.walks             records all walks, and writes docs/made/walks.json and .md
    python -m docs.walks search      prints the files of one walk

Each action runs once, as the first one in its own process. A file is entered when one of its Python
functions is called, in any thread; an import alone does not count. Kernels run as plain Python, so
that the files of kernels count, unless compilation is part of the action.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from urllib.parse import urlencode

import papan

ROOT = Path(__file__).parent.parent
PACKAGE = Path(papan.__file__).parent
MADE = ROOT / "docs" / "made"
KEPT = MADE / "walks.json"
PAGE = MADE / "walks.md"

#: An action that is ready to run.
Act = Callable[[], object]


class Watch:
    """A recorder of the files of the package that are entered while `on` is true."""

    def __init__(self) -> None:
        self.on = False
        self.found: dict[str, None] = {}  # in the order of entering
        # Threads that start later are recorded, too.
        threading.setprofile(self._look)
        sys.setprofile(self._look)

    def _look(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if not self.on or event != "call" or code.co_name == "<module>":
            return
        file = code.co_filename
        if file.endswith(".py") and file.startswith(f"{PACKAGE}{os.sep}"):
            place = file.removeprefix(f"{PACKAGE}{os.sep}").replace(os.sep, "/")
            self.found[place] = None

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Records the files that are entered inside."""
        self.on = True
        try:
            yield
        finally:
            self.on = False


@contextlib.contextmanager
def search() -> Iterator[Act]:
    """The engine takes a position and returns a result."""
    from papan.search.algorithm import search
    from papan.search.limits import Limit
    from papan.search.registry import algorithm

    position, engine = papan.game("adjacency").start(), algorithm("engine")
    yield lambda: search(position, Limit(depth=3), algorithm=engine)


@contextlib.contextmanager
def match() -> Iterator[Act]:
    """The engine and a hill climber play a match of four games."""
    from papan.arena.measure import Match, measure

    planned = Match("adjacency:size=4,rounds=2", "engine:depth=2", "hill-climbing", 4)
    yield lambda: measure(planned)


@contextlib.contextmanager
def click() -> Iterator[Act]:
    """The server responds to a click on a square in a live game."""
    from papan.web.app import create_app
    from papan.web.engines.engine_pool import EnginePool
    from papan.web.http.settings import ServerSettings

    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        settings = ServerSettings(
            processes=1, database=f"{folder}/games.sqlite", folder=Path(folder), warm=False
        )
        browser = Browser(create_app(settings))
        lifespan = browser.app.router.lifespan_context(browser.app)
        runner.run(lifespan.__aenter__())
        form = {"game": "adjacency", "name": "Ani", "other": "Budi", "side": "x"}
        runner.run(browser.post("/new/shared", **form))
        page, moves = browser.location, iter(("c4", "d5", "e4", "e5", "c5", "d4"))
        for move in itertools.islice(moves, 4):  # the server has drawn such squares before
            runner.run(browser.post(f"{page}/move", move=move))
        # The click does not include the preparation of the engines.
        runner.run(_wait_for_engines(browser.app.state.services[EnginePool]))
        yield lambda: runner.run(browser.post(f"{page}/move", move=next(moves)))
        runner.run(lifespan.__aexit__(None, None, None))


async def _wait_for_engines(pool: Any) -> None:
    """Waits until no engine process has a task."""
    while any(helper.job or helper.to_compile for helper in pool._helpers.values()):
        await asyncio.sleep(0.01)


class Browser:
    """A browser with cookies, which calls an application without a network."""

    def __init__(self, app: Any) -> None:
        self.app, self.cookies, self.location = app, "", ""

    async def post(self, path: str, **fields: str) -> None:
        """Sends a form."""
        body, sent = urlencode(fields).encode(), list[Any]()
        headers = {
            "host": "localhost:8000",
            "origin": "http://localhost:8000",
            "content-type": "application/x-www-form-urlencoded",
            "content-length": str(len(body)),
            "papan-fragment": "1",
            "cookie": self.cookies,
        }
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "server": ("localhost", 8000),
            "client": ("127.0.0.1", 1),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        assert sent[0]["status"] < 400, sent
        answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        self.cookies = answered.get("set-cookie", self.cookies).partition(";")[0]
        self.location = answered.get("location", self.location)


@contextlib.contextmanager
def own_game() -> Iterator[Act]:
    """A Python file is loaded as a game; its rules are tested and compiled, and a search runs."""
    from papan.search.algorithm import search
    from papan.search.limits import Limit
    from papan.search.registry import algorithm

    text = (ROOT / "examples" / "games" / "tictactoe.py").read_text(encoding="utf-8")
    names = (f"game{number}.py" for number in itertools.count())

    def act() -> None:
        # A new file each time: a known file is neither loaded nor compiled again.
        path = Path(folder, next(names))
        path.write_text(text, encoding="utf-8")
        search(papan.game(str(path)).start(), Limit(depth=3), algorithm=algorithm("alphabeta"))

    with tempfile.TemporaryDirectory() as folder:
        yield act


@contextlib.contextmanager
def ugi() -> Iterator[Act]:
    """The server executes `position` and `go` until it writes `bestmove`."""
    from papan.players.ugi_engine import EngineThinker
    from papan.protocol.server import Server

    answered = threading.Event()

    def write(line: str) -> None:
        if line.startswith("bestmove"):
            answered.set()

    server = Server(EngineThinker(), papan.game("adjacency"), write, name="Papan", author="")

    def act() -> None:
        answered.clear()
        server.obey("position startpos moves c4")
        server.obey("go depth 3")
        assert answered.wait(60)

    server.obey("ugi")
    yield act


class Walk(NamedTuple):
    """A walk of the page.

    Attributes:
        title: heading on the page.
        act: context manager that prepares the action and cleans up after it.
        compiles: True if compilation is part of the action; otherwise kernels run as plain Python.
    """

    title: str
    act: Callable[[], contextlib.AbstractContextManager[Act]]
    compiles: bool = False


WALKS = {
    "search": Walk("A position in a search", search),
    "match": Walk("A move in a match", match),
    "click": Walk("A click in the page", click),
    "own-game": Walk("Your own game file, up to a compiled search", own_game, compiles=True),
    "ugi": Walk("A command of the protocol", ugi),
}


def entered(name: str) -> list[str]:
    """Runs a walk in this process; returns the files that it enters, in order."""
    watch = Watch()
    with WALKS[name].act() as act, watch.watching():
        act()
    return list(watch.found)


def measured(name: str) -> list[str]:
    """Runs a walk in a new process; returns the files that it enters, in order."""
    command = [sys.executable, "-m", "docs.walks", name]
    with tempfile.TemporaryDirectory() as cache:
        surroundings = {
            "NUMBA_DISABLE_JIT": "0" if WALKS[name].compiles else "1",
            "PAPAN_CACHE_DIR": cache,
        }
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **surroundings},
            check=True,
            capture_output=True,
            text=True,
        )
    return done.stdout.split()


def piece(kept: Mapping[str, Sequence[str]]) -> str:
    """Returns the part of the page with the files of all walks."""
    parts = []
    for name, files in kept.items():
        walk = WALKS[name]
        about = inspect.cleandoc(walk.act.__doc__ or "")
        path = " → ".join(f"`{file}`" for file in files)
        parts.append(f"### {walk.title}: {len(files)} files\n\n{about}\n\n{path}\n")
    return "\n".join(parts)


def main(names: Sequence[str]) -> None:
    """Prints the files of one walk; without a name, records and writes all walks."""
    if names:
        print("\n".join(entered(names[0])))
        return
    kept = {name: measured(name) for name in WALKS}
    KEPT.write_text(f"{json.dumps(kept, indent=1)}\n", encoding="utf-8")
    PAGE.write_text(piece(kept), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
