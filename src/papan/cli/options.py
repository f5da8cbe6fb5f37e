"""How commands declare their options, the options that several commands share, and how values are
read."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from papan.cli import completion
from papan.cli.command import Complete, Word, field
from papan.errors import InvalidLimit, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from papan.core.game import Position
    from papan.play.referee import Conditions
    from papan.protocol.guards import Guards
    from papan.search.limits import Limit

N = TypeVar("N", int, float)

#: Formats that a tree is written in.
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
    """Declares a field of a command's options that is set by an argument.

    Args:
        metavar: Stands for the value on the help page.
        about: The message `cli.argument.ABOUT` describes it.
        default: The value without the argument; required if missing.
        complete: Words that the shell offers.
        many: True if it takes all further arguments.
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
    """Declares a field of a command's options that is set by an option.

    Args:
        words: The flags, and what stands for the value: `--out -o FILE`; without a value it is a
            switch.
        about: The message that describes it: `option.NAME`, or the name of `cli.option.NAME`.
        default: The value without the option; required if missing.
        complete: Words that the shell offers.
        choices: The only values allowed, if not empty.
        many: True if it can be given several times.
        rank: Its place on the help page: those of one rank stand as they are declared.
        formerly: A flag that it had, which still works but is not shown.
    """
    parts = words.split()
    flags = tuple(part for part in parts if part.startswith("-"))
    metavar = " ".join(parts[len(flags) :])
    message = about if "." in about else f"cli.option.{about}"
    word = Word(flags, metavar, message, complete, choices, many, rank, formerly)
    return field(word, default)


@dataclass(frozen=True, kw_only=True)
class GameArgument:
    """The game that a command is about."""

    game: str = argument("GAME", "game", complete=completion.games)


@dataclass(frozen=True, kw_only=True)
class PositionOptions:
    """The position that a command begins at; without both, the start of the game."""

    position: str | None = option(
        "--position LINE", "position", None, complete=completion.files, rank=-1
    )
    moves: str = option("--moves MOVES", "moves", "", rank=-1)


@dataclass(frozen=True, kw_only=True)
class SeedOptions:
    """The seed of everything that is chosen by chance."""

    seed: str | None = option("--seed N", "seed", None, rank=3)


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """Workers on other machines."""

    cluster: str | None = option("--cluster ADDRESS", "cluster", None, rank=4)
    insecure_cluster: bool = option("--insecure-cluster", "insecure-cluster", False, rank=4)


@dataclass(frozen=True, kw_only=True)
class JsonOptions:
    """The form of the answer."""

    as_json: bool = option("--json", "json", False, rank=9)


@dataclass(frozen=True, kw_only=True)
class BotOptions:
    """Options of every command that starts programs as players; each may be left out."""

    bot_memory: str | None = option("--bot-memory MB", "bot-memory", None, rank=2)
    bot_processes: str | None = option("--bot-processes N", "bot-processes", None, rank=2)
    bot_ready: str | None = option("--bot-ready S", "bot-ready", None, rank=2)
    env: tuple[str, ...] = option("--env NAME", "env", (), many=True, rank=2)
    show_output: bool = option("--show-output", "show-output", False, rank=2)

    def guards(self) -> Guards:
        """Limits of each program.

        Raises:
            UsageError: a word is no number, or out of range; or the environment has no such name.
        """
        from papan.protocol.guards import Guards

        fields: dict[str, Any] = {"env": tuple(map(read_variable, self.env))}
        fields["show_output"] = self.show_output
        if self.bot_memory is not None:
            fields["memory_mb"] = read_whole(self.bot_memory, "--bot-memory", 0)
        if self.bot_processes is not None:
            fields["processes"] = read_whole(self.bot_processes, "--bot-processes", 0)
        if self.bot_ready is not None:
            fields["ready_seconds"] = read_number(self.bot_ready, "--bot-ready", 0)
        return Guards(**fields)


# --- reading values


def read_output(path: str | None, formats: Iterable[str]) -> str | None:
    """The path of a file in one of these formats, which its name says or leaves open.

    Raises:
        UsageError: the name says another format.
    """
    suffix = Path(path or "").suffix.lstrip(".").lower()
    if suffix and suffix not in formats:
        known = " | ".join(f".{each}" for each in formats)
        raise UsageError("usage.format", text=path, expected=known)
    return path


