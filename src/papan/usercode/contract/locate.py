"""The location of the rule that violates an invariant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from papan.core.game import Game
from papan.errors import BrokenContract, InvalidGame
from papan.rules import operations as rules
from papan.rules.dispatch import Operation
from papan.usercode.failures import line_reached, rule_failure

#: Invariant → operations and methods that may violate it, likeliest first.
#: The first one that the game defines itself is named.
_LIKELY = {
    "ascending": "moves",
    "walk-ends": "tail moves",
    "move-numbers": "moves most_moves largest_move",
    "over": "is_over moves",
    "count": "count_moves count_left moves",
    "nth": "nth_left moves",
    "codes": "moves",
    "outcome": "final_value",
    "win-value": "final_value",
    "finite": "final_value",
    "same-answer": "play moves",
    "state-class": "play start_state",
    "state-fields": "play start_state",
    "same-types": "play read_state",
    "sides": "play",
    "key-type": "key",
    "next-key": "next_key key",
    "keys-differ": "key",
    "whole": "evaluate",
    "apart": "evaluate",
    "evaluate-after": "evaluate_after evaluate",
    "strategy": "strategy_move",
    "index": "index position_of index_count",
    "look-ahead": "safe_moves can_win_at_once",
    "symmetry-moves": "transform_move transform",
    "symmetry-values": "transform evaluate",
    "symmetry-play": "transform transform_move play",
    "symmetry-identity": "transform",
    "symmetry-bijection": "transform",
    "max-plies-left": "max_plies_left",
    "max-plies": "max_plies max_plies_left",
    "line-form": "write_state",
    "line-state": "read_state write_state piece_at play",
    "line-text": "write_state read_state",
    "move-form": "write_move",
    "move-names": "write_move",
    "move-text": "read_move write_move",
    "refuses-text": "read_move",
    "refuses-line": "read_state",
    "slip-text": "read_state",
    "slip-moves": "read_state allows",
    "contents": "contents piece_at",
    "facts": "facts",
}


class RulePlace(NamedTuple):
    """The rule that violates an invariant: the name of an operation, method or class, and its
    location."""

    name: str
    file: Path
    line: int


def locate_rule(game: Game, broken: BrokenContract) -> RulePlace:
    """Returns the rule that violates the invariant, as far as known: the line that raised an
    exception, else the start of the likeliest rule that the game defines."""
    file = Path(inspect.getfile(type(game)))
    state, named = broken.values["state"], str(broken.values["rule"])
    promise = str(broken.values["promise"]).removeprefix("@contract.")
    line = line_reached(broken.__cause__, file) if broken.__cause__ else None
    for name, function in _own_rules(game, state, f"{named} {_LIKELY.get(promise, '')}".split()):
        code = inspect.unwrap(function).__code__
        return RulePlace(name, Path(code.co_filename), line or code.co_firstlineno)
    return RulePlace(type(game).__name__, file, line or line_of_class(type(game)))


def describe(game: Game, broken: BrokenContract) -> InvalidGame:
    """Returns the error for a violated invariant with file, line and rule; if the rule failed,
    the error of the rule."""
    place = locate_rule(game, broken)
    cause = broken.__cause__
    if isinstance(cause, InvalidGame):
        return cause
    if cause is not None:
        return rule_failure(place.name, cause, place.file, place.line)
    return explain_broken(place, broken)


def explain_broken(place: RulePlace, broken: BrokenContract) -> InvalidGame:
    """Returns the error for a violated invariant with the location of the rule."""
    values = {name: broken.values[name] for name in ("promise", "found", "expected")}
    name, file, line = place
    return InvalidGame("game-file.broken", text=file.name, line=line, operation=name, **values)


def line_of_class(cls: type) -> int:
    """Returns the first line of a class in its file."""
    return inspect.getsourcelines(cls)[1]


def _own_rules(
    game: Game, state: Any, names: list[str]
) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yields the operations and methods that a game defines itself."""
    for name in names:
        item = getattr(rules, name, None)
        if isinstance(item, Operation):
            firsts = [state, *game.evaluations.values()]
            found = [item.find(type(first)) for first in firsts]
            own = [rule for rule in found if rule is not None and rule is not item.find(tuple)]
        else:
            method = getattr(type(game), name, None)
            function = getattr(method, "fget", method)  # of a property
            own = [function] if function and function is not getattr(Game, name, None) else []
        yield from ((name, rule) for rule in own if hasattr(inspect.unwrap(rule), "__code__"))
