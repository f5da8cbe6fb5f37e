"""Limits of an untrusted program: time, output, memory, processes and environment."""

from __future__ import annotations

import os
from dataclasses import dataclass

#: Environment variables that every program gets: paths, user and language. All others may hold
#: keys and passwords, so a program gets them only by name.
ENVIRONMENT = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "TERM",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "PAPAN_CACHE_DIR",
)


@dataclass(frozen=True)
class Guards:
    """Limits of a program's time, output, memory, processes and environment.

    Attributes:
        start_seconds: time limit from the start to the end of the greeting; generous, because a
            Java VM starts slowly.
        ready_seconds: time limit to get ready for a game, including imports and compilation.
        answer_seconds: time limit to report readiness before each move.
        move_seconds: time limit of a move without a limit of its own.
        quit_seconds: time limit to quit after the request.
        line_bytes: maximum length of a line.
        wait_bytes: maximum output between a request and its reply.
        memory_mb: maximum memory of the program and its descendants, in MB, checked several times a
            second; 0 for no limit.
        processes: maximum number of processes, including the program; 0 for no limit.
        address_mb: maximum address space of each process in MB; 0 for no limit. Java, Node.js and
            compiled Papan reserve many times what they use.
        env: names of further environment variables that the program gets.
        show_output: True prints each stderr line of the program, prefixed with its name.
    """

    start_seconds: float = 20.0
    ready_seconds: float = 60.0
    answer_seconds: float = 10.0
    move_seconds: float = 600.0
    quit_seconds: float = 0.5
    line_bytes: int = 64 << 10
    wait_bytes: int = 8 << 20
    memory_mb: int = 1024
    processes: int = 64
    address_mb: int = 0
    env: tuple[str, ...] = ()
    show_output: bool = False

    def environment(self) -> dict[str, str]:
        """Returns the environment variables of the program."""
        names = dict.fromkeys((*ENVIRONMENT, *self.env))
        return {name: os.environ[name] for name in names if name in os.environ}
