"""Declarations of options, options shared by several commands, and readers of values."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from papan.cli import completion, parse
from papan.cli.command import Complete, Word, field

if TYPE_CHECKING:
    from papan.protocol.guards import Guards

N = TypeVar("N", int, float)

#: Formats of trees.
TREE_FORMATS = ("svg", "dot", "html", "json")
THEMES = ("light", "dark", "contrast")
SIDES = ("x", "o")

_MILLISECONDS = 1000


def argument(
    metavar: str,
    about: str,
    default: Any = MISSING,
    *,
    complete: Complete | None = None,
    many: bool = False,
) -> Any:
    """Declares a field of a command's options that an argument sets.

    Args:
        metavar: placeholder of the value on the help page.
        about: the message `cli.argument.ABOUT` describes it.
        default: value without the argument; required if missing.
        complete: completion of the shell.
        many: true if it takes all further arguments.
    """
    return field(Word((), metavar, f"cli.argument.{about}", complete, many=many), default)


def option(
    words: str,
    about: str,
    default: Any = MISSING,
    *,
    complete: Complete | None = None,
    choices: tuple[str, ...] = (),
    many: bool = False,
    rank: int = 0,
    formerly: str = "",
) -> Any:
    """Declares a field of a command's options that an option sets.

    Args:
        words: flags and placeholder of the value, such as `--out -o FILE`; a switch without
            placeholder.
        about: the message that describes it: `option.NAME`, or the name of `cli.option.NAME`.
        default: value without the option; required if missing.
        complete: completion of the shell.
        choices: allowed values; empty for any.
        many: true if it can be repeated.
        rank: position on the help page; within a rank, the order of declaration.
        formerly: a former flag, which still works but is not shown.
    """
    parts = words.split()
    flags = tuple(part for part in parts if part.startswith("-"))
    metavar = " ".join(parts[len(flags) :])
    message = about if "." in about else f"cli.option.{about}"
    word = Word(flags, metavar, message, complete, choices, many, rank, formerly)
    return field(word, default)


@dataclass(frozen=True, kw_only=True)
class GameArgument:
    """The game of a command."""

    game: str = argument("GAME", "game", complete=completion.games)


@dataclass(frozen=True, kw_only=True)
class PositionOptions:
    """The first position of a command; by default the start of the game."""

    position: str | None = option(
        "--position LINE", "position", None, complete=completion.files, rank=-1
    )
    moves: str = option("--moves MOVES", "moves", "", rank=-1)


@dataclass(frozen=True, kw_only=True)
class SeedOptions:
    """The seed of all random choices."""

    seed: str | None = option("--seed N", "seed", None, rank=3)


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """Workers on other machines."""

    cluster: str | None = option("--cluster ADDRESS", "cluster", None, rank=4)
    insecure_cluster: bool = option("--insecure-cluster", "insecure-cluster", False, rank=4)


@dataclass(frozen=True, kw_only=True)
class JsonOptions:
    """The format of the output."""

    as_json: bool = option("--json", "json", False, rank=9)


@dataclass(frozen=True, kw_only=True)
class BotOptions:
    """Options of commands that start programs as players."""

    bot_memory: str | None = option("--bot-memory MB", "bot-memory", None, rank=2)
    bot_processes: str | None = option("--bot-processes N", "bot-processes", None, rank=2)
    bot_ready: str | None = option("--bot-ready S", "bot-ready", None, rank=2)
    env: tuple[str, ...] = option("--env NAME", "env", (), many=True, rank=2)
    show_output: bool = option("--show-output", "show-output", False, rank=2)

    def guards(self) -> Guards:
        """The resource limits of each program.

        Raises:
            UsageError: A value is not a number or out of range, or the environment variable does
                not exist.
        """
        from papan.protocol.guards import Guards

        fields: dict[str, Any] = {"env": tuple(map(parse.variable, self.env))}
        fields["show_output"] = self.show_output
        if self.bot_memory is not None:
            fields["memory_mb"] = parse.whole(self.bot_memory, "--bot-memory", 0)
        if self.bot_processes is not None:
            fields["processes"] = parse.whole(self.bot_processes, "--bot-processes", 0)
        if self.bot_ready is not None:
            fields["ready_seconds"] = parse.number(self.bot_ready, "--bot-ready", 0)
        return Guards(**fields)
