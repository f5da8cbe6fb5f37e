"""Layers over the analysis board: the engine's choices, and what each legal move is worth.

Both are one picture of the same extent as the board. A value stands on the place that is touched
next to make the move; where several moves go on there, it is that of the best of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from papan.core.game import Position
from papan.core.moves import Partial
from papan.figures.board import Layout, middle_of, pointer
from papan.figures.highlights import puts, squares_of
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, classes, drawing, element
from papan.figures.values import MoveValue, proven_value, unknown_value, value_boxes
from papan.messages import Messages
from papan.web.analysis import explain

#: The engine's choices that are marked: the first, the second, the third.
CHOICES = 3

#: A move that loses less than so much of the chances is called good, or still fair.
GRADES = ((explain.EQUAL, "best"), (0.05, "good"), (0.15, "fair"))

#: Radius of the ring around a place, in the picture's units.
_RADIUS = 0.42 * SQUARE


def move_values(
    position: Position, found: Mapping[str, Any], say: Messages
) -> dict[str, MoveValue]:
    """The findings of a search of all moves about each of them: move → value."""
    lines = [line for line in found.get("lines") or () if line["pv"]]
    if not lines and found.get("pv"):
        lines = [{"score": found["score"], "pv": found["pv"]}]
    best = max((line["score"] for line in lines), default=0)
    exact = bool(found.get("proven"))
    return {line["pv"][0]: _valued(position, line["score"], best, exact, say) for line in lines}


def _valued(position: Position, score: float, best: float, exact: bool, say: Messages) -> MoveValue:
    plies = explain.wins_at(position, score)
    proven = exact or plies is not None
    text = str(explain.per_cent(explain.chance(position, score)))
    words = explain.standing(position, explain.sign(position) * score, say, proven=exact)
    grade = _grade(position, score, best, exact)
    if proven:
        return proven_value(score, plies, words, grade)
    return MoveValue(score, text, words, False, grade)


def with_proofs(
    position: Position, values: Mapping[str, MoveValue], proofs: Mapping[str, Any], say: Messages
) -> dict[str, MoveValue]:
    """The values of a search, with those put in their place that are proven otherwise.

    Where a move is proven to win, no other is called the best.
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
        value = _valued(position, score, best, True, say)
        named = "fair" if value.grade == "best" and not decided else value.grade
        found[move] = replace(value, grade=named)
    return found


def told_values(
    position: Position, proofs: Mapping[str, Any], say: Messages
) -> dict[str, MoveValue]:
    """Values of every move, with a question mark for those not known yet; none without proofs."""
    found = with_proofs(position, {}, proofs, say)
    unknown = unknown_value(say("web.proofs.unknown"))
    moves = [each["move"] for each in proofs.get("moves", ())]
    return {move: found.get(move, unknown) for move in moves}


def proven_scores(proofs: Mapping[str, Any]) -> dict[str, int]:
    """The proven values of moves out of what `papan values --json` prints."""
    moves = proofs.get("moves") or ()
    return {each["move"]: each["value"] for each in moves if each["value"] is not None}


def settled_score(proofs: Mapping[str, Any]) -> int | None:
    """The proven value of a position, its mover's view; None until all of its moves are known."""
    proven = proven_scores(proofs)
    if not proven or len(proven) < len(proofs["moves"]):
        return None
    return max(proven.values())


def _grade(position: Position, score: float, best: float, exact: bool) -> str:
    """The grade of a move, by the share of the chances that it loses; of moves with proven values
    only the best ones are called so."""
    before, after = (explain.chance(position, value, proven=exact) for value in (best, score))
    grade = next((name for least, name in GRADES if before - after < least), "bad")
    return "good" if grade == "best" and best - score >= explain.EQUAL else grade


def layer(
    begun: Partial,
    values: Mapping[str, MoveValue],
    lines: Sequence[explain.ShownLine],
    *,
    coordinates: bool,
) -> Markup:
    """The picture of a layer.

    Args:
        begun: the move that is being made.
        values: of each legal move, as far as they are known.
        lines: the engine's, the best one first; the first moves of some are marked.
        coordinates: whether the board has a margin with coordinates.
    """
    layout = Layout(begun.position.game.board, coordinates)
    moves = [line.moves[0] for line in lines[:CHOICES] if line.moves]
    parts = [] if begun.steps else [
        _choice(begun.position, layout, move, rank) for rank, move in enumerate(moves, start=1)
    ][::-1]  # fmt: skip
    parts += value_boxes(layout, begun, values)
    return drawing("papan-board over", (layout.width, layout.height), *parts, title="")


def _choice(position: Position, layout: Layout, move: str, rank: int) -> Markup:
    """The mark of one of the engine's choices: an arrow, or a ring where the move is one place."""
    name = f"choice-{rank}"
    squares = squares_of(position, move)
    if len(squares) > 1 and squares[0] != squares[-1]:
        return pointer(layout, squares[0], squares[-1], name)
    if not squares and move in position.moves():
        squares = puts(position, position.game.read_move(move, position.state))
    rings = [
        element("circle", class_="ring", cx=x, cy=y, r=_RADIUS)
        for x, y in (middle_of(layout, square) for square in squares[:1])
    ]
    return element("g", *rings, class_=classes("choice", name), data_choice=str(rank))
