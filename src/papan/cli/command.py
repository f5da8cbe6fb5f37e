"""The layer between click and Papan's commands: parameters are fields of a frozen dataclass, and
help pages and errors are translated.

    @dataclass(frozen=True, kw_only=True)
    class PerftOptions:
        game: str = argument("game")
        depth: str = option("plies")

    @command(PerftOptions)
    def perft(options: PerftOptions, terminal: Terminal) -> int: ...

Values stay text: the readers in `papan.cli.options` and the specs of games and players report
invalid values in each language.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

import click

from papan.cli.terminal import Terminal
from papan.errors import UsageError
from papan.messages import LANGUAGES, Messages

T = TypeVar("T")

#: Maximum width of help pages in columns; longer lines are hard to read.
WIDEST_PAGE = 100

#: Completion: typed text → possible words, or click's items.
Complete = Callable[[str], Iterable[Any]]


@dataclass(frozen=True)
class Word:
    """An argument or option of a command.

    Attributes:
        flags: flags of an option, such as `--depth`; empty for an argument.
        metavar: placeholder of the value on the help page; empty for a switch.
        about: the message that describes it.
        complete: completion of the shell.
        choices: the allowed values; empty for any.
        many: true if it can be repeated.
        rank: its position on every help page.
        formerly: its former name, which still works but is not shown.
    """

    flags: tuple[str, ...]
    metavar: str
    about: str
    complete: Complete | None = None
    choices: tuple[str, ...] = ()
    many: bool = False
    rank: int = 0
    formerly: str = ""

    def parameter(self, name: str, default: Any) -> click.Parameter:
        """Returns the click parameter; click passes its value as the argument `name`."""
        facts: dict[str, Any] = {"metavar": self.metavar or None}
        facts |= {"type": click.UNPROCESSED, "shell_complete": self._offers}
        if default is dataclasses.MISSING:
            facts["required"] = True
        elif not self.many:
            facts["default"] = default
        if not self.flags:
            argument = click.Argument([name], nargs=-1 if self.many else 1, **facts)
            argument.help = self.about  # a parameter of `Argument` only since click 8.5
            return argument
        facts["help"] = self.about
        if not self.metavar:
            facts |= {"is_flag": True, "type": click.BOOL}
        return click.Option([*self.flags, name], multiple=self.many, **facts)

    def _offers(self, context: click.Context, parameter: click.Parameter, typed: str) -> list[Any]:
        offers = self.complete(typed) if self.complete else self.choices
        return [word for word in offers if not isinstance(word, str) or word.startswith(typed)]


def field(word: Word, default: Any = dataclasses.MISSING) -> Any:
    """Returns a dataclass field for an argument or option of a command."""
    return dataclasses.field(default=default, metadata={"word": word})


class Page(click.Command):
    """A command with a help page.

    Attributes:
        topic: the message that describes it; `<topic>.examples` has its examples.
    """

    allow_extra_args = True  # extra arguments are reported in the user's language

    def __init__(self, name: str, topic: str, params: Sequence[click.Parameter], **rest: Any):
        rest["context_settings"] = {"help_option_names": ["-h", "--help"]}
        super().__init__(name, params=[*params, language_option()], **rest)
        self.topic = topic

    def examples(self, say: Messages) -> list[tuple[str, str]]:
        """Returns example commands and their descriptions."""
        text = say(f"{self.topic}.examples")
        lines = (line.partition("  # ") for line in text.strip().splitlines())
        return [(typed, about) for typed, _, about in lines]

    def get_help(self, ctx: click.Context) -> str:
        """Returns the help page, as wide as the terminal up to `WIDEST_PAGE`."""
        columns = min(shutil.get_terminal_size().columns, WIDEST_PAGE)
        formatter = click.HelpFormatter(width=columns)
        self.format_help(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Returns the option `--help` with a translated description."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "cli.option.help"
        return option

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the help page: usage, description, sections, examples."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)
        self.format_epilog(ctx, formatter)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the usage line."""
        say = said_in(ctx)
        pieces = [say("cli.help.options"), *map(_usage_piece, self._arguments())]
        if isinstance(self, Group):
            pieces.append(say("cli.help.command"))
        formatter.write_usage(ctx.command_path, " ".join(pieces), f"{say('cli.help.usage')} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the description."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(said_in(ctx)(self.topic))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the sections: arguments, options, commands."""
        say = said_in(ctx)
        sections = {
            "cli.help.arguments-title": [
                (_usage_word(one), _about(one)) for one in self._arguments()
            ],
            "cli.help.options-title": [
                (_usage_word(one), _about(one)) for one in self._options(ctx)
            ],
            "cli.help.commands-title": self._subcommands(),
        }
        for title, rows in sections.items():
            if rows:
                with formatter.section(say(title)):
                    formatter.write_dl([(typed, say(about)) for typed, about in dict(rows).items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples: a command, and below it the description. Commands are not
        wrapped, so that they can be copied."""
        say = said_in(ctx)
        formatter.write(f"\n{say('cli.help.examples-title')}\n")
        indent = " " * 6
        for typed, about in self.examples(say):
            formatter.write(f"  {typed}\n")
            formatter.write(click.wrap_text(about, formatter.width, indent, indent) + "\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Returns completions for the shell with translated descriptions."""
        offers = super().shell_complete(ctx, incomplete)
        about = {word: _about(one) for one in self.get_params(ctx) for word in one.opts}
        for offer in offers:
            offer.help = said_in(ctx)(about.get(offer.value, offer.help or ""))
        return offers

    def _arguments(self) -> list[click.Argument]:
        return [one for one in self.params if isinstance(one, click.Argument)]

    def _options(self, ctx: click.Context) -> list[click.Option]:
        return [one for one in self.get_params(ctx) if isinstance(one, click.Option)]

    def _subcommands(self) -> list[tuple[str, str]]:
        """Returns the names of subcommands with their description messages."""
        return []


class Command(Page, Generic[T]):
    """A command without subcommands: a function of its options and the terminal.

    Args:
        function: runs the command and returns the exit status.
        options: the class of its options.
        topic: the message that describes it.
    """

    def __init__(
        self, function: Callable[[T, Terminal], int], options: Callable[..., T], topic: str
    ):
        fields = dataclasses.fields(cast(Any, options))
        self.words: dict[str, Word] = {each.name: each.metadata["word"] for each in fields}
        old_words = [word for word in self.words.values() if word.formerly]
        self.renamed = {word.formerly: word.flags[0] for word in old_words}
        defaults = {each.name: each.default for each in fields}
        in_order = sorted(self.words, key=lambda name: self.words[name].rank)
        params = [self.words[name].parameter(name, defaults[name]) for name in in_order]
        super().__init__(topic.rpartition(".")[2], topic, params)
        self.function, self.options = function, options

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the words of the command line.

        Raises:
            UsageError: There are too many words.
        """
        rest = super().parse_args(ctx, [self._current_flag(word) for word in args])
        if rest and not ctx.resilient_parsing:
            raise UsageError("usage.extra", text=rest[0], command=ctx.command_path)
        return rest

    def _current_flag(self, typed: str) -> str:
        """Returns a word with a former name of an option replaced by the current one."""
        flag, equals, value = typed.partition("=")
        return f"{self.renamed.get(flag, flag)}{equals}{value}"

    def invoke(self, ctx: click.Context) -> int:
        """Runs the command and returns its exit status.

        Raises:
            UsageError: The value of an option is not among its choices.
        """
        for name, word in self.words.items():
            value = ctx.params[name]
            if word.choices and value is not None and value not in word.choices:
                expected = " | ".join(word.choices)
                option = word.flags[0]
                raise UsageError("spec.bad-value", option=option, text=value, expected=expected)
        _import_numpy()
        return self.function(self.options(**ctx.params), ctx.ensure_object(Terminal))


def _import_numpy() -> None:
    """Imports numpy, which every command needs, without threads for linear algebra.

    Papan does not need these threads, and starting them takes a fifth of the processor time of
    `papan games`. The variable is restored for child processes.
    """
    name = "OPENBLAS_NUM_THREADS"
    if name in os.environ or "numpy" in sys.modules:
        return
    os.environ[name] = "1"
    try:
        import numpy  # noqa: F401  # for its side effect
    finally:
        del os.environ[name]


def command(
    options: Callable[..., T], topic: str = ""
) -> Callable[[Callable[[T, Terminal], int]], Command[T]]:
    """Turns a function of options and terminal into a command.

    Args:
        options: the class of the options, whose fields are created by `field`.
        topic: the message that describes the command; default: `cli.<name of the function>`.
    """

    def decorate(function: Callable[[T, Terminal], int]) -> Command[T]:
        return Command(function, options, topic or f"cli.{function.__name__}")

    return decorate


class Group(Page, click.Group):
    """A command with subcommands, which are imported when needed.

    Args:
        name: its name.
        topic: the message that describes it.
        places: the subcommands in the order of the help page, each as `module:attribute`.
        below: the prefix of their topics.
        renamed: former names of subcommands, which still work but are not shown.
    """

    def __init__(
        self,
        name: str,
        topic: str,
        places: Mapping[str, str],
        *,
        below: str,
        params: Sequence[click.Parameter] = (),
        renamed: Mapping[str, str] = MappingProxyType({}),
    ):
        super().__init__(name, topic, params, invoke_without_command=True, callback=_show_page)
        self.places, self.below, self.renamed = places, below, renamed

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the subcommands in the order of the help page."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports and returns a subcommand; None if it does not exist."""
        if cmd_name not in self.places:
            return None
        module, _, attribute = self.places[cmd_name].partition(":")
        loaded: click.Command = getattr(import_module(module), attribute)
        return loaded

    def subcommands(self) -> dict[str, Page]:
        """Imports and returns all subcommands by name."""
        context = click.Context(self)
        return {name: cast(Page, self.get_command(context, name)) for name in self.places}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the subcommand. For a former name, prints the current name on stderr.

        Raises:
            UsageError: The subcommand does not exist.
        """
        name = self.renamed.get(args[0])
        if name is not None:
            note = said_in(ctx)("cli.renamed", old=f"papan {args[0]}", new=f"papan {name}")
            ctx.ensure_object(Terminal).note(note)
            args = [name, *args[1:]]
        if args[0] not in self.places and not ctx.resilient_parsing:
            known, hint = ", ".join(self.places), _hint(args[0], self.places)
            raise UsageError("usage.unknown-command", text=args[0], hint=hint, known=known)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Returns completions for the shell, subcommands without importing them, and options."""
        from click.shell_completion import CompletionItem

        say = said_in(ctx)
        offers = [
            CompletionItem(name, help=say(about))
            for name, about in self._subcommands()
            if name.startswith(incomplete)
        ]
        if not incomplete.startswith("-"):
            return offers
        about = {word: _about(one) for one in self.get_params(ctx) for word in one.opts}
        words = [word for word in about if word.startswith(incomplete)]
        return [CompletionItem(word, help=say(about[word])) for word in words]

    def _subcommands(self) -> list[tuple[str, str]]:
        return [(name, f"{self.below}.{name}") for name in self.places]


@click.pass_context
def _show_page(ctx: click.Context) -> int:
    """Prints the help page of a group without a subcommand."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
    return 0


def said_in(ctx: click.Context) -> Messages:
    """Returns the messages in the language of the user."""
    return ctx.ensure_object(Terminal).say


def language_option() -> click.Option:
    """Returns the option `--lang` of every command. It is applied before parsing; here only
    unknown languages are rejected."""

    def check(ctx: click.Context, param: click.Parameter, language: str | None) -> None:
        if language is not None and not ctx.resilient_parsing:
            Messages(language)

    languages = Word(("--lang",), "|".join(LANGUAGES), "cli.option.lang", choices=tuple(LANGUAGES))
    option = languages.parameter("language", None)
    option.expose_value, option.callback = False, check
    return cast(click.Option, option)


def explain_click_error(error: click.ClickException, args: Sequence[str]) -> UsageError:
    """Returns the translated error for a usage error of click in `args`."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        words = [word for one in error.ctx.command.get_params(error.ctx) for word in one.opts]
        hint, path = _hint(error.option_name, words), error.ctx.command_path
        return UsageError("usage.unknown-option", text=error.option_name, hint=hint, command=path)
    if isinstance(error, click.BadOptionUsage):
        option = error.option_name
        has_value = any(word.startswith(f"{option}=") for word in args)
        return UsageError("usage.no-value" if has_value else "usage.value", text=option)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        what = error.param.metavar or ""
        if isinstance(error.param, click.Option):
            what = error.param.opts[0]
        return UsageError("usage.missing", text=what, expected=f"@{_about(error.param)}")
    return UsageError(error.format_message())


def _hint(text: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(text, list(known), n=1)
    return f" ({near[0]}?)" if near else ""


def _about(param: click.Parameter) -> str:
    """Returns the message that describes a parameter."""
    return getattr(param, "help", None) or ""


def _usage_piece(param: click.Argument) -> str:
    """Returns an argument in the usage line, in brackets if optional."""
    return _usage_word(param) if param.required else f"[{_usage_word(param)}]"


def _usage_word(param: click.Parameter) -> str:
    """Returns a parameter as it is typed: `GAME`, `--depth N`, `--open/--no-open`."""
    if isinstance(param, click.Argument):
        return param.metavar or ""
    words = "/".join([", ".join(param.opts), *param.secondary_opts])
    return f"{words} {param.metavar}" if param.metavar else words
