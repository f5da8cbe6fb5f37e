"""The two streams that commands print to, stdout for results and stderr for everything else, and
Ctrl-C as a polite request."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TextIO, TypeVar

from papan.errors import PapanError, Unsolved
from papan.messages import ENGLISH, Messages

Step = TypeVar("Step", covariant=True)

EXIT_DONE = 0
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

#: Preparation that takes longer than this is mentioned, in seconds.
PREPARATION_PATIENCE = 0.3

#: Work that takes longer than this shows its progress, in seconds.
PROGRESS_PATIENCE = 1.0

_CLEAR_LINE = "\r\x1b[K"


@dataclass
class Terminal:
    """The terminal, or what stands in for it: streams are looked up when they are written to.

    Attributes:
        say: the messages in the language of the person in front of it.
        out: where results go, if not to what is stdout then.
    """

    say: Messages = ENGLISH
    out: TextIO | None = None
    _started: float = field(default_factory=time.perf_counter)
    _progress_shown: bool = False

    def line(self, text: str = "") -> None:
        """Prints a line of the result, at once: the reader of a pipe may be waiting for it."""
        print(text, file=self.out, flush=True)

    def show(self, *renderables: Any) -> None:
        """Prints what rich can render: texts, tables, Markdown."""
        from rich.console import Console

        Console(file=self.out, highlight=False, markup=False, emoji=False).print(*renderables)

    def pairs(self, rows: Mapping[str, object]) -> None:
        """Prints labels and values, a line each, the values below each other."""
        width = max(map(len, rows))
        for label, value in rows.items():
            self.line(f"{label:{width}}  {value}")

    def json(self, value: Mapping[str, Any]) -> None:
        """Prints the one object that a command run with `--json` prints."""
        import json

        print(json.dumps(value, ensure_ascii=False, allow_nan=False), file=self.out)

    def note(self, text: str) -> None:
        """Says something aside, on stderr."""
        self.clear_progress()
        print(text, file=sys.stderr, flush=True)

    def fail(self, error: PapanError) -> int:
        """Says what is wrong, on one line of stderr; returns the exit status for it."""
        self.note(f"papan: {printable(self.say.explain(error))}")
        return EXIT_USAGE

    @contextlib.contextmanager
    def patience(self, message: str, **values: object) -> Iterator[None]:
        """While inside, says `message` on stderr if it takes long."""
        with self._noted_when(lambda: True, message, values):
            yield

    @contextlib.contextmanager
    def compiling(self, message: str, **values: object) -> Iterator[None]:
        """While inside, says `message` on stderr once something has been compiled for long."""
        with self._noted_when(_is_compiling, message, values):
            yield

    @contextlib.contextmanager
    def _noted_when(
        self, condition: Callable[[], bool], message: str, values: Mapping[str, object]
    ) -> Iterator[None]:
        over = threading.Event()

        def watch() -> None:
            while not over.wait(PREPARATION_PATIENCE):
                if condition():
                    self.note(self.say(message, **values))
                    return

        threading.Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def start_clock(self) -> None:
        """Progress is shown from `PROGRESS_PATIENCE` after this on."""
        self._started = time.perf_counter()

    def progress(self, text: str) -> None:
        """Replaces the progress line, if stderr is a terminal and the work takes long."""
        if sys.stderr.isatty() and time.perf_counter() - self._started > PROGRESS_PATIENCE:
            width = os.get_terminal_size(sys.stderr.fileno()).columns
            print(_CLEAR_LINE + text[: width - 1], end="", file=sys.stderr, flush=True)
            self._progress_shown = True

    def clear_progress(self) -> None:
        """Removes the progress line."""
        if self._progress_shown:
            print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)
            self._progress_shown = False


def _is_compiling() -> bool:
    """True while a kernel is compiled; the compiler is not imported to find out."""
    compiler = sys.modules.get("papan.jit.inlining")
    return compiler is not None and compiler.is_compiling()


@dataclass
class Interruption:
    """Record of a Ctrl-C.

    Attributes:
        happened: if it was pressed.
    """

    happened: bool = False


@contextlib.contextmanager
def stopping(stop: Callable[[], object]) -> Iterator[Interruption]:
    """While inside, the first Ctrl-C calls `stop`; the second one interrupts as usual.

    Signals reach the main thread only; in any other nothing changes.
    """
    interruption = Interruption()

    def on_signal(number: int, frame: object) -> None:
        if interruption.happened:
            raise KeyboardInterrupt
        interruption.happened = True
        stop()

    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)


class LongRun(Protocol[Step]):
    """A run that keeps its state, such as a training."""

    is_resumed: bool

    @property
    def games(self) -> int:
        """Number of games that were played, earlier runs included."""
        ...

    def run(self, stop: Callable[[], bool]) -> Iterator[Step]:
        """Yields after each step, until it is done or `stop` returns True."""
        ...


def follow(
    long_run: LongRun[Step], resumed: str, line: Callable[[Step], str], terminal: Terminal
) -> bool:
    """Runs to the end, or to the first Ctrl-C, and shows the progress.

    Args:
        long_run: what runs.
        resumed: the message that says that it goes on from an earlier run.
        line: the progress line after a step.
        terminal: where the progress is shown.

    Returns:
        True if Ctrl-C was pressed.
    """
    if long_run.is_resumed:
        terminal.note(terminal.say(resumed, games=long_run.games))
    terminal.start_clock()
    stop = threading.Event()
    with stopping(stop.set) as interruption:
        for step in long_run.run(stop.is_set):
            terminal.progress(line(step))
    terminal.clear_progress()
    return interruption.happened


@contextlib.contextmanager
def solving(terminal: Terminal, stop: Callable[[], object]) -> Iterator[None]:
    """While inside, the first Ctrl-C calls `stop`; what is unsolved then is said in one line.

    Raises:
        Unsolved: there is no result, and nobody pressed Ctrl-C.
        KeyboardInterrupt: there is none, since somebody did.
    """
    with stopping(stop) as interruption:
        try:
            yield
        except Unsolved as error:
            if not interruption.happened:
                raise
            terminal.note(terminal.say.explain(error))
            raise KeyboardInterrupt from None
        finally:
            terminal.clear_progress()


def printable(text: str) -> str:
    """The text with a replacement for each character that a terminal would obey, not show."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def writable(value: Any) -> Any:
    """A report without lone surrogates, which UTF-8 does not have."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {key: writable(each) for key, each in value.items()}
    return list(map(writable, value)) if isinstance(value, list | tuple) else value


def align_columns(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> list[str]:
    """Rows of cells as lines of text: the columns with the numbers `right` end, all others begin
    below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
