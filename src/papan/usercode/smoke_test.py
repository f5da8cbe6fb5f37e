"""The smoke test of a game file: plays the game in plain Python before anything is compiled.

It takes some milliseconds and checks the invariants that plain play needs. It reports errors in
rules with their line, including endless rules, rules that use too much memory, and rules that exit.
`papan check` checks all invariants on many more positions.
"""

from __future__ import annotations

import inspect
import time
from collections import deque
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from papan.core import spec
from papan.core.game import Game, Position
from papan.errors import BrokenContract, InvalidGame, InvalidSpec, MissingOperation, UsageError
from papan.rules import operations as rules
from papan.usercode.contract import rules as rule_invariants
from papan.usercode.contract import texts as text_invariants
from papan.usercode.contract.case import PositionCase, walk
from papan.usercode.contract.locate import describe, line_of_class
from papan.usercode.contract.positions import Invariant, PositionCheck, require_bounds
from papan.usercode.failures import RULE_ERRORS, failure, line_reached
from papan.usercode.watchdog import shielded, watched

_GAMES = 3  # played, each followed for at most `_PLIES`
_PLIES = 150
#: Time limit of the smoke test, in seconds.
_SECONDS = 1.0
#: Time limit of the search for an endless rule, in seconds.
_SEARCH_SECONDS = 3.0

_REQUIRED = (rules.moves, rules.play, rules.final_value)
_PERIOD = 8
_EVERY_PLY, _ONE_PLY, _BOTH_SIDES = range(_PERIOD), (0,), (0, 1)
#: The invariants that plain play needs, each with the plies of a period at which it
#: is checked. Later ones rely on earlier ones.
_CHECKED: tuple[tuple[Invariant, Collection[int]], ...] = (
    (rule_invariants.moves_ascend, _EVERY_PLY),
    (rule_invariants.moves_repeat_their_answer, _ONE_PLY),
    (text_invariants.moves_have_names, _ONE_PLY),
    (text_invariants.positions_can_be_written, _BOTH_SIDES),
    (rule_invariants.over_means_no_moves, _EVERY_PLY),
    (rule_invariants.wins_have_their_value, _EVERY_PLY),
    (rule_invariants.values_stand_apart, _EVERY_PLY),
    (rule_invariants.play_keeps_types, _EVERY_PLY),
    (rule_invariants.play_repeats_its_answer, _EVERY_PLY),
    (rule_invariants.sides_alternate, _EVERY_PLY),
    (rule_invariants.key_follows_moves, _EVERY_PLY),
)


def run_smoke_test(game: Game) -> None:
    """Plays some games.

    Raises:
        InvalidGame: A rule fails or violates an invariant.
    """
    file = Path(inspect.getfile(type(game)))
    with PositionCheck.of(game, seed=1) as check, shielded(file):
        try:
            _require_own_names(game)
            check.watchdog.renew()
            start = Position.unchecked(game, game.start_state())
            check.check(check.blank_case(start), [rule_invariants.states_are_plain])
            _require_rules(game, start.state)
            end = time.monotonic() + _SECONDS
            for stride in range(_GAMES):
                _play(check, start, stride, end)
        except BrokenContract as broken:
            raise describe(game, broken) from broken
        except (InvalidGame, InvalidSpec):
            raise
        except RULE_ERRORS as error:
            if line_reached(error, file) is None:
                raise
            raise failure(error, file) from error


def find_overrun(position: Position) -> None:
    """Plays from a position in plain Python, breadth first for a few seconds, to locate an endless
    rule.

    Raises:
        InvalidGame: A rule fails.
    """
    with np.errstate(over="ignore"), watched() as watchdog:
        end = time.monotonic() + _SEARCH_SECONDS
        following = deque([position.state])
        while following and time.monotonic() < end:
            state = following.popleft()
            watchdog.renew()
            following.extend(rules.play(state, code) for code in walk(state))


def _play(check: PositionCheck, position: Position, stride: int, end: float) -> None:
    """Plays one game: always the first move, or moves from all over the board."""
    cases: list[PositionCase] = []
    for ply in range(_PLIES):
        case = check.walked_case(position)
        if case.walked:
            case = replace(case, sample=[case.walked[stride * (ply + 1) % len(case.walked)]])
        cases.append(case)
        check.check(case, (one for one, plies in _CHECKED if ply % _PERIOD in plies))
        if not case.walked or time.monotonic() > end:
            break
        [(_, child)] = case.children
        position = Position.unchecked(check.game, child)
    require_bounds(cases)


def _require_rules(game: Game, start: Any) -> None:
    """Requires that the rules without defaults exist for the state."""
    for item in _REQUIRED:
        try:
            item.implementation(type(start))
        except MissingOperation as error:
            is_own = type(start).__module__ == type(game).__module__
            raise _error_of_class(type(start if is_own else game), game, error) from error


def _require_own_names(game: Game) -> None:
    """Requires that no option hides an attribute of `Game`, such as its name, and that the
    letters of pieces differ."""
    known = vars(Game).keys() | Game.__annotations__.keys()
    for name in spec.options_of(type(game)):
        if name in known:
            raise _error_of_class(type(game), game, UsageError("game-file.option", text=name))
    letters = [piece.letter for piece in game.pieces]
    for letter in letters:
        if letters.count(letter) > 1:
            raise _error_of_class(type(game), game, UsageError("piece.twice", text=letter))


def _error_of_class(cls: type, game: Game, reason: Exception) -> InvalidGame:
    """Returns an error with the file and line of a class."""
    name = Path(inspect.getfile(type(game))).name
    return InvalidGame("game-file.raises", text=name, line=line_of_class(cls), reason=reason)
