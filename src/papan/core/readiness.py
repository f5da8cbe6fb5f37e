"""When the rules of a game are compiled for positions: after much work in plain Python.

A process starts with plain Python, so that a short script does not wait for the compiler. Once a
game has listed `PLAIN_MOVES` legal moves, a thread compiles its rules or loads them from the cache.
Positions that are created later use them (`papan.core.compiled`).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import threading
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.core.compiled import CompiledRules
    from papan.core.game import Game

#: Legal moves listed in plain Python before a game is compiled: 0.3 to 3 s of work, about as long
#: as the compilation.
PLAIN_MOVES = 100_000

#: The games whose rules are compiled.
ready: dict[Game, CompiledRules] = {}

#: Held by the thread that compiles, and seconds between two tries to get it.
_turn = threading.Lock()
_TRY_SECONDS = 0.1

_listed: Counter[Game] = Counter()
_stays_plain = threading.Event()


def count_plain(game: Game, moves: int) -> None:
    """Counts legal moves that plain Python has listed; starts the compilation after enough."""
    before = _listed[game]
    _listed[game] = before + moves
    if before < PLAIN_MOVES <= before + moves and not _stays_plain.is_set():
        thread = threading.Thread(target=_try_to_prepare, args=[game], daemon=True)
        thread.start()
        atexit.register(_end, thread)


def stay_plain() -> None:
    """Keeps this process from compiling after much work.

    For servers: a compiled rule without end cannot be interrupted.
    """
    _stays_plain.set()


def prepare(game: Game) -> None:
    """Compiles the rules of a game for positions, or loads them from the cache.

    Raises:
        InvalidGame: a rule cannot be compiled.
    """
    from papan.core.compiled import compiled_rules

    if game not in ready and (rules := compiled_rules(game)) is not None:
        ready[game] = rules


def _try_to_prepare(game: Game) -> None:
    # One at a time: what `_end` raises in a thread may leave the compiler's lock locked, and a
    # thread that waited for that lock would never end.
    while not _turn.acquire(timeout=_TRY_SECONDS):
        pass
    try:
        # A game that cannot be compiled stays in plain Python; a search reports the reason.
        with contextlib.suppress(Exception):
            prepare(game)
    finally:
        _turn.release()


def _end(thread: threading.Thread) -> None:
    """Ends a compilation before the libraries that it uses are unloaded."""
    if thread.ident is not None and thread.is_alive():
        ends = ctypes.py_object(SystemExit)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ends)
        thread.join()
