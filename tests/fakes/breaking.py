"""Games broken on purpose: each breaker returns a game that breaks just one promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from papan.core.game import Game
from papan.rules import operations as rules
from papan.rules import solving
from papan.rules.dispatch import Operation

Breaker = Callable[[pytest.MonkeyPatch], Game | str]

#: Promise → the breakers of it.
BREAKERS: dict[str, list[Breaker]] = {}


def breaks(promise: str) -> Callable[[Breaker], Breaker]:
    """Notes a function that returns a game which breaks just that promise."""

    def note(breaker: Breaker) -> Breaker:
        BREAKERS.setdefault(promise, []).append(breaker)
        return breaker

    return note


def put(patch: pytest.MonkeyPatch, name: str, cls: type, wrong: Callable[..., Any]) -> Any:
    """Replaces an operation's implementation for a class; returns the right one."""
    operation: Operation[..., Any] = getattr(rules, name, None) or getattr(solving, name)
    right = operation.implementation(cls)
    patch.setitem(operation._implementations, cls, wrong)
    return right


def put_default(patch: pytest.MonkeyPatch, cls: type, *names: str) -> None:
    """Replaces quick implementations by those that follow from the other operations."""
    for name in names:
        put(patch, name, cls, getattr(rules, name).implementation(tuple))
