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
    """The settings with which a server is run.

    Attributes:
        host: the address that is listened on; it decides which `Host` headers are believed.
        hosts: further host names under which browsers may come.
        processes: how many engines think at the same time.
        database: where games are kept; None for the store of the command line.
        folder: where the secret key is kept.
        games: further games, by the names under which pages offer them: name → spec.
        players: further players, the same way; only these may be programs.
        values: files of tablebases (`papan tablebase`), whose values are shown.
        puzzles: files of puzzles (`papan puzzles --output`), beside those that Papan has.
        language: that of browsers which ask for none that Papan speaks.
        session_seconds: how long a browser is remembered after its last visit.
        games_in_memory: live games kept in memory; the others are in the database only.
        actions_a_second: what one browser may do, in the long run.
        actions_at_once: the same, in a burst.
        warm: whether engines get ready at the start.
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
    warm: bool = True

    @property
    def local(self) -> bool:
        """True if only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def private(self) -> bool:
        """True if only this machine can reach the server, also through a proxy."""
        return self.local and not self.hosts
