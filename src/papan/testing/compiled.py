"""The compiled rules against the same rules in plain Python.

A function that is right in Python can be wrong when compiled: numbers overflow at 64 bits,
`uint64 + int` is signed, indices out of bounds read garbage, globals are frozen. So one kernel
looks at everything a search asks of a state, once compiled and once as the Python that it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.kernel.compiler import kernel
from papan.kernel.operations import (
    Evaluation,
    State,
    count_moves,
    evaluate,
    evaluate_after,
    final_value,
    head,
    is_over,
    key,
    max_plies_left,
    more,
    moves,
    next_key,
    order_hint,
    play,
    side_to_move,
    strategy_move,
    strategy_value,
    symmetry_count,
    tail,
    transform,
    transform_move,
)
from papan.testing.visit import Visit

#: The notes on each legal move: of the rules in `survey`, of an evaluation in `appraise`.
RULES = (
    "move",
    "is_over",
    "count_moves",
    "side_to_move",
    "max_plies_left",
    "order_hint",
    "strategy_move",
    "strategy_value",
)
KEYS = ("key", "next_key")
VALUES = ("move", "value", "evaluate_after")
_PLY = 3  # of the surveyed state; any number would do

Notes = np.ndarray[tuple[int, int], np.dtype[Any]]


@kernel
def survey(state: State, old: np.uint64, numbers: Notes, keys: Notes) -> int:
    """Notes each legal move and what the rules say of its child; returns how many moves there are.

    `numbers` has a row a move with the columns `RULES`, `keys` one with `KEYS`. Moves beyond the
    last row are not looked at.
    """
    count = 0
    rest = moves(state)
    while count < len(numbers) and more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        child = play(state, move)
        numbers[count, 0] = move
        numbers[count, 1] = is_over(child)
        numbers[count, 2] = count_moves(child)
        numbers[count, 3] = side_to_move(child)
        numbers[count, 4] = max_plies_left(child)
        numbers[count, 5] = order_hint(state, move)
        numbers[count, 6] = strategy_move(child)
        numbers[count, 7] = strategy_value(child)
        keys[count, 0] = key(child)
        keys[count, 1] = next_key(state, old, move)
        count += 1
    return count


@kernel
def appraise(state: State, evaluation: Evaluation, ply: int, numbers: Notes) -> int:
    """Notes the value of each legal move, a row a move with the columns `VALUES`."""
    count = 0
    rest = moves(state)
    while count < len(numbers) and more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        child = play(state, move)
        numbers[count, 0] = move
        numbers[count, 1] = final_value(child) if is_over(child) else evaluate(evaluation, child)
        numbers[count, 2] = evaluate_after(evaluation, state, move, ply)
        count += 1
    return count


@kernel
def after(state: State, move: int, index: int) -> tuple[State, State, int]:
    """The state after a move, and state and move under a symmetry."""
    return play(state, move), transform(state, index), transform_move(state, move, index)


def compiled_rules_agree(visit: Visit) -> None:
    """Moves, children, keys, counts and values are the same compiled and in plain Python."""
    _compare(visit, _surveyed(survey, visit), _surveyed(_plain(survey), visit))
    # One evaluation a position is enough: over many positions each has its turn.
    evaluation = visit.random.choice(list(visit.game.evaluations.values()))
    found = _appraised(appraise, visit, evaluation)
    _compare(visit, found, _appraised(_plain(appraise), visit, evaluation))
    index = visit.random.randrange(symmetry_count(visit.state))
    for move in visit.sample:
        compiled = _numbers(after(visit.state, move, index))
        plain = _numbers(_plain(after)(visit.state, move, index))
        visit.require(compiled == plain, "compiled", move, found=compiled, expected=plain)


def _plain(function: Any) -> Any:
    """The Python function behind a kernel."""
    return getattr(function, "py_func", function)


def _surveyed(function: Any, visit: Visit) -> list[dict[str, int]]:
    numbers, keys = _blank(visit, RULES, np.int64), _blank(visit, KEYS, np.uint64)
    count = function(visit.state, key(visit.state), numbers, keys)
    named = zip(_named(RULES, numbers, count), _named(KEYS, keys, count), strict=True)
    return [{**rules, **zobrist} for rules, zobrist in named]


def _appraised(function: Any, visit: Visit, evaluation: Evaluation) -> list[dict[str, int]]:
    numbers = _blank(visit, VALUES, np.int64)
    return _named(VALUES, numbers, function(visit.state, evaluation, _PLY, numbers))


def _blank(visit: Visit, columns: tuple[str, ...], dtype: type) -> Notes:
    """Room for the notes on all moves, and for some that should not be there."""
    return np.zeros((2 * len(visit.walked) + 1, len(columns)), dtype=dtype)


def _named(columns: tuple[str, ...], notes: Notes, count: int) -> list[dict[str, int]]:
    return [dict(zip(columns, row, strict=True)) for row in notes[:count].tolist()]


def _compare(visit: Visit, found: list[dict[str, int]], expected: list[dict[str, int]]) -> None:
    moves_found, moves_expected = ([row["move"] for row in rows] for rows in (found, expected))
    same = moves_found == moves_expected
    visit.require(same, "compiled", found=moves_found, expected=moves_expected)
    for mine, plain in zip(found, expected, strict=True):
        differing = [name for name in plain if mine[name] != plain[name]]
        ours, theirs = ({name: row[name] for name in differing} for row in (mine, plain))
        visit.require(not differing, "compiled", plain["move"], found=ours, expected=theirs)


def _numbers(result: tuple[State, State, int]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The result of `after` as plain numbers: compiled code hands out `int` for `uint64`."""
    child, image, move = result
    return tuple(map(int, child)), tuple(map(int, image)), int(move)
