"""Findings of an engine, in words: chances, lines, why this move and not another.

People get chances: `x` wins with so many per cent. What is proven is told as it is: a win in so
many moves, a margin, a draw. Values of heuristics are not shown, because they have no unit.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from papan.core.game import Game, Position
from papan.errors import PapanError
from papan.figures.highlights import flips
from papan.messages import Messages
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.chances import usual_lead
from papan.search.result import SearchResult, winning_chance

#: A side that is this many points ahead wins three games of four.
BAR_POINTS = 4.0

#: Processor time for the estimate of an evaluation's scale, in seconds.
_SCALE_SECONDS = 1.0

#: From these chances on, in per cent, a side is a little better, better, much better, about to win.
DEGREES = ((95, "winning"), (80, "much"), (65, "better"), (55, "slightly"))

#: Losses smaller than this are none: in points, and as a share of the chances.
EQUAL = 0.005


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


def wins_at(position: Position, value: float) -> int | None:
    """In how many plies a value says that the game is won or lost; None if it does not."""
    if not rules.is_win_distance(position.state, int(value)):
        return None
    return int(rules.win_value(position.state) - abs(value))


def points(value: float) -> str:
    """The size of a value: `3`, `2.5`."""
    return f"{abs(value):.2f}".rstrip("0").rstrip(".")


def better_side(value: float) -> str:
    """The side that is better; nothing where both stand alike."""
    return "x" if value > 0 else "o" if value < 0 else ""


def sign(position: Position) -> int:
    """1 where `x` moves, −1 where `o` does: turns a search's value into `x`'s view."""
    return 1 if position.side == "x" else -1


def chance(position: Position, value: float, *, proven: bool = False) -> float:
    """The chance to win of the side whose view a value is, 0 … 1; a draw counts half.

    Args:
        position: where it stands so.
        value: what a search found.
        proven: whether the value is certain.
    """
    if proven or wins_at(position, value) is not None:
        return 0.5 + 0.5 * ((value > 0) - (value < 0))
    return 1 / (1 + math.pow(3, min(100.0, -value / BAR_POINTS)))


@functools.cache
def _points_per_unit(game: Game, evaluation: Evaluation) -> float:
    """Returns the factor that turns an evaluation's values into points (`BAR_POINTS`).

    A lead that is usual in random games wins three games of four. That is an estimate: in some
    games random players get further apart than others do.
    """
    return BAR_POINTS / usual_lead(game, evaluation, _SCALE_SECONDS)


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

    def told(found: SearchResult) -> Mapping[str, Any]:
        if found.proven:
            return found.as_dict()
        score, position = points_of(found.position, found.value), found.position
        lines = tuple(
            dataclasses.replace(line, value=points_of(position, line.value)) for line in found.lines
        )
        return dataclasses.replace(found, value=score, lines=lines).as_dict()

    return told


def per_cent(share: float) -> int:
    """A chance in whole per cent; none is called certain that is not."""
    return round(100 * share) if share in (0, 1) else min(99, max(1, round(100 * share)))


def standing(position: Position, value: float, say: Messages, *, proven: bool = False) -> str:
    """The standing of the game, in words and with a number; `value` is `x`'s view."""
    side, plies = side_name(better_side(value) or "x", say), wins_at(position, value)
    if plies is not None:
        return say("web.value.wins", side=side, plies=plies)
    if proven:
        margin = say("web.value.margin", side=side, points=points(value))
        return margin if value else say("web.value.draw")
    share = per_cent(chance(position, abs(value)))
    degree = next((name for least, name in DEGREES if share >= least), "level")
    return say(f"web.value.{degree}", side=side, chance=share)


def in_short(position: Position, value: float, say: Messages, *, proven: bool = False) -> str:
    """The standing of the game, in a few signs: `X 62 %`, `X in 7`; `value` is `x`'s view."""
    side, plies = side_name(better_side(value) or "x", say), wins_at(position, value)
    if plies is not None:
        return say("web.short.wins", side=side, plies=plies)
    if proven:
        return f"{side} +{points(value)}" if value else say("web.value.draw")
    share = per_cent(chance(position, abs(value)))
    return f"{side} {share} %" if share > 50 else "50 %"


def shown_lines(position: Position, found: Mapping[str, Any], say: Messages) -> list[ShownLine]:
    """The lines of a result, the best one first."""
    turn, proven = sign(position), bool(found["proven"])
    lines = found.get("lines") or [{"score": found["score"], "pv": found["pv"]}]
    best = lines[0]["score"]
    return [
        ShownLine(
            in_short(position, turn * line["score"], say, proven=proven),
            tuple(line["pv"]),
            loss(position, best, line["score"], say, proven=proven),
            better_side(turn * line["score"]),
        )
        for line in lines
    ]


def loss(
    position: Position, best: float, value: float, say: Messages, *, proven: bool = False
) -> str:
    """Words for what a move of that value loses against the best one, mover's view; empty for
    nothing."""
    if best - value < EQUAL:
        return ""
    before, after = wins_at(position, best), wins_at(position, value)
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
        return say("web.why.points", points=points(best - value))
    lost = chance(position, best) - chance(position, value)
    return say("web.why.chance", share=round(100 * lost)) if lost >= EQUAL else ""


def why(position: Position, found: Mapping[str, Any], say: Messages) -> list[str]:
    """Sentences about the best move: what it does, what is expected, what the others lose."""
    if not found.get("move"):
        return []
    move, proven = found["move"], bool(found["proven"])
    stands = standing(position, sign(position) * found["score"], say, proven=proven)
    sentences = [say("web.why.best", move=move, value=stands), effect(position, move, say)]
    if len(found["pv"]) > 1:
        sentences.append(say("web.why.expected", moves=" ".join(found["pv"][1:6])))
    others = [line for line in (found.get("lines") or [])[1:] if line["pv"]]
    losses = {
        line["pv"][0]: loss(position, found["score"], line["score"], say, proven=proven)
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
        return say("web.why.leaves", side=side_name(after.side, say), count=len(after.moves()))
    key = f"fact.{position.side}-to-go"
    facts = position.facts()
    if key in facts:
        return say("web.why.nearer", move=move, count=facts[key] - after.facts()[key])
    return ""


def side_name(side: str, say: Messages) -> str:
    """The name of a side where nobody in particular plays it."""
    return say(f"web.side-name.{side}")
