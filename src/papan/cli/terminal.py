"""Output of commands: stdout for results, stderr for everything else; and Ctrl-C as a request to
stop."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeVar

from papan.errors import PapanError, Unsolved, naming
from papan.messages import ENGLISH, Messages

Step = TypeVar("Step", covariant=True)
T = TypeVar("T")

EXIT_DONE = 0
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

#: Time after which a preparation is mentioned, in seconds.
PREPARATION_PATIENCE = 0.3

#: Time after which progress is shown, in seconds.
PROGRESS_PATIENCE = 1.0

_CLEAR_LINE = "\r\x1b[K"


@dataclass
class Terminal:
    """The terminal. Streams are looked up when they are written, so that they can be replaced.

    Attributes:
        say: the messages in the language of the user.
        out: the stream for results; by default the current stdout.
    """

    say: Messages = ENGLISH
    out: TextIO | None = None
    _started: float = field(default_factory=time.perf_counter)
    _progress_shown: bool = False

    def line(self, text: str = "") -> None:
        """Prints a line of the result and flushes, because a pipe may wait for it."""
        print(text, file=self.out, flush=True)

    def show(self, *renderables: Any) -> None:
        """Prints text, tables or Markdown of rich."""
        from rich.console import Console

        Console(file=self.out, highlight=False, markup=False, emoji=False).print(*renderables)

    def pairs(self, rows: Mapping[str, object]) -> None:
        """Prints labels and values, one pair per line, aligned."""
        width = max(map(len, rows))
        for label, value in rows.items():
            self.line(f"{label:{width}}  {value}")

    def json(self, value: Mapping[str, Any]) -> None:
        """Prints the JSON object of a command run with `--json`."""
        import json

        print(json.dumps(value, ensure_ascii=False, allow_nan=False), file=self.out)

    def write(self, text: str, out: str | None, message: str = "") -> None:
        """Writes a text to a file and prints `message` about it; without a file, prints the text.

        Raises:
            UsageError: The file cannot be written.
        """
        if out is None:
            self.line(text)
            return
        from papan.whole_files import write_whole

        with naming(out):
            write_whole(Path(out), f"{text}\n")
        if message:
            self.note(self.say(message, file=out))

    def note(self, text: str) -> None:
        """Prints a line on stderr."""
        self.clear_progress()
        print(text, file=sys.stderr, flush=True)

    def fail(self, error: PapanError) -> int:
        """Prints an error in one line on stderr; returns its exit status."""
        self.note(f"papan: {printable(self.say.explain(error))}")
        return EXIT_USAGE

    @contextlib.contextmanager
    def patience(self, message: str, **values: object) -> Iterator[None]:
        """Prints `message` on stderr if the work inside takes long."""
        with self._noted_when(lambda: True, message, values):
            yield

    @contextlib.contextmanager
    def compiling(self, message: str, **values: object) -> Iterator[None]:
        """Prints `message` on stderr if compiling inside takes long."""
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
        """Starts the time after which progress is shown (`PROGRESS_PATIENCE`)."""
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
    """True while a kernel is compiled; does not import the compiler."""
    compiler = sys.modules.get("papan.jit.inlining")
    return compiler is not None and compiler.is_compiling()


@dataclass
class Interruption:
    """Records a Ctrl-C.

    Attributes:
        happened: true if Ctrl-C was pressed.
    """

    happened: bool = False


@contextlib.contextmanager
def stopping(stop: Callable[[], object]) -> Iterator[Interruption]:
    """Calls `stop` at the first Ctrl-C inside; the second one interrupts as usual.

    Signals reach only the main thread; other threads are not affected.
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
    """A run with a saved state, such as a training."""

    is_resumed: bool

    @property
    def games(self) -> int:
        """Number of games including earlier runs."""
        ...

    def run(self, stop: Callable[[], bool]) -> Iterator[Step]:
        """Yields after each step, until the end or until `stop` returns true."""
        ...


def follow(
    long_run: LongRun[Step], resumed: str, line: Callable[[Step], str], terminal: Terminal
) -> bool:
    """Runs to the end or to the first Ctrl-C, and shows the progress.

    Args:
        long_run: the run.
        resumed: the message for a resumed run.
        line: returns the progress line after a step.
        terminal: the terminal.

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


def collect(
    items: Iterator[T], count: int, message: str, terminal: Terminal
) -> tuple[list[T], bool]:
    """Returns the first items, and true if Ctrl-C came before there were enough.

    Args:
        items: yields items, perhaps for ever.
        count: number of items.
        message: the progress line after an item, with `found` and `count`.
        terminal: the terminal.
    """
    collected: list[T] = []
    terminal.start_clock()
    try:
        while len(collected) < count and (item := next(items, None)) is not None:
            collected.append(item)
            terminal.progress(terminal.say(message, found=len(collected), count=count))
    except KeyboardInterrupt:
        return collected, True
    finally:
        terminal.clear_progress()
    return collected, False


@contextlib.contextmanager
def solving(terminal: Terminal, stop: Callable[[], object]) -> Iterator[None]:
    """Calls `stop` at the first Ctrl-C inside; reports unsolved positions in one line.

    Raises:
        Unsolved: There is no result, without Ctrl-C.
        KeyboardInterrupt: There is no result after Ctrl-C.
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
    """Returns the text with control characters replaced."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def writable(value: Any) -> Any:
    """Returns a report without lone surrogates, which UTF-8 cannot encode."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {key: writable(each) for key, each in value.items()}
    return list(map(writable, value)) if isinstance(value, list | tuple) else value


def align_columns(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> list[str]:
    """Returns rows of cells as lines of text, with the columns `right` aligned to the right and
    the others to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
