"""Limits of a program that is not trusted: time, output, memory, processes and environment."""

from __future__ import annotations

import os
from dataclasses import dataclass

#: Variables that a program sees of Papan's environment: where things are, who runs it and in which
#: language. All others, which may hold keys and passwords, are named or not seen.
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
        start_seconds: from its start to the end of its greeting. A Java VM takes its time.
        ready_seconds: to get ready for a game. Imports and compiling count here.
        answer_seconds: to say that it is still ready, before each move.
        move_seconds: for a move that has no time limit of its own.
        quit_seconds: to leave when it is asked to.
        line_bytes: the longest line.
        wait_bytes: all that it writes between a question and the answer.
        memory_mb: what it and all that it has started take together, in MB, looked at several
            times a second; 0 is no limit.
        processes: how many of them there are, itself included; 0 is no limit.
        address_mb: address space of each of them in MB; 0 is no limit. Java, Node.js and compiled
            Papan reserve many times what they use.
        env: names of variables that it sees beside `ENVIRONMENT`.
        show_output: True prints each line that it writes on stderr, with its name in front.
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
        """The variables that the program sees, with their values."""
        names = dict.fromkeys((*ENVIRONMENT, *self.env))
        return {name: os.environ[name] for name in names if name in os.environ}
