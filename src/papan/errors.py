"""Every exception that Papan raises on purpose: one tree, one line of text each.

    PapanError
    ├── UsageError            a word or argument is wrong; the line says what is expected
    │   ├── InvalidSpec       a game or player spec: unknown name, unknown option, bad value
    │   ├── InvalidGame       a user's own game: its file, or a rule that cannot be compiled
    │   │   └── RuleFailure   a rule of a user's file raised an exception or did not end
    │   ├── InvalidPosition   a position line
    │   ├── InvalidMove       a move that cannot be read
    │   ├── IllegalMove       a move that can be read but is not legal here
    │   ├── InvalidLimit      depth, time, nodes, memory
    │   └── Unsolved          a position that cannot be solved within the limits
    ├── GameOver              a move was requested or made after the end
    ├── MissingOperation      a game lacks one of its operations
    ├── BrokenContract        a game or player breaks an invariant (found by `papan.testing`)
    ├── PlayerFailure         a player made no move; the referee ends the game against it
    │   ├── PlayerTimeout     the player exceeded its time
    │   ├── PlayerCrash       its program could not start, exited, or closed its output
    │   ├── PlayerRefusal     its program rejected a command of Papan
    │   ├── PlayerFlood       its program wrote too long a line or reply
    │   └── Resigned          the player resigned
    └── RecordError           a game record cannot be read or replayed

An error consists of a message of the catalogue and the values of its fields, so that it can be
shown in each language. `str(error)` is English; `papan.messages.Messages.explain` returns it in any
language.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any


class PapanError(Exception):
    """The base class of all errors of Papan.

    Args:
        message: the name of a message in the catalogue, or the text itself.
        values: the values of the message's fields.

    Examples:
        >>> try:
        ...     papan.game("backgammon")
        ... except papan.PapanError as error:
        ...     print(type(error).__name__)
        InvalidSpec
    """

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(message)
        self.message = message
        self.values = values

    def __str__(self) -> str:
        from papan.messages import ENGLISH

        return ENGLISH.explain(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.values)


def _rebuild(cls: type[PapanError], message: str, values: dict[str, object]) -> PapanError:
    return cls(message, **values)


class UsageError(PapanError):
    """A word or argument is wrong; the line names it and what was expected.

    Examples:
        >>> try:
        ...     papan.perft("platforms", -1)
        ... except papan.UsageError:
        ...     print("depth")
        depth
    """


class InvalidSpec(UsageError):
    """A game or player spec names something unknown or has an option out of range."""


class InvalidGame(UsageError):
    """A file has no game, or its rules fail or cannot be compiled."""


class RuleFailure(InvalidGame):
    """A rule of a user's file raised an exception, ran too long, or took too much memory."""


class InvalidPosition(UsageError):
    """A position line is malformed or breaks the rules."""


class InvalidMove(UsageError):
    """A move cannot be read."""


class IllegalMove(UsageError):
    """A move can be read, but the rules do not allow it here.

    Examples:
        >>> position = papan.game("platforms").start()
        >>> try:
        ...     position.play("c3")
        ... except papan.IllegalMove as error:
        ...     print(error)
        move 'c3' is not legal here: expected one of b3, a2, b2
    """


class InvalidLimit(UsageError):
    """A depth, time, node or memory limit is out of range."""


class Unsolved(UsageError):
    """A position cannot be solved within the limits of memory, time and nodes, or at all."""

    @property
    def partial(self) -> Mapping[str, Any] | None:
        """The proven part of the result, in the form of `papan solve --json`; unknown fields are
        None.

        The whole property is None if solving was not started.
        """
        values = self.values.get("partial")
        return values if isinstance(values, Mapping) else None


class GameOver(PapanError):
    """A move was requested or made after the end of the game."""


class MissingOperation(PapanError):
    """A game or evaluation has no rule for an operation that was called."""


class BrokenContract(PapanError):
    """A game or player violates an invariant of its contract."""


class PlayerFailure(PapanError):
    """A player made no move."""


class PlayerTimeout(PlayerFailure):
    """A player exceeded its time."""


class PlayerCrash(PlayerFailure):
    """A player's program could not start, exited, or closed its output."""

    @property
    def exit_code(self) -> int | None:
        """The exit status; −N after signal N; None if unknown."""
        code = self.values.get("code")
        return code if isinstance(code, int) else None


class PlayerRefusal(PlayerFailure):
    """A player's program rejected a command of Papan, so the game has no result."""


class PlayerFlood(PlayerFailure):
    """A player's program wrote a line or reply that is too long."""


class Resigned(PlayerFailure):
    """A player or person resigned instead of making a move."""

    def __init__(self, message: str = "player.resigned", /, **values: object) -> None:
        super().__init__(message, **values)


class RecordError(PapanError):
    """A game record cannot be read or replayed."""


def unwritable(path: object, error: Exception) -> UsageError:
    """Returns the error for a file that cannot be written."""
    reason = getattr(error, "strerror", None) or str(error)
    return UsageError("usage.unwritable", text=path, reason=reason)


@contextlib.contextmanager
def naming(path: object) -> Iterator[None]:
    """Adds the name of the file to errors of writing that are raised inside.

    Raises:
        UsageError: The file cannot be created or written, for example because the disk is full.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
