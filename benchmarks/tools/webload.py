"""Many simultaneous players in the browser, and the load of the server."""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass, field

from websockets.exceptions import ConnectionClosed

import papan
from benchmarks.tools.webclient import ClientConnection, Visitor, begin, plies, targets
from benchmarks.tools.webserver import WebServer

#: Seconds between two moves of a player.
PACE = 1.0

_MS = 1000


@dataclass
class Load:
    """The result of a load test.

    Attributes:
        answers: time from a move to the new board for the player in ms.
        pushes: time from a move to the new board for spectators in ms.
        errors: everything that went wrong.
        kilobytes: memory of the server before the test, and with all sessions.
        seconds: processor time of the server during the games.
    """

    answers: list[float] = field(default_factory=list)
    pushes: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    kilobytes: tuple[int, int] = (0, 0)
    seconds: float = 0.0


def percentile(times: list[float], share: float) -> float:
    """Returns the percentile of some times; `share` is from 0 to 1."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def play_together(server: WebServer, sessions: int, moves: int) -> Load:
    """Lets players make moves, one per second each."""
    return asyncio.run(_play_together(server, sessions, moves))


async def _play_together(server: WebServer, sessions: int, moves: int) -> Load:
    load, before = Load(), server.kilobytes
    everybody = [Visitor(server.port) for _ in range(sessions)]
    paths = [await begin(visitor) for visitor in everybody]
    start, used = time.perf_counter() + PACE, server.seconds
    playing = [
        _play(visitor, path, moves, start + PACE * place / sessions, load)
        for place, (visitor, path) in enumerate(zip(everybody, paths, strict=True))
    ]
    await asyncio.gather(*playing)
    load.kilobytes, load.seconds = (before, server.kilobytes), server.seconds - used
    for visitor in everybody:
        visitor.leave()
    return load


async def _play(visitor: Visitor, path: str, moves: int, start: float, load: Load) -> None:
    """Plays one person's game: a move per second, with the requests of the page's script."""
    chance = random.Random(path)
    try:
        async with visitor.live(path) as socket:
            page = str(await socket.recv())
            for number in range(1, moves + 1):
                await asyncio.sleep(max(0.0, start + number * PACE - time.perf_counter()))
                page = await _move(visitor, socket, path, chance.choice(targets(page)), load)
                if plies(page) != number:
                    load.errors.append(f"{path}: {plies(page)} moves instead of {number}")
    except (OSError, EOFError, TimeoutError, RuntimeError, ConnectionClosed) as error:
        load.errors.append(f"{path}: {error!r}")


async def _move(
    visitor: Visitor, socket: ClientConnection, path: str, move: str, load: Load
) -> str:
    began = time.perf_counter()
    pushed = asyncio.create_task(_pushed(socket))
    answer = await visitor.post(f"{path}/move", {"move": move})
    load.answers.append((time.perf_counter() - began) * _MS)
    load.pushes.append((await pushed - began) * _MS)
    if answer.status != 200:
        load.errors.append(f"{path}: {answer.status} {answer.text[:100]}")
    return answer.text


async def _pushed(socket: ClientConnection) -> float:
    await socket.recv()
    return time.perf_counter()


# --- people against programs ----------------------------------------------------------------------

#: The program, whose moves take about as long on the server as a page.
_LEVEL = "level:3"
_GAME = "adjacency"


def play_alone(server: WebServer, sessions: int, moves: int, *, here: bool) -> float:
    """Lets people play against a program; returns the server's processor time per move in ms.

    Args:
        server: the server.
        sessions: number of people.
        moves: moves of each of them.
        here: True if the program runs in their browsers; then the server gets a page and the
            finished game of each person.
    """
    return asyncio.run(_play_alone(server, sessions, moves, here=here))


async def _play_alone(server: WebServer, sessions: int, moves: int, *, here: bool) -> float:
    everybody = [Visitor(server.port) for _ in range(sessions)]
    play = _one_game_here if here else _one_game
    await play(everybody[0], 1)  # compiles
    used = server.all_seconds
    await asyncio.gather(*(play(visitor, moves) for visitor in everybody))
    for visitor in everybody:
        visitor.leave()
    return (server.all_seconds - used) / (sessions * moves) * _MS


async def _one_game(visitor: Visitor, moves: int) -> None:
    """Plays a game on the server, with the requests of the page's script."""
    chance = random.Random(1)
    path = await begin(visitor, "solo", game=_GAME, opponent=_LEVEL)
    async with visitor.live(path) as socket:
        page = str(await socket.recv())
        for number in range(1, moves + 1):
            await visitor.post(f"{path}/move", {"move": chance.choice(targets(page))})
            while plies(page) != 2 * number or not targets(page):
                page = str(await socket.recv())


async def _one_game_here(visitor: Visitor, moves: int) -> None:
    """Plays a game in the browser: loads its page and its files, and sends the moves at the end."""
    path = await begin(visitor, "solo", game=_GAME, opponent=_LEVEL, here="1")
    page = (await visitor.get(path)).text
    for address in set(re.findall(r'"((?:/module|/static)/[^"]+)"', page)):
        await visitor.get(address.replace("&amp;", "&"))
    walk = papan.game(_GAME).start().random_walk(random.Random(1), 2 * moves)
    text = " ".join(move for move, _ in walk)
    fields = {"game": _GAME, "side": "x", "name": "Ani", "opponent": _LEVEL, "resigned": "1"}
    answer = await visitor.post("/here/record", {**fields, "moves": text})
    if answer.status != 200:
        raise RuntimeError(f"no record: {answer.status} {answer.text[:200]}")
