"""Public methods of games and positions that refuse arguments of the wrong kind.

A check of each argument would cost more than most of these methods. So the arguments are looked at
only after a method has failed: where they are right, its own exception goes on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from papan.core.arguments import fits, refuse
from papan.errors import RuleFailure

#: The kinds of the arguments of each method: `text`, `state`, or the number of a `move`.
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
#: What a method raises at an argument that it was not written for.
_SYMPTOMS = (ArithmeticError, AttributeError, LookupError, ValueError, RuleFailure)


class CheckedMethods:
    """Base class of games and positions: wraps the methods of `_KINDS` in each subclass."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name in _KINDS.keys() & vars(cls).keys():
            setattr(cls, name, _CheckedMethod(vars(cls)[name], _KINDS[name]))


class _CheckedMethod:
    """A method that refuses arguments of the wrong kind once it has failed."""

    def __init__(self, method: Callable[..., Any], kinds: tuple[str, ...]) -> None:
        functools.update_wrapper(self, method)
        self._method, self._kinds = method, kinds

    def __get__(self, owner: object, cls: type | None = None) -> Any:
        return self if owner is None else functools.partial(self, owner)

    def __call__(self, owner: Any, *args: Any, **named: Any) -> Any:
        try:
            return self._method(owner, *args, **named)
        except _SYMPTOMS:
            for value, kind in zip((*args, *named.values()), self._kinds, strict=False):
                _refuse_wrong(getattr(owner, "game", owner), kind, value)
            raise


def _refuse_wrong(game: Any, kind: str, value: object) -> None:
    """Nothing for an argument of that kind.

    Raises:
        UsageError: it is of another kind, a state of another game, or a number that no move has.
    """
    from papan.rules import operations as rules

    start = game.start_state()
    if kind == "text" and not isinstance(value, str):
        raise refuse(kind, value, "@argument.text")
    if kind == "state" and type(value) is not type(start):
        raise refuse(kind, value, type(start).__name__)
    if kind == "move":
        largest = int(rules.largest_move(start))
        if not fits(value, int) or not 0 <= value <= largest:  # type: ignore[operator]  # it is whole
            raise refuse(kind, value, f"0 … {largest}")
