"""Public methods of games and positions that reject arguments of the wrong kind.

Checking every argument would take longer than most of these methods. So the arguments are checked
only after a method has failed. If they are right, the method's own exception is raised.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from papan.core.arguments import fits, refuse
from papan.errors import RuleFailure

#: Method → kinds of its arguments: `text`, `state`, or the number of a `move`.
_KINDS = {
    "allows": ("state",),
    "contents": ("state",),
    "facts": ("state",),
    "winning_line": ("state",),
    "write_state": ("state",),
    "read_state": ("text",),
    "read_move": ("text", "state"),
    "steps": ("move",),
    "touches": ("move",),
    "write_move": ("move",),
    "gtp_move": ("move",),
    "after": ("move",),
}
#: Exceptions that a method may raise because an argument has the wrong kind.
_SYMPTOMS = (ArithmeticError, AttributeError, LookupError, ValueError, RuleFailure)


class CheckedMethods:
    """Base class of games and positions: wraps the methods of `_KINDS` in each subclass."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name in _KINDS.keys() & vars(cls).keys():
            setattr(cls, name, _checked(vars(cls)[name], _KINDS[name]))


def _checked(method: Callable[..., Any], kinds: tuple[str, ...]) -> Callable[..., Any]:
    """Returns a method that checks the kinds of its arguments after it has failed."""

    @functools.wraps(method)
    def call(owner: Any, *args: Any, **named: Any) -> Any:
        try:
            return method(owner, *args, **named)
        except _SYMPTOMS:
            for value, kind in zip((*args, *named.values()), kinds, strict=False):
                _refuse_wrong(getattr(owner, "game", owner), kind, value)
            raise

    return call


def _refuse_wrong(game: Any, kind: str, value: object) -> None:
    """Checks one argument of a method that has failed.

    Raises:
        UsageError: the argument has another kind, is a state of another game, or is a number
            outside the range of the game's moves.
    """
    from papan.rules import operations as rules

    start = game.start_state()
    if kind == "text" and not isinstance(value, str):
        raise refuse(kind, value, "@argument.text")
    if kind == "state" and type(value) is not type(start):
        raise refuse(kind, value, type(start).__name__)
    if kind == "move":
        largest = int(rules.largest_move(start))
        if not fits(value, int) or not 0 <= value <= largest:  # type: ignore[operator]  # an int
            raise refuse(kind, value, f"0 … {largest}")