def read_variable(name: str) -> str:
    """The name of a variable of the environment.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in os.environ:
        raise UsageError("usage.no-variable", text=name)
    return name


def read_position(game: str, place: str | None, moves: str = "") -> Position:
    """The start position of a game, or the one that a line or a file describes, after moves.

    Raises:
        PapanError: the game spec, the line or a move is wrong, or the file cannot be read.
    """
    from papan.core.game import Position
    from papan.usercode import registry

    rules = registry.game(game)
    if place is None:
        position = rules.start()
    else:
        position = Position.unchecked(rules, rules.read_state(_position_line(place)))
    for move in moves.split():
        position = position.play(move)
    return position


def _position_line(place: str) -> str:
    """The position line itself, or the first line of the file of that name."""
    try:
        if not Path(place).is_file():
            return place
        with open(place, encoding="utf-8") as file:
            return file.readline().strip()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError("usage.unreadable", text=place, reason=reason) from None
    except ValueError:  # a NUL character, or a file that holds no text
        return place


def read_limit(
    depth: str | None = None, time: str | None = None, nodes: str | None = None
) -> Limit:
    """The limit that `--depth`, `--time` and `--nodes` set.

    Raises:
        UsageError: one of them is no number, or out of range.
    """
    from papan.search.limits import Limit

    return Limit(
        depth=_limit_value("depth", depth, "--depth", int),
        seconds=_limit_value("seconds", time, "--time", float),
        nodes=_limit_value("nodes", nodes, "--nodes", int),
    )


def _limit_value(field: str, text: str | None, option: str, number: type[N]) -> N | None:
    """The value of a limit's field, in range."""
    from papan.search.limits import Limit

    if text is None:
        return None
    try:
        value = number(text)
        alone: dict[str, Any] = {field: value}
        Limit(**alone)
    except InvalidLimit as error:
        expected = error.values["expected"]
    except ValueError:
        expected = f"@word.{number.__name__}"
    else:
        return value
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def read_conditions(
    clock: str | None, margin_ms: str | None, max_plies: str | None, *, adjudicate: bool
) -> Conditions:
    """The conditions that `--clock`, `--margin-ms`, `--max-plies` and `--adjudicate` set.

    Raises:
        UsageError: one of them is malformed or out of range; names the option.
    """
    from papan.play.clock import read_time_control
    from papan.play.referee import Conditions
    from papan.search.limits import MARGIN

    read = None if clock is None else read_time_control(clock)
    margin = MARGIN
    if margin_ms is not None:
        margin = read_number(margin_ms, "--margin-ms", 0) / _MILLISECONDS
    plies = 0 if max_plies is None else read_whole(max_plies, "--max-plies", 1)
    return Conditions(read, margin, plies, adjudicate)


def read_whole(text: str, option: str, low: int, high: int | None = None) -> int:
    """A whole number from `low` to `high`.

    Raises:
        UsageError: it is not one, or out of range.
    """
    most = math.inf if high is None else high
    expected = f"≥ {low}" if high is None else f"{low} … {high}"
    return _read(int, text, option, lambda number: low <= number <= most, expected)


def read_number(text: str, option: str, low: float) -> float:
    """A finite number that is at least `low`.

    Raises:
        UsageError: it is not one, or less.
    """
    return _read(float, text, option, lambda number: low <= number < math.inf, f"≥ {low:g}")


def read_cluster(address: str | None, insecure: bool) -> AbstractContextManager[Executor | None]:
    """The workers of a Dask scheduler, if one is named.

    Raises:
        UsageError: it cannot be used.
    """
    if address is None:
        return nullcontext()
    from papan.arena.cluster import cluster

    return cluster(address, insecure=insecure)


def _read(
    kind: type[N], text: str, option: str, is_allowed: Callable[[N], bool], expected: str
) -> N:
    try:
        number = kind(text)
        if is_allowed(number):
            return number
    except ValueError:
        pass  # the same answer as for a number out of range
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def read_seed(text: str | None) -> int:
    """The number that chance starts from; 0 if none was given.

    Raises:
        UsageError: it is not a whole number, or negative.
    """
    return read_whole(text or "0", "--seed", 0)


def read_choice(text: str, option: str, choices: Iterable[str]) -> str:
    """A word that is among the choices.

    Raises:
        UsageError: it is not.
    """
    allowed = list(choices)
    if text not in allowed:
        expected = " | ".join(allowed)
        raise UsageError("spec.bad-value", option=option, text=text, expected=expected)
    return text
