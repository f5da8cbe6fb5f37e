"""Readers of the values of options: positions, limits, numbers, files."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from papan.errors import InvalidLimit, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from papan.core.game import Position
    from papan.play.referee import Conditions
    from papan.search.limits import Limit

N = TypeVar("N", int, float)

_MILLISECONDS = 1000


def output(path: str | None, formats: Iterable[str]) -> str | None:
    """Returns the path of a file in one of these formats, which the name states or leaves open.

    Raises:
        UsageError: The name states another format, or its folder does not exist.
    """
    suffix = Path(path or "").suffix.lstrip(".").lower()
    if suffix and suffix not in formats:
        known = " | ".join(f".{each}" for each in formats)
        raise UsageError("usage.format", text=path, expected=known)
    if path and not Path(path).parent.is_dir():
        raise UsageError("usage.unwritable", text=path, reason=os.strerror(errno.ENOENT))
    return path


def variable(name: str) -> str:
    """Returns the name of an environment variable.

    Raises:
        UsageError: The variable does not exist.
    """
    if name not in os.environ:
        raise UsageError("usage.no-variable", text=name)
    return name


def position(game: str, place: str | None, moves: str = "") -> Position:
    """Returns the start of a game, or the position of a line or file, after the given moves.

    Raises:
        PapanError: The game, the line or a move is invalid, or the file cannot be read.
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
    """Returns the position line, or the first line of the file of that name."""
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


def limit(depth: str | None = None, time: str | None = None, nodes: str | None = None) -> Limit:
    """Returns the limit of `--depth`, `--time` and `--nodes`.

    Raises:
        UsageError: A value is not a number or out of range.
    """
    from papan.search.limits import Limit

    return Limit(
        depth=_limit_value("depth", depth, "--depth", int),
        seconds=_limit_value("seconds", time, "--time", float),
        nodes=_limit_value("nodes", nodes, "--nodes", int),
    )


def _limit_value(field: str, text: str | None, option: str, number: type[N]) -> N | None:
    """Returns the value of a limit within its range."""
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


def conditions(
    clock: str | None, margin_ms: str | None, max_plies: str | None, *, adjudicate: bool
) -> Conditions:
    """Returns the conditions of `--clock`, `--margin-ms`, `--max-plies` and `--adjudicate`.

    Raises:
        UsageError: A value is malformed or out of range; the message names the option.
    """
    from papan.play.clock import read_time_control
    from papan.play.referee import CPU, Conditions
    from papan.search.limits import MARGIN

    read = None if clock is None or clock == CPU else read_time_control(clock)
    margin = MARGIN
    if margin_ms is not None:
        margin = number(margin_ms, "--margin-ms", 0) / _MILLISECONDS
    plies = 0 if max_plies is None else whole(max_plies, "--max-plies", 1)
    return Conditions(read, margin, plies, adjudicate, processor=clock == CPU)


def whole(text: str, option: str, low: int, high: int | None = None) -> int:
    """Returns an integer from `low` to `high`.

    Raises:
        UsageError: The text is not an integer, or it is out of range.
    """
    most = math.inf if high is None else high
    expected = f"≥ {low}" if high is None else f"{low} … {high}"
    return _read(int, text, option, lambda number: low <= number <= most, expected)


def number(text: str, option: str, low: float) -> float:
    """Returns a finite number that is at least `low`.

    Raises:
        UsageError: The text is not a number, or it is too small.
    """
    return _read(float, text, option, lambda number: low <= number < math.inf, f"≥ {low:g}")


def cluster(address: str | None, insecure: bool) -> AbstractContextManager[Executor | None]:
    """Returns the workers of a Dask scheduler, if one is named.

    Raises:
        UsageError: The scheduler cannot be used.
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
        pass  # the same error as for a number out of range
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def seed(text: str | None) -> int:
    """Returns the seed; 0 by default.

    Raises:
        UsageError: The text is not an integer, or it is negative.
    """
    return whole(text or "0", "--seed", 0)


def choice(text: str, option: str, choices: Iterable[str]) -> str:
    """Returns a word if it is among the choices.

    Raises:
        UsageError: The word is not among the choices.
    """
    allowed = list(choices)
    if text not in allowed:
        expected = " | ".join(allowed)
        raise UsageError("spec.bad-value", option=option, text=text, expected=expected)
    return text
