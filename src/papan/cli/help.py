"""Help pages and usage errors of the command line, in the person's language and on plain lines.

Commands are declared with names of messages as help texts; `translate` puts the texts in their
place once the language is known.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from typer.core import TyperCommand, TyperGroup

from papan.cli.terminal import Terminal
from papan.errors import UsageError
from papan.messages import Messages


class _AsTyped:
    """Leaves the words of the command line as they are."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value itself."""
        return value


class _Spoken:
    """What commands and the group have in common: how their help page looks, what they refuse."""

    params: list[Any]
    help: str | None
    examples = ""
    allow_extra_args = True  # so that they are refused in the person's language

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, the help option included, all of which are text.

        Commands read them, with errors in each language. Typer would load pydantic to leave them
        as they are, which takes 0.08 s of each start.
        """
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # this is a mixin
        for param in params:
            param._runtime_param = _AsTyped()
        return params

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Writes the usage line."""
        say: Messages = ctx.ensure_object(Terminal).say
        pieces = [say("cli.help.options"), *map(_usage_piece, self._arguments())]
        if isinstance(self, TyperGroup):
            pieces.append(say("cli.help.command"))
        formatter.write_usage(ctx.command_path, " ".join(pieces), f"{say('cli.help.usage')} ")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the sections: arguments, options, commands."""
        say: Messages = ctx.ensure_object(Terminal).say
        arguments = [(param.metavar, param.help) for param in self._arguments()]
        sections = {
            "cli.help.arguments-title": arguments,
            "cli.help.options-title": self._option_rows(ctx, say),
        }
        if isinstance(self, TyperGroup):
            rows = [(name, command.help or "") for name, command in self.commands.items()]
            sections["cli.help.commands-title"] = rows
        for title, rows in sections.items():
            if rows:
                with formatter.section(say(title)):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Writes the examples: a line to be typed, and below it what it does. Lines to be typed
        are not broken, so that they can be copied."""
        if not self.examples:
            return
        say: Messages = ctx.ensure_object(Terminal).say
        formatter.write(f"\n{say('cli.help.examples-title')}\n")
        for typed, about in read_examples(self.examples):
            formatter.write(f"  {typed}\n      {about}\n")

    def get_short_help_str(self, limit: int = 0) -> str:
        """The help text, which is short already."""
        return self.help or ""

    def _arguments(self) -> list[Any]:
        return [param for param in self.params if param.param_type_name == "argument"]

    def _option_rows(self, ctx: Any, say: Messages) -> list[tuple[str, str]]:
        return [
            (_option_words(param), say("cli.option.help") if param.name == "help" else param.help)
            for param in self.get_params(ctx)
            if param.param_type_name == "option"
        ]


class Command(_Spoken, TyperCommand):
    """A subcommand."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the words of the command line.

        Raises:
            UsageError: there are more than the command takes.
        """
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise UsageError("usage.extra", text=rest[0], command=ctx.command_path)
        return rest


class Group(_Spoken, TyperGroup):
    """The command with its subcommands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Finds the subcommand.

        Raises:
            UsageError: there is none of that name.
        """
        if args[0] not in self.commands and not ctx.resilient_parsing:
            known = ", ".join(self.commands)
            hint = _hint(args[0], self.commands)
            raise UsageError("usage.unknown-command", text=args[0], hint=hint, known=known)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help page, without the markup that typer would look for."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)
        self.format_epilog(ctx, formatter)


def read_examples(text: str) -> list[tuple[str, str]]:
    """The examples in a message: lines to be typed, and what they do."""
    lines = (line.partition("  # ") for line in text.strip().splitlines())
    return [(typed, about) for typed, _, about in lines]


def translate(command: Any, say: Messages) -> None:
    """Replaces names of messages by messages, and gives each subcommand the option `--lang`."""
    language = next(param for param in command.params if param.name == "language")
    for owner in _with_subcommands(command):
        owner.examples = say(f"{owner.help}.examples")
        owner.help = say(owner.help)
        for param in owner.params:
            standard = f"cli.option.{param.name.replace('_', '-')}"
            param.help = say(standard if param.name.endswith("_completion") else param.help)
        if owner is not command:
            owner.params.append(language)


def _with_subcommands(command: Any) -> Iterator[Any]:
    """A command, its subcommands, and theirs."""
    yield command
    for subcommand in getattr(command, "commands", {}).values():
        yield from _with_subcommands(subcommand)


def explained(error: Any, args: Sequence[str]) -> UsageError:
    """A usage error that the parser of the command line found in `args`, in Papan's words."""
    option: str | None = getattr(error, "option_name", None)
    if option is not None and hasattr(error, "possibilities"):
        words = [word for param in error.ctx.command.get_params(error.ctx) for word in param.opts]
        hint, command = _hint(option, words), error.ctx.command_path
        return UsageError("usage.unknown-option", text=option, hint=hint, command=command)
    if option is not None:
        has_value = any(word.startswith(f"{option}=") for word in args)
        return UsageError("usage.no-value" if has_value else "usage.value", text=option)
    param = getattr(error, "param", None)
    if param is not None and param.required:
        what = param.metavar if param.param_type_name == "argument" else param.opts[0]
        return UsageError("usage.missing", text=what, expected=param.help)
    return UsageError(error.format_message())


def _hint(text: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(text, list(known), n=1)
    return f" ({near[0]}?)" if near else ""


def _usage_piece(param: Any) -> str:
    """An argument in the usage line, in brackets if it may be left out."""
    return str(param.metavar) if param.required else f"[{param.metavar}]"


def _option_words(param: Any) -> str:
    """How an option is typed: `--depth N`."""
    words = ", ".join(param.opts)
    return words if param.is_flag else f"{words} {param.metavar}"
