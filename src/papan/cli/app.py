"""The command `papan`: its subcommands, start and exit.

The start has a time budget (`benchmarks/startup.py`), so neither this file nor the top of a
command's file imports numpy, numba or rich. The file of a command is imported when the command
runs.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TextIO, cast

import click

from papan.cli.command import Group, explain_click_error
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal
from papan.errors import PapanError, UsageError, unwritable
from papan.messages import LANGUAGES, Messages, preferred_language

#: Commands with the modules of their code, in the order of the help page.
COMMANDS = {
    "games": "papan.cli.games:games",
    "rules": "papan.cli.games:rules",
    "play": "papan.cli.play:play",
    "web": "papan.cli.web:web",
    "export": "papan.cli.export:export",
    "match": "papan.cli.match:match",
    "tournament": "papan.cli.tournament:tournament",
    "grade": "papan.cli.grade:grade",
    "openings": "papan.cli.openings:openings",
    "reproduce": "papan.cli.reproduce:reproduce",
    "new": "papan.cli.new:new",
    "check": "papan.cli.check:check",
    "search": "papan.cli.search:search",
    "solve": "papan.cli.solve:solve",
    "values": "papan.cli.values:values",
    "puzzles": "papan.cli.puzzles:puzzles",
    "tablebase": "papan.cli.tablebase:tablebase",
    "train": "papan.cli.train:train",
    "tune": "papan.cli.tune:tune",
    "levels": "papan.cli.levels:levels",
    "tree": "papan.cli.tree:tree",
    "perft": "papan.cli.perft:perft",
    "bench": "papan.cli.bench:bench",
    "ugi": "papan.cli.play:ugi",
    "gtp": "papan.cli.gtp:gtp",
    "records": "papan.cli.records:records",
    "cache": "papan.cli.cache:cache",
}

#: Former names of commands, which help pages do not show.
RENAMED = {"database": "tablebase"}

#: Exit status if the reader of stdout closed the pipe.
EXIT_NO_READER = 1


def application() -> Group:
    """Returns the command with its subcommands, which are not imported yet."""
    flags = [
        _flag("--version", "cli.option.version", _print_version),
        _flag("--install-completion", "cli.option.install-completion", _install_completion),
        _flag("--show-completion", "cli.option.show-completion", _show_completion),
    ]
    return Group("papan", "cli.papan", COMMANDS, below="cli", params=flags, renamed=RENAMED)


def _flag(word: str, about: str, act: Callable[[Terminal], None]) -> click.Option:
    """Returns an option that replaces a command."""

    def obey(ctx: click.Context, param: click.Parameter, is_set: bool) -> None:
        if is_set and not ctx.resilient_parsing:
            act(ctx.ensure_object(Terminal))
            ctx.exit()

    return click.Option(
        [word], help=about, callback=obey, is_flag=True, expose_value=False, is_eager=True
    )


def _print_version(terminal: Terminal) -> None:
    from importlib.metadata import version

    terminal.line(f"papan {version('papan')}")


def _install_completion(terminal: Terminal) -> None:
    from papan.cli import completion

    name = completion.shell_in_use()
    file = completion.install(name)
    terminal.note(terminal.say("cli.completion.installed", shell=name, file=file))


def _show_completion(terminal: Terminal) -> None:
    from papan.cli import completion

    completion.answer(application(), terminal, f"{completion.shell_in_use()}_source")


def chosen_language(args: Sequence[str]) -> str:
    """Returns the language of `--lang`, before or after the command, or the preferred one."""
    for word, following in pairwise([*args, ""]):
        name, _, value = word.partition("=")
        if name == "--lang" and (value or following) in LANGUAGES:
            return value or following
    return preferred_language()


def run(argv: Sequence[str] | None = None) -> int:
    """Runs `papan` with the given words, or those of the process; returns the exit status."""
    args = list(sys.argv[1:] if argv is None else argv)
    terminal = Terminal(Messages(chosen_language(args)))
    with open_closed_streams(), plain_warnings(terminal):
        if sys.stdout is None:
            closed = OSError(errno.EBADF, os.strerror(errno.EBADF))
            return terminal.fail(unwritable("stdout", closed))
        with json_only(terminal, args):
            return _obey_or_explain(args, terminal)


def _obey_or_explain(args: list[str], terminal: Terminal) -> int:
    """Runs the command and prints errors; returns the exit status."""
    try:
        status = _obey(args, terminal)
        (terminal.out or sys.stdout).flush()
        return status
    except click.ClickException as error:
        return terminal.fail(explain_click_error(error, args))
    except PapanError as error:
        return terminal.fail(error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        return _unwritable(error, terminal)
    except MemoryError:  # a limit of the machine or the shell; no file is damaged
        return terminal.fail(UsageError("usage.memory"))


@contextlib.contextmanager
def open_closed_streams() -> Iterator[None]:
    """Replaces stdin and stderr by the null device inside if the caller closed them: they are
    None then."""
    with open(os.devnull, "r+", encoding="utf-8") as nothing:
        closed = [name for name in ("stdin", "stderr") if getattr(sys, name) is None]
        for name in closed:
            setattr(sys, name, nothing)
        try:
            yield
        finally:
            for name in closed:
                setattr(sys, name, None)


@contextlib.contextmanager
def json_only(terminal: Terminal, args: Sequence[str]) -> Iterator[None]:
    """Redirects all output except JSON to stderr inside, if `--json` is among the words."""
    if "--json" not in args:
        yield
        return
    from papan.usercode.watchdog import Aside

    terminal.out = sys.stdout
    with contextlib.redirect_stdout(cast(TextIO, Aside())):
        yield


def _obey(args: list[str], terminal: Terminal) -> int:
    command = application()
    asked_by_shell = os.environ.get("_PAPAN_COMPLETE")
    if asked_by_shell:
        from papan.cli import completion

        completion.answer(command, terminal, asked_by_shell)
        return EXIT_DONE
    try:
        with command.make_context("papan", args, obj=terminal) as context:
            status: int = command.invoke(context)
            return status
    except click.exceptions.Exit as ended:  # after `--help` and the like
        return ended.exit_code


def _unwritable(error: OSError, terminal: Terminal) -> int:
    """Returns the exit status of a run whose output could not be written."""
    # Buffered output would fail again at the exit of the interpreter.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (terminal.out or sys.stdout).fileno())
    if error.errno == errno.EPIPE:
        return EXIT_NO_READER
    if error.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF):
        raise error
    return terminal.fail(unwritable(error.filename or "stdout", error))


@contextlib.contextmanager
def plain_warnings(terminal: Terminal) -> Iterator[None]:
    """Prints Papan's warnings in one line on stderr inside, without source lines."""
    with warnings.catch_warnings():
        show_others: Callable[..., None] = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: object) -> None:
            if category.__module__.startswith("papan."):
                terminal.note(f"papan: {message}")
            else:
                show_others(message, category, *where)

        warnings.showwarning = cast(Any, show)
        yield
