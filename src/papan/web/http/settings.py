"""The settings of a server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from papan.messages import preferred_language

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def default_processes() -> int:
    """Returns the default number of engine processes: one per processor except one for the server,
    but at least two, so that one engine can play while another compiles."""
    return max(2, (os.cpu_count() or 2) - 1)


def default_folder() -> Path:
    """Returns the folder of the secret key."""
    import platformdirs

    return Path(platformdirs.user_data_dir("papan"))


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server.

    Attributes:
        host: the address to listen on; it decides which `Host` headers are valid.
        hosts: further host names.
        processes: number of engine processes.
        database: path or URL of the store; None for the default store of the command line.
        folder: folder of the secret key.
        games: further games by their public names: name → spec.
        players: further players by their public names; only these may be programs.
        values: files of tablebases (`papan tablebase`) for proven values.
        puzzles: files of puzzles (`papan puzzles --output`) in addition to the shipped ones.
        language: the default language.
        session_seconds: lifetime of a session after the last visit.
        games_in_memory: maximum number of live games in memory; the others are in the store.
        actions_a_second: long-term rate of actions of a browser.
        actions_at_once: maximum burst of actions.
        server_engines: true to let programs think on the server, even where a browser can.
        warm: true to prepare engines at the start.
        operator_secret: secret that makes a browser the operator's (`papan.web.http.security`);
            empty for none.
    """

    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = ()
    processes: int = field(default_factory=default_processes)
    database: str | None = None
    folder: Path = field(default_factory=default_folder)
    games: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    values: tuple[str, ...] = ()
    puzzles: tuple[str, ...] = ()
    language: str = field(default_factory=preferred_language)
    session_seconds: int = 90 * 24 * 3600
    games_in_memory: int = 2000
    actions_a_second: float = 10.0
    actions_at_once: int = 40
    server_engines: bool = False
    warm: bool = True
    operator_secret: str = field(default="", repr=False)

    @property
    def local(self) -> bool:
        """True if only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def private(self) -> bool:
        """True if only this machine can reach the server, even through a proxy."""
        return self.local and not self.hosts
