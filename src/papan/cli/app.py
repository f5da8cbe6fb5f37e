"""The command `papan`: its subcommands, and the way in and out.

Starting up has a budget (`papan --help` in less than 0.3 s), so nothing here or at the top of a
command's file imports numpy, numba or rich; commands import what they need when they run.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, TextIO, cast

import typer
from typer.main import get_command

from papan.cli import completion, help, record_files
from papan.cli import records as kept
from papan.cli.bench import bench
from papan.cli.games import games
from papan.cli.grade import grade
from papan.cli.match import match
from papan.cli.openings import openings
from papan.cli.perft import perft
from papan.cli.play import play
from papan.cli.reproduce import reproduce
from papan.cli.rules import rules
from papan.cli.search import search
from papan.cli.solve import solve
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal
from papan.cli.tournament import tournament
from papan.cli.tree import tree
from papan.cli.ugi import ugi
from papan.cli.web import web
from papan.errors import PapanError, UsageError
from papan.messages import LANGUAGES, Messages, preferred_language

#: In the order of the help page.
COMMANDS = (
    games,
    rules,
    play,
    web,
    match,
    tournament,
    grade,
    openings,
    reproduce,
    search,
    solve,
    tree,
    perft,
    bench,
    ugi,
)

#: Those that have commands of their own.
GROUPS = {
    kept.records: (
        kept.list_,
        kept.show,
        kept.replay,
        kept.stats,
        kept.events,
        record_files.export,
        record_files.import_,
    ),
}

#: What the parser of the command line raises; typer exports only the subclass.
_PARSER_ERROR = cast(type[Exception], typer.BadParameter.__base__)

#: Whoever was reading stdout has gone; typer uses the same number.
EXIT_NO_READER = 1


def print_version(ctx: typer.Context, wanted: bool) -> None:
    """Prints name and version and ends, if wanted."""
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        print(f"papan {version('papan')}")
        raise typer.Exit


def check_language(language: str | None) -> None:
    """The option was read before anything else (`chosen_language`); this refuses unknown ones."""
    if language is not None:
        Messages(language)


def papan(
    ctx: typer.Context,
    language: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="|".join(LANGUAGES),
            help="cli.option.lang",
            callback=check_language,
            autocompletion=completion.languages,
            expose_value=False,
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="cli.option.version",
            callback=print_version,
            is_eager=True,
            expose_value=False,
        ),
    ] = False,
) -> None:
    """What `papan` alone does: it shows the help page."""
    if ctx.invoked_subcommand is None and not ctx.resilient_parsing:
        print(ctx.get_help())


def application() -> typer.Typer:
    """The command and its subcommands, with message names in place of help texts."""
    app = _group(papan, COMMANDS, "cli", about="cli.papan")
    for callback, commands in GROUPS.items():
        name = callback.__name__
        topic = f"cli.{name}"
        app.add_typer(_group(callback, commands, topic, about=topic), name=name)
    return app


def _group(
    callback: Callable[..., None],
    commands: Iterable[Callable[..., None]],
    topic: str,
    *,
    about: str,
) -> typer.Typer:
    """A command that has commands of its own, with their help texts under `topic`."""
    app = typer.Typer(
        cls=help.Group, help=about, rich_markup_mode=None, pretty_exceptions_enable=False
    )
    app.callback(invoke_without_command=True)(callback)
    for command in commands:
        name = command.__name__.rstrip("_")
        app.command(name, cls=help.Command, help=f"{topic}.{name}")(command)
    return app


def chosen_language(args: Sequence[str]) -> str:
    """The language asked for by `--lang`, before or after the command, or the preferred one."""
    for word, following in pairwise([*args, ""]):
        name, _, value = word.partition("=")
        if name == "--lang" and (value or following) in LANGUAGES:
            return value or following
    return preferred_language()


def run(argv: Sequence[str] | None = None) -> int:
    """Runs `papan` with these words, or those of the process; returns the exit status."""
    args = list(sys.argv[1:] if argv is None else argv)
    terminal = Terminal(Messages(chosen_language(args)))
    with plain_warnings(terminal):
        try:
            return _obey(args, terminal)
        except _PARSER_ERROR as error:
            return terminal.fail(help.explained(error, args))
        except PapanError as error:
            return terminal.fail(error)
        except (KeyboardInterrupt, typer.Abort):
            return EXIT_INTERRUPTED
        except OSError as error:
            return _unwritable(error, terminal)


def _obey(args: list[str], terminal: Terminal) -> int:
    command = get_command(application())
    help.translate(command, terminal.say)
    with completion.whole_words():
        status = command.main(args, prog_name="papan", standalone_mode=False, obj=terminal)
    sys.stdout.flush()
    return status if isinstance(status, int) else EXIT_DONE


def _unwritable(error: OSError, terminal: Terminal) -> int:
    """The end of a run whose output could not be written."""
    # What is still in the buffer would fail once more when the interpreter ends.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:
        return EXIT_NO_READER
    if error.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF):
        raise error
    return terminal.fail(UsageError("usage.unwritable", text="stdout", reason=error.strerror))


@contextlib.contextmanager
def plain_warnings(terminal: Terminal) -> Iterator[None]:
    """While inside, Papan's own warnings are one line on stderr, without their source line."""
    with warnings.catch_warnings():
        show_others = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if category.__module__.startswith("papan."):
                terminal.note(f"papan: {message}")
            else:
                show_others(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield
