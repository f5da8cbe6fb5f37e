"""Turns a failing rule of a user's file into an error of Papan; the only place that does.

Papan calls the rules of a game through operations (`papan.rules.dispatch`) and through methods of
`Game`. Every exception of a rule becomes a `RuleFailure` with file, line, name of the rule and
reason. Callers handle `InvalidGame` and need no knowledge of users' files.

A `PapanError` of a rule, such as `InvalidPosition`, passes unchanged, and so does Ctrl-C. Compiled
rules raise nothing.
"""

from __future__ import annotations

import contextlib
import functools
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from papan.core.game import Game
from papan.errors import InvalidGame, InvalidSpec, PapanError, RuleFailure
from papan.rules import dispatch
from papan.usercode import watchdog
from papan.usercode.watchdog import MemoryOverrun, Overrun, TimeOverrun

#: Exceptions of rules. Ctrl-C is not a failure of the rule.
RULE_ERRORS = (Exception, SystemExit, Overrun)

_files: set[str] = set()


def add_file(path: Path) -> None:
    """Registers a user's file: from now on, failures of its rules are `RuleFailure`."""
    if not _files:
        dispatch.handle_failures(raise_failure)
    _files.add(str(path))


def raise_failure(error: BaseException, rule: str) -> None:
    """Raises `RuleFailure` if an exception comes from a user's file and Papan called the file.

    Called where an exception passes the border between Papan and a rule. It does nothing if the
    rule was called by a user's file: the outer border raises the error, so that a rule can catch
    its own exceptions.

    Args:
        error: the exception that is being handled.
        rule: name of the operation or method.
    """
    if isinstance(error, PapanError) or not isinstance(error, RULE_ERRORS):
        return
    frames = traceback.walk_tb(error.__traceback__)
    passed = [(frame.f_code.co_filename, line) for frame, line in frames]
    reached = [(file, line) for file, line in passed if file in _files]
    if reached and not _is_called_by_user():
        file, line = reached[-1]
        raise rule_failure(rule, error, Path(file), line) from error


def _is_called_by_user() -> bool:
    """True if a user's file is among the callers of the current border."""
    frame = sys._getframe(2)
    while (caller := frame.f_back) is not None:
        if caller.f_code.co_filename in _files:
            return True
        frame = caller
    return False


def explain_methods(game: type[Game]) -> None:
    """Wraps the methods and properties of a user's game class that override those of `Game`.

    Raises:
        RuleFailure: A wrapped method fails.
    """
    for name in dir(Game):
        owner = next(cls for cls in game.__mro__ if name in vars(cls))
        if name.startswith("__") or issubclass(Game, owner) or owner.__module__ != game.__module__:
            continue
        member = vars(owner)[name]
        if isinstance(member, property) and member.fget:
            setattr(game, name, property(_explained(member.fget, name)))
        elif isinstance(member, functools.cached_property):
            member.func = _explained(member.func, name)
        elif isinstance(member, classmethod | staticmethod):
            setattr(game, name, type(member)(_explained(member.__func__, name)))
        elif callable(member) and not isinstance(member, type):
            setattr(game, name, _explained(member, name))


def _explained(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Returns a method that raises `RuleFailure` on failure."""

    @functools.wraps(method)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return method(*args, **named)
        except BaseException as error:
            raise_failure(error, name)
            raise

    return call


# --- errors of users' files -----------------------------------------------------------------------


@contextlib.contextmanager
def run_file(path: Path) -> Iterator[None]:
    """Runs a user's file inside: interrupts it after `watchdog.SECONDS`, and turns every exception,
    including `SystemExit`, into an error with its line.

    Raises:
        InvalidGame: The file failed; the message names the line.
    """
    try:
        with watchdog.watched(), watchdog.shielded(path):
            yield
    except (InvalidGame, InvalidSpec):
        raise
    except KeyboardInterrupt as error:
        if "KeyboardInterrupt" not in linecache.getline(str(path), line_reached(error, path) or 0):
            raise  # somebody has pressed Ctrl-C
        raise failure(error, path) from error
    except RULE_ERRORS as error:
        raise failure(error, path) from error


def rule_failure(rule: str, error: BaseException, path: Path, line: int) -> RuleFailure:
    """Returns the error for an exception of a rule."""
    values = {"text": path.name, "line": line, "operation": rule, "reason": reason_of(error)}
    return RuleFailure("game-file.rule-raises", **values)


def failure(error: BaseException, path: Path) -> InvalidGame:
    """Returns the error for an exception of a user's file, with the last line reached."""
    line, reason = line_reached(error, path) or "?", reason_of(error)
    return InvalidGame("game-file.raises", text=path.name, line=line, reason=reason)


def line_reached(error: BaseException, path: Path) -> int | None:
    """Returns the last line of a file that was reached before an exception."""
    if isinstance(error, RuleFailure) and error.__cause__:
        error = error.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return lines[-1] if lines else None


def reason_of(error: BaseException) -> object:
    """Returns the reason of an exception in a form for messages."""
    if isinstance(error, RuleFailure):
        return error.values["reason"]
    if isinstance(error, TimeOverrun):
        return InvalidGame("game-file.too-long", seconds=watchdog.SECONDS)
    if isinstance(error, MemoryOverrun):
        return InvalidGame("game-file.too-large", megabytes=watchdog.MEGABYTES)
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return InvalidGame("game-file.ends", name=type(error).__name__)
    if isinstance(error, PapanError):
        return error
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
