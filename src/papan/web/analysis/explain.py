"""Engine results in words: lines, and the reason for the best move; and as marks on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.core.game import Position
from papan.errors import PapanError
from papan.figures.board import Layout, middle_of, pointer
from papan.figures.highlights import flips, puts, squares_of
from papan.figures.palette import look_class
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, classes, drawing, element
from papan.messages import Messages
from papan.report import name_side
from papan.web.board import move_values
from papan.web.board.words import book_text
from papan.web.engines import chances


@dataclass(frozen=True)
class ShownLine:
    """A line of the engine for display.

    Attributes:
        value: short form: `X 62 %`, `X in 7`.
        moves: the moves.
        texts: the moves as people read them.
        loses: the loss of the first move against the best move, in words; empty for the best.
        better: the side that is better: `x`, `o` or empty.
    """

    value: str
    moves: tuple[str, ...]
    texts: list[str]
    loses: str
    better: str


def list_lines(position: Position, result: Mapping[str, Any], say: Messages) -> list[ShownLine]:
    """Returns the lines of a result, best first."""
    turn, proven = chances.sign(position), bool(result["proven"])
    lines = result.get("lines") or [{"score": result["score"], "pv": result["pv"]}]
    best = lines[0]["score"]
    return [
        ShownLine(
            move_values.abbreviate_value(position, turn * line["score"], say, proven=proven),
            tuple(line["pv"]),
            position.book_line(line["pv"]),
            loss(position, best, line["score"], say, proven=proven),
            chances.better_side(turn * line["score"]),
        )
        for line in lines
    ]


def loss(
    position: Position, best: float, value: float, say: Messages, *, proven: bool = False
) -> str:
    """Returns words for the loss of a move against the best, for the side to move; empty without a
    loss."""
    if best - value < chances.EQUAL:
        return ""
    before, after = chances.wins_at(position, best), chances.wins_at(position, value)
    if before is None and after is None:
        return _lost_chance(position, best, value, say, proven=proven)
    if before is not None and best > 0:
        if after is not None and value > 0:
            return say("web.why.slower", plies=after - before)
        return say("web.why.throws-away")
    if after is not None and before is None:
        return say("web.why.loses-in", plies=after)
    return say("web.why.sooner", plies=(before or 0) - (after or 0))


def _lost_chance(
    position: Position, best: float, value: float, say: Messages, *, proven: bool
) -> str:
    """Returns the loss between two values that are not distances from a win: a share of the winning
    chance, or points between two proven margins."""
    if proven:
        return say("web.why.points", points=chances.points(best - value))
    lost = chances.chance(position, best) - chances.chance(position, value)
    return say("web.why.chance", share=round(100 * lost)) if lost >= chances.EQUAL else ""


def why(position: Position, result: Mapping[str, Any], say: Messages) -> list[str]:
    """Returns sentences about the best move: its effect, the expected line, and the losses of other
    moves."""
    if not result.get("move"):
        return []
    move, proven = result["move"], bool(result["proven"])
    stands = move_values.describe_value(
        position, chances.sign(position) * result["score"], say, proven=proven
    )
    best = book_text(position, move)
    sentences = [say("web.why.best", move=best, value=stands), effect(position, move, say)]
    if len(result["pv"]) > 1:
        expected = position.book_line(result["pv"][:6])[1:]
        sentences.append(say("web.why.expected", moves=" ".join(expected)))
    others = [line for line in (result.get("lines") or [])[1:] if line["pv"]]
    losses = {
        book_text(position, line["pv"][0]): loss(
            position, result["score"], line["score"], say, proven=proven
        )
        for line in others
    }
    if equal := [other for other, lost in losses.items() if not lost]:
        sentences.append(say("web.why.equal", moves=", ".join(equal)))
    sentences += [
        say("web.why.instead", move=other, loss=lost) for other, lost in losses.items() if lost
    ]
    return [sentence for sentence in sentences if sentence]


def effect(position: Position, move: str, say: Messages) -> str:
    """Returns words for the immediate effect of a move on pieces and numbers."""
    try:
        after, turned = position.play(move), flips(position, move)
    except PapanError:
        return ""
    if turned:
        return say("web.why.turns", move=move, count=len(turned), squares=", ".join(turned))
    if any(content.number is not None for content in after.game.contents(after.state).values()):
        return say(
            "web.why.leaves", side=name_side(after.game, after.side, say), count=len(after.moves())
        )
    key = f"fact.{position.side}-to-go"
    facts = position.facts()
    if key in facts:
        return say("web.why.nearer", move=move, count=facts[key] - after.facts()[key])
    return ""


# --- the overlay of the board --------------------------------------------------------------------

#: Classes of the marked moves: best, second, third.
MARKED_MOVES = 3


#: Radius of the ring around a place, in the picture's units.
_RADIUS = 0.42 * SQUARE


def overlay(position: Position, lines: Sequence[ShownLine], *, coordinates: bool) -> Markup:
    """Returns the overlay of the analysis board: the best moves of the engine in one picture.

    Args:
        position: the shown position.
        lines: the engine's lines, best first; the first moves of some are marked.
        coordinates: true if the board has a margin with coordinates.
    """
    layout = Layout.of(position.game, coordinates)
    moves = [line.moves[0] for line in lines[:MARKED_MOVES] if line.moves]
    marks = [_choice(position, layout, move, rank) for rank, move in enumerate(moves, start=1)]
    name = f"papan-board over{look_class(layout.look)}"
    return drawing(name, (layout.width, layout.height), *marks[::-1], title="")


def _choice(position: Position, layout: Layout, move: str, rank: int) -> Markup:
    """Returns the mark of one of the best moves: an arrow, or a ring for moves with one place."""
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
