"""Values of positions and moves: grades, words and short forms.

Proven values are shown exactly: a win in a number of moves, a margin, a draw. Other values become
winning chances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from papan.core.game import Position
from papan.figures.values import MoveValue, proven_value, unknown_value
from papan.messages import Messages
from papan.report import name_side
from papan.web.engines import chances

#: Maximum losses of winning chance of a good move and of a fair move.
GRADES = ((chances.EQUAL, "best"), (0.05, "good"), (0.15, "fair"))


def value_moves(
    position: Position, result: Mapping[str, Any], say: Messages
) -> dict[str, MoveValue]:
    """Returns the values of moves in the result of a search of all moves: move → value."""
    lines = [line for line in result.get("lines") or () if line["pv"]]
    if not lines and result.get("pv"):
        lines = [{"score": result["score"], "pv": result["pv"]}]
    best = max((line["score"] for line in lines), default=0)
    exact = bool(result.get("proven"))
    return {line["pv"][0]: _value_move(position, line["score"], best, exact, say) for line in lines}


def _value_move(
    position: Position, score: float, best: float, exact: bool, say: Messages
) -> MoveValue:
    plies = chances.wins_at(position, score)
    proven = exact or plies is not None
    text = str(chances.per_cent(chances.chance(position, score)))
    words = describe_value(position, chances.sign(position) * score, say, proven=exact)
    grade = _grade(position, score, best, exact)
    if proven:
        return proven_value(score, plies, words, grade)
    return MoveValue(score, text, words, False, grade)


def with_proofs(
    position: Position, values: Mapping[str, MoveValue], proofs: Mapping[str, Any], say: Messages
) -> dict[str, MoveValue]:
    """Returns the values of a search, replaced by proven values where known.

    If a move is a proven win, only proven wins count as best.
    """
    proven = proven_scores(proofs)
    if not proven:
        return dict(values)
    whole = len(proven) == len(proofs["moves"])
    best = max(proven.values())
    decided = whole or best > 0
    found = {
        move: replace(value, grade="fair") if decided and value.grade == "best" else value
        for move, value in values.items()
    }
    for move, score in proven.items():
        value = _value_move(position, score, best, True, say)
        named = "fair" if value.grade == "best" and not decided else value.grade
        found[move] = replace(value, grade=named)
    return found


def label_values(
    position: Position, proofs: Mapping[str, Any], say: Messages
) -> dict[str, MoveValue]:
    """Returns labels of all moves, with a question mark for unknown values; empty without
    proofs."""
    values = with_proofs(position, {}, proofs, say)
    unknown = unknown_value(say("web.proofs.unknown"))
    moves = [each["move"] for each in proofs.get("moves", ())]
    return {move: values.get(move, unknown) for move in moves}


def proven_scores(proofs: Mapping[str, Any]) -> dict[str, int]:
    """Returns the proven values of moves in the output of `papan values --json`."""
    moves = proofs.get("moves") or ()
    return {each["move"]: each["value"] for each in moves if each["value"] is not None}


def find_proven_score(proofs: Mapping[str, Any]) -> int | None:
    """Returns the proven value of a position for the side to move; None until all moves are
    proven."""
    proven = proven_scores(proofs)
    if not proven or len(proven) < len(proofs["moves"]):
        return None
    return max(proven.values())


def _grade(position: Position, score: float, best: float, exact: bool) -> str:
    """Returns the grade of a move by its loss of winning chance; among proven moves only the best
    are called best."""
    before, after = (chances.chance(position, value, proven=exact) for value in (best, score))
    grade = next((name for least, name in GRADES if before - after < least), "bad")
    return "good" if grade == "best" and best - score >= chances.EQUAL else grade


#: Winning chances in per cent from which a side is slightly better, better, much better, winning.
DEGREES = ((95, "winning"), (80, "much"), (65, "better"), (55, "slightly"))


def describe_value(position: Position, value: float, say: Messages, *, proven: bool = False) -> str:
    """Returns the evaluation in words and with a number; `value` is for `x`."""
    side, plies = (
        name_side(position.game, chances.better_side(value) or "x", say),
        chances.wins_at(position, value),
    )
    if plies is not None:
        return say("web.value.wins", side=side, plies=plies)
    if proven:
        margin = say("web.value.margin", side=side, points=chances.points(value))
        return margin if value else say("web.value.draw")
    share = chances.per_cent(chances.chance(position, abs(value)))
    degree = next((name for least, name in DEGREES if share >= least), "level")
    return say(f"web.value.{degree}", side=side, chance=share)


def abbreviate_value(
    position: Position, value: float, say: Messages, *, proven: bool = False
) -> str:
    """Returns a short form of the evaluation: `X 62 %`, `X in 7`; `value` is for `x`."""
    side, plies = (
        name_side(position.game, chances.better_side(value) or "x", say),
        chances.wins_at(position, value),
    )
    if plies is not None:
        return say("web.short.wins", side=side, plies=plies)
    if proven:
        return f"{side} +{chances.points(value)}" if value else say("web.value.draw")
    share = chances.per_cent(chances.chance(position, abs(value)))
    return f"{side} {share} %" if share > 50 else "50 %"
