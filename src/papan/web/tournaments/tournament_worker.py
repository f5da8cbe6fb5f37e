"""The process that plays the games of tournaments, and the server's side of it.

    to it      a `Pair`
    from it    ("board", moves so far, who plays x, who plays o)   after each move
               ("done", records)                                   the pair is finished
               ("failed", PapanError)

The process ends with the server. It has the lowest priority, because people wait for other moves.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from papan.arena.pairs import Pair
from papan.errors import PapanError
from papan.records.model import Record
from papan.workers import become_worker

#: Niceness of the process.
NICENESS = 10


@dataclass(frozen=True)
class BoardUpdate:
    """A game in progress.

    Attributes:
        game: the spec of the game.
        x: the player of `x`.
        o: the player of `o`.
        moves: the moves so far.
        round: the number of the game within its tournament.
    """

    game: str
    x: str
    o: str
    moves: tuple[str, ...]
    round: int


class Closed(PapanError):
    """The worker was closed during a pair."""


class TournamentWorker(Executor):
    """Plays game pairs one by one in its own process.

    Args:
        on_board: called with the board after each move, in a thread of the worker.
    """

    def __init__(self, on_board: Callable[[BoardUpdate], None]) -> None:
        self._on_board = on_board
        self._hand = ThreadPoolExecutor(1, thread_name_prefix="papan-tournament")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Plays a pair in the process; returns the future of its games.

        The interface is that of an executor; `work` is ignored.

        Raises:
            Closed: The worker is closed.
        """
        if self._closed:
            raise Closed("web.tournament.closed")
        return self._hand.submit(self._play, *args)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kills the process."""
        with self._lock:
            self._closed = True
            self._end()
        self._hand.shutdown(wait=wait, cancel_futures=True)

    def _play(self, pair: Pair) -> tuple[Record, ...]:
        pipe = self._open_pipe()
        try:
            pipe.send(pair)
            while True:
                what, content = pipe.recv()
                if what == "board":
                    self._on_board(content)
                elif what == "failed":
                    raise content
                else:
                    records: tuple[Record, ...] = content
                    return records
        except (EOFError, OSError):
            with self._lock:
                self._end()
            if self._closed:
                raise Closed("web.tournament.closed") from None
            raise BrokenProcessPool("the process that plays has died") from None

    def _open_pipe(self) -> Connection:
        """Returns the pipe to the process, which is started if necessary."""
        with self._lock:
            if self._closed:
                raise Closed("web.tournament.closed")
            if self._pipe is None:
                context = multiprocessing.get_context("spawn")
                self._pipe, theirs = context.Pipe()
                self._process = context.Process(
                    target=main, args=(theirs, NICENESS), name="papan-tournament", daemon=True
                )
                self._process.start()
                theirs.close()
            return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.close()
        self._process = self._pipe = None


# --- in the process -------------------------------------------------------------------------------


def main(pipe: Connection, niceness: int) -> None:
    """Plays pairs until the pipe is closed."""
    become_worker(niceness=niceness)
    with contextlib.suppress(EOFError, OSError):
        while True:
            pair = pipe.recv()
            try:
                pipe.send(("done", play(pair, lambda board: pipe.send(("board", board)))))
            except PapanError as error:
                pipe.send(("failed", error))


def play(pair: Pair, on_board: Callable[[BoardUpdate], None]) -> tuple[Record, ...]:
    """Plays a pair and returns its records; `on_board` gets each board.

    Raises:
        UsageError: A spec or an opening move is invalid, or a player does not play this game.
    """

    def on_move(index: int, moves: tuple[str, ...]) -> None:
        on_board(BoardUpdate(pair.game, *pair.sides(index), moves, pair.round(index)))

    return tuple(pair.play(on_move))
