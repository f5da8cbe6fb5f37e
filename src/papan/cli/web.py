"""`papan web`: Papan in the browser."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from papan.cli.parameters import read_whole
from papan.cli.terminal import Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    import uvicorn

#: The port that is tried first, and how many after it.
FIRST_PORT = 8000
MORE_PORTS = 50
_LAST_PORT = 65535

#: Connections that wait to be taken: a class comes all at once.
_BACKLOG = 512

#: A browser may send so many bytes at once over its live connection; it has nothing to say there.
_LARGEST_MESSAGE = 4096


def web(
    ctx: typer.Context,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="cli.option.host")
    ] = "127.0.0.1",
    port: Annotated[str | None, typer.Option("--port", metavar="N", help="cli.option.port")] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="cli.option.open")] = True,
    game: Annotated[
        list[str] | None, typer.Option("--game", metavar="FILE", help="cli.option.web-game")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="NAME=SPEC", help="cli.option.web-player"),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", metavar="NAME", help="cli.option.allow-host")
    ] = None,
    database: Annotated[
        str | None, typer.Option("--database", metavar="WHERE", help="cli.option.database")
    ] = None,
    processes: Annotated[
        str | None, typer.Option("--processes", metavar="N", help="cli.option.processes")
    ] = None,
) -> None:
    """Serves the pages until Ctrl-C."""
    try:
        from papan.web.server.app import create_app
        from papan.web.server.app_state import ServerSettings, default_processes
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("papan"):
            raise
        raise UsageError("cli.web.needs-extra") from None
    terminal = ctx.ensure_object(Terminal)
    settings = ServerSettings(
        host=host,
        hosts=tuple(allow_host or ()),
        processes=default_processes()
        if processes is None
        else read_whole(processes, "--processes", 1),
        database=database,
        games=read_games(game or ()),
        players=read_players(player or ()),
        language=terminal.say.language,
    )
    listening = listen(host, None if port is None else read_whole(port, "--port", 0))
    with contextlib.closing(listening):
        if not settings.local:
            terminal.note(terminal.say("cli.web.open-to-all", host=host))
        address = address_of(host, listening.getsockname()[1])
        server = server_for(create_app(settings), terminal, address, open_)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


def read_games(specs: Iterable[str]) -> dict[str, str]:
    """The games that were named, by their titles.

    Raises:
        PapanError: one of them is no game.
    """
    from papan.core import registry

    games = [registry.game(text) for text in specs]
    return {game.title: game.spec for game in games}


def read_players(pairs: Iterable[str]) -> dict[str, str]:
    """The players that were named, by their names.

    Raises:
        UsageError: a pair is not one, or its spec is wrong.
    """
    from papan.players import registry

    found = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name.strip() and equals and text):
            raise UsageError("cli.web.pair", text=pair)
        registry.player(text)
        found[name.strip()] = text
    return found


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the port, or at the first free one if none is asked for.

    Raises:
        UsageError: the port, or the address, cannot be used.
    """
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + MORE_PORTS)
    problem: Exception = OSError("?")
    for number in ports:
        try:
            return _listening(host, number)
        except (OSError, OverflowError) as error:
            problem = error
            if isinstance(error, socket.gaierror):
                break  # no port would be better
    reason = getattr(problem, "strerror", None) or str(problem)
    raise UsageError("cli.web.busy", text=port or FIRST_PORT, host=host, reason=reason)


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    with contextlib.ExitStack() as unless_all_is_well:
        listening = unless_all_is_well.enter_context(socket.socket(family))
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
        unless_all_is_well.pop_all()
    return listening


def address_of(host: str, port: int) -> str:
    """Where a browser on this machine finds the page."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def server_for(app: object, terminal: Terminal, address: str, open_page: bool) -> uvicorn.Server:
    """The server, which says its address once it answers."""
    import webbrowser

    import uvicorn

    class Announcing(uvicorn.Server):
        """Says where it is when it is there."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            terminal.line(terminal.say("cli.web.at", address=address))
            if open_page:
                webbrowser.open(address)

    return Announcing(settings_for(app))


def settings_for(app: object) -> uvicorn.Config:
    """How pages are served: by the command, and where that is measured."""
    import uvicorn

    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # uvicorn's own protocol for applications is private
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # packing a board costs as much time as drawing it
        timeout_graceful_shutdown=2,
        server_header=False,
    )
