"""`papan web`: the pages in the browser."""

from __future__ import annotations

import contextlib
import functools
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import option
from papan.cli.terminal import EXIT_DONE, Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    import uvicorn

#: First port to try, and number of further ports.
FIRST_PORT = 8000
MORE_PORTS = 50

#: Length of the listen queue, enough for a class that connects at once.
_BACKLOG = 512

#: Environment variable with the operator's secret, which the process list does not show, and its
#: minimum number of characters.
OPERATOR = "PAPAN_OPERATOR"
SHORTEST_SECRET = 16

#: Maximum bytes of a message over a live connection; pages send none.
_LARGEST_MESSAGE = 4096


@dataclass(frozen=True, kw_only=True)
class WebOptions:
    """Options of `papan web`."""

    host: str = option("--host ADDRESS", "host", "127.0.0.1")
    port: str | None = option("--port N", "port", None)
    open_page: bool = option("--open/--no-open", "open", True)
    games: tuple[str, ...] = option(
        "--game FILE", "web-game", (), complete=completion.games, many=True
    )
    players: tuple[str, ...] = option("--player NAME=SPEC", "web-player", (), many=True)
    server_engines: bool = option("--server-engines", "server-engines", False)
    hosts: tuple[str, ...] = option("--allow-host NAME", "allow-host", (), many=True)
    database: str | None = option("--database WHERE", "database", None, complete=completion.files)
    processes: str | None = option("--processes N", "processes", None)
    values: tuple[str, ...] = option(
        "--values FILE", "web-values", (), complete=completion.files, many=True
    )
    puzzles: tuple[str, ...] = option(
        "--puzzles FILE", "web-puzzles", (), complete=completion.files, many=True
    )


@command(WebOptions)
def web(options: WebOptions, terminal: Terminal) -> int:
    """Serves the pages until Ctrl-C, or until a visitor stops the server from the menu."""
    try:
        from papan.web.app import create_app
        from papan.web.http.settings import ServerSettings, default_processes
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("papan"):
            raise
        raise UsageError("cli.web.needs-extra") from None
    processes, port = options.processes, options.port
    settings = ServerSettings(
        host=options.host,
        hosts=options.hosts,
        processes=parse.whole(processes, "--processes", 1)
        if processes is not None
        else default_processes(),
        database=options.database,
        games=read_games(options.games) | read_games(games_in_puzzles(options.puzzles)),
        players=read_players(options.players),
        values=read_tablebases(options.values),
        puzzles=options.puzzles,
        server_engines=options.server_engines,
        language=terminal.say.language,
        operator_secret=read_secret(os.environ.get(OPERATOR, "")),
    )
    listening = listen(options.host, None if port is None else parse.whole(port, "--port", 0))
    with contextlib.closing(listening):
        if not settings.local:
            terminal.note(terminal.say("cli.web.open-to-all", host=options.host))
        address = address_of(options.host, listening.getsockname()[1])
        app = create_app(settings)
        server = server_for(app, terminal, address, options.open_page)
        app.state.stop = functools.partial(setattr, server, "should_exit", True)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    return EXIT_DONE


def read_games(specs: Iterable[str]) -> dict[str, str]:
    """Returns the named games by their titles.

    Raises:
        PapanError: A game is invalid.
    """
    from papan.usercode import registry

    games = [registry.game(text) for text in specs]
    return {game.title: game.spec for game in games}


def read_secret(text: str) -> str:
    """Returns the operator's secret; empty for none.

    Raises:
        UsageError: The secret is too short.
    """
    if text and len(text) < SHORTEST_SECRET:
        raise UsageError("cli.web.secret", name=OPERATOR, least=SHORTEST_SECRET)
    return text


def read_players(pairs: Iterable[str]) -> dict[str, str]:
    """Returns the named players by their names.

    Raises:
        UsageError: A pair is malformed, or its spec is invalid.
    """
    from papan.players import registry

    specs = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name.strip() and equals and text):
            raise UsageError("cli.web.pair", text=pair)
        registry.player(text)
        specs[name.strip()] = text
    return specs


def games_in_puzzles(paths: Iterable[str]) -> list[str]:
    """Returns the specs of game files in puzzle files; the user named these game files before.

    Raises:
        PapanError: A file cannot be read.
    """
    from papan.solve.puzzle_files import read_puzzles, spec_in
    from papan.usercode import loader

    for path in paths:
        read_puzzles(path)
    return [spec for spec in map(spec_in, paths) if loader.split(spec)]


def read_tablebases(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the paths after checking that each is a tablebase.

    Raises:
        UsageError: A file is not a tablebase.
    """
    from papan.tablebase.store import read_file

    for path in paths:
        read_file(path)
    return paths


def listen(host: str, port: int | None) -> socket.socket:
    """Returns a socket that listens at the port, or by default at the first free port.

    Raises:
        UsageError: The port or address cannot be used.
    """
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + MORE_PORTS)
    problem: Exception = OSError("?")
    for number in ports:
        try:
            return _listening(host, number)
        except (OSError, OverflowError) as error:
            problem = error
            if isinstance(error, socket.gaierror):
                break  # an unknown host fails at every port
    reason = getattr(problem, "strerror", None) or str(problem)
    raise UsageError("cli.web.busy", text=port or FIRST_PORT, host=host, reason=reason)


def _listening(host: str, port: int) -> socket.socket:
    """Returns a listening socket."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    with contextlib.ExitStack() as unless_all_is_well:
        listening = unless_all_is_well.enter_context(socket.socket(family))
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
        unless_all_is_well.pop_all()
    return listening


def address_of(host: str, port: int) -> str:
    """Returns the address for a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def server_for(app: object, terminal: Terminal, address: str, open_page: bool) -> uvicorn.Server:
    """Returns the server, which prints its address when it is ready."""
    import webbrowser

    import uvicorn

    class Announcing(uvicorn.Server):
        """A server that prints its address when it is ready."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            terminal.line(terminal.say("cli.web.at", address=address))
            if open_page:
                webbrowser.open(address)

    return Announcing(settings_for(app))


def settings_for(app: object) -> uvicorn.Config:
    """Returns the settings of the server, the same for the command and the benchmarks."""
    import uvicorn

    from papan.web.http.connections import BACKLOG, Connections, most_connections

    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # uvicorn's own protocol for applications is private
        # Warnings about malformed requests are off, since a stranger could fill the disk with them.
        log_level="error",
        http=Connections(most_connections()).protocol,  # type: ignore[arg-type]  # makes one, as a class does
        backlog=BACKLOG,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # compressing a board takes as long as drawing it
        timeout_graceful_shutdown=2,
        server_header=False,
    )
