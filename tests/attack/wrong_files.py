"""Game files that are beyond a watchdog: each with the line that is to blame and what is said."""

from __future__ import annotations

import re
from typing import NamedTuple

from usercode.test_loader import TIC_TAC_TOE
from usercode.test_wrong_games import with_body


class WrongFile(NamedTuple):
    """A game file, a text of the line that is to blame, and a pattern of what is said."""

    source: str
    blamed: str
    said: str


_CATCHING = """while True:
        try:
            while True: pass  # goes on
        except BaseException: pass"""

#: Put before the game: what the file does as it is loaded.
_FIRST = {
    "leaves": ("os._exit(0)", r"exits the program \(exit status 0\)"),
    "kills itself": ("os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    "kills itself by a signal without a name": ("os.kill(os.getpid(), 40)", "killed by signal 40"),
    "aborts": ("os.abort()", "killed by SIGABRT"),
    "presses Ctrl-C": (
        "os.kill(os.getpid(), 2); [0 for _ in range(9)]",
        r"exits the program \(KeyboardInterrupt\)",
    ),
    "sleeps": ("time.sleep(99)", r"ran for more than 3\.0 s"),
    "stops itself": ("os.kill(os.getpid(), 19)", r"ran for more than 3\.0 s"),
    "asks at the terminal": ("input()", "EOFError"),
    "makes a second process": ("os.fork()", "PermissionError"),
    "is too deep for the compiler": ("(" * 300 + ")" * 300, "invalid Python"),
    "holds all memory": ("bytes(10**12)", "MemoryError"),
}
#: In place of `moves` or `play`: what a rule does.
_RULES = {
    "a rule that leaves": ("play", "import os; os._exit(3)", r"exit status 3"),
    "a rule that sleeps": ("moves", "import time; time.sleep(99)", "ran for more than"),
    "a rule that crashes in C": ("moves", "import ctypes; ctypes.string_at(0)", "by SIGSEGV"),
    "a rule that catches everything": ("moves", _CATCHING, "ran for more than"),
    "a rule without end in C": (
        "moves",
        "import itertools; return sum(itertools.count())",
        "ran for more than",
    ),
    "a rule with a number without end": ("moves", "return 7**(10**9)", "ran for more than"),
    "a rule with a pattern without end": (
        "moves",
        "import re; re.match('(a+)+$', 'a' * 60 + 'b')",
        "ran for more than",
    ),
    "a rule that takes all memory at once": ("moves", "return b'x' * 10**11", "MemoryError"),
}
#: Added behind the game: what only the end of the process shows.
_LAST = {
    "a thread that goes on": "threading.Thread(target=time.sleep, args=(99,)).start()",
    "a last wish without end": "atexit.register(time.sleep, 99)",
}


def _table() -> dict[str, WrongFile]:
    head = "import atexit, os, threading, time\n"
    found = {
        name: WrongFile(f"{head}{does}\n{TIC_TAC_TOE}", does, said)
        for name, (does, said) in _FIRST.items()
    }
    for name, (rule, body, said) in _RULES.items():
        blamed = "goes on" if body == _CATCHING else body
        found[name] = WrongFile(with_body(rule, body), blamed, said)
    for name, does in _LAST.items():
        found[name] = WrongFile(f"{head}{TIC_TAC_TOE}\n{does}\n", head.strip(), "ran for more")
    return found


TABLE = _table()


def line_of(file: WrongFile) -> int:
    """The number of the line that is to blame."""
    return file.source[: re.search(re.escape(file.blamed), file.source).start()].count("\n") + 1  # type: ignore[union-attr]
