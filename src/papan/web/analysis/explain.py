"""Results of an engine in words: its lines, and why this move and not another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papan.core.game import Position
from papan.errors import PapanError
from papan.figures.highlights import flips
from papan.messages import Messages
from papan.web.board import move_values
from papan.web.engines import chances


@dataclass(frozen=True)
class ShownLine:
    """A line of the engine, for people.

    Attributes:
        value: in short: `X 62 %`, `X in 7`.
        moves: the moves.
        loses: what its first move loses against the best one, in words; empty for the best.
        better: the side that is better: `x`, `o` or nothing.
    """

    value: str
    moves: tuple[str, ...]
    loses: str
    better: str


def list_lines(position: Position, result: Mapping[str, Any], say: Messages) -> list[ShownLine]:
    """The lines of a result, the best one first."""
    turn, proven = chances.sign(position), bool(result["proven"])
    lines = result.get("lines") or [{"score": result["score"], "pv": result["pv"]}]
    best = lines[0]["score"]
    return [
        ShownLine(
            move_values.abbreviate_value(position, turn * line["score"], say, proven=proven),
            tuple(line["pv"]),
            loss(position, best, line["score"], say, proven=proven),
            chances.better_side(turn * line["score"]),
        )
        for line in lines
    ]


def loss(
    position: Position, best: float, value: float, say: Messages, *, proven: bool = False
) -> str:
    """Words for what a move of that value loses against the best one, mover's view; empty for
    nothing."""
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
    """The loss between two values that are no distances from a win: a share of the chances;
    where both are proven margins, points."""
    if proven:
        return say("web.why.points", points=chances.points(best - value))
    lost = chances.chance(position, best) - chances.chance(position, value)
    return say("web.why.chance", share=round(100 * lost)) if lost >= chances.EQUAL else ""


def why(position: Position, result: Mapping[str, Any], say: Messages) -> list[str]:
    """Sentences about the best move: what it does, what is expected, what the others lose."""
    if not result.get("move"):
        return []
    move, proven = result["move"], bool(result["proven"])
    stands = move_values.describe_value(
        position, chances.sign(position) * result["score"], say, proven=proven
    )
    sentences = [say("web.why.best", move=move, value=stands), effect(position, move, say)]
    if len(result["pv"]) > 1:
        sentences.append(say("web.why.expected", moves=" ".join(result["pv"][1:6])))
    others = [line for line in (result.get("lines") or [])[1:] if line["pv"]]
    losses = {
        line["pv"][0]: loss(position, result["score"], line["score"], say, proven=proven)
        for line in others
    }
    if equal := [other for other, lost in losses.items() if not lost]:
        sentences.append(say("web.why.equal", moves=", ".join(equal)))
    sentences += [
        say("web.why.instead", move=other, loss=lost) for other, lost in losses.items() if lost
    ]
    return [sentence for sentence in sentences if sentence]


def effect(position: Position, move: str, say: Messages) -> str:
    """Words for what a move does at once to the pieces and numbers on the board."""
    try:
        after, turned = position.play(move), flips(position, move)
    except PapanError:
        return ""
    if turned:
        return say("web.why.turns", move=move, count=len(turned), squares=", ".join(turned))
    if any(content.number is not None for content in after.game.contents(after.state).values()):
        return say(
            "web.why.leaves", side=move_values.side_name(after.side, say), count=len(after.moves())
        )
    key = f"fact.{position.side}-to-go"
    facts = position.facts()
    if key in facts:
        return say("web.why.nearer", move=move, count=facts[key] - after.facts()[key])
    return ""
