"""The values of searches as winning chances and as points.

Pages show winning chances in per cent. Values of heuristics have no unit, so they are scaled to
points first.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

from papan.core.game import Game, Position
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.chances import usual_lead
from papan.search.result import SearchResult, winning_chance

#: Lead in points that wins three games of four.
BAR_POINTS = 4.0


#: Number of random games for the estimate of an evaluation's scale; the first result waits for it.
_SCALE_GAMES = 6


#: Losses below these count as none: in points, and as a share of the winning chance.
EQUAL = 0.005


def wins_at(position: Position, value: float) -> int | None:
    """Returns the plies to the end if the value is a win or loss; else None."""
    if not rules.is_win_distance(position.state, int(value)):
        return None
    return int(rules.win_value(position.state) - abs(value))


def points(value: float) -> str:
    """Returns the size of a value as text: `3`, `2.5`."""
    return f"{abs(value):.2f}".rstrip("0").rstrip(".")


def better_side(value: float) -> str:
    """Returns the side that is better; empty if the position is level."""
    return "x" if value > 0 else "o" if value < 0 else ""


def sign(position: Position) -> int:
    """Returns 1 if `x` moves and −1 if `o` does: the factor from a search value to `x`'s value."""
    return 1 if position.side == "x" else -1


def chance(position: Position, value: float, *, proven: bool = False) -> float:
    """Returns the winning chance for the point of view of the value, 0 … 1; a draw counts half.

    Args:
        position: the position.
        value: the search value.
        proven: true if the value is proven.
    """
    if proven or wins_at(position, value) is not None:
        return 0.5 + 0.5 * ((value > 0) - (value < 0))
    return 1 / (1 + math.pow(3, min(100.0, -value / BAR_POINTS)))


@functools.cache
def _points_per_unit(game: Game, evaluation: Evaluation) -> float:
    """Returns the factor from values of an evaluation to points (`BAR_POINTS`).

    A typical lead in random games is taken as three wins in four games. This is an estimate: in
    some games random players get larger leads than others do.
    """
    return BAR_POINTS / usual_lead(game, evaluation, _SCALE_GAMES)


def in_points(game: Game, evaluation: Evaluation) -> Callable[[SearchResult], Mapping[str, Any]]:
    """Returns a function that formats results as `papan search --json` does, with values in points.

    A learned evaluation knows chances, which are kept. The values of others are scaled, so that
    `chance` has the same meaning for all games.
    """

    def points_of(position: Position, value: float) -> float:
        if wins_at(position, value) is not None:
            return value
        share = winning_chance(evaluation, value)
        if share is None:
            return value * _points_per_unit(game, evaluation)
        share = min(max(share, EQUAL), 1 - EQUAL)
        return BAR_POINTS * math.log(share / (1 - share)) / math.log(3)

    def format_result(result: SearchResult) -> Mapping[str, Any]:
        if result.proven:
            return result.as_dict()
        score, position = points_of(result.position, result.value), result.position
        lines = tuple(
            dataclasses.replace(line, value=points_of(position, line.value))
            for line in result.lines
        )
        return dataclasses.replace(result, value=score, lines=lines).as_dict()

    return format_result


def per_cent(share: float) -> int:
    """Returns a chance in whole per cent; 0 and 100 only if certain."""
    return round(100 * share) if share in (0, 1) else min(99, max(1, round(100 * share)))
