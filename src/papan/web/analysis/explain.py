"""Findings of an engine, in words: values, lines, why this move and not another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.core.game import Position
from papan.errors import PapanError
from papan.figures.chart import turning_points
from papan.figures.highlights import flips
from papan.kernel import operations as rules
from papan.messages import Messages
from papan.web.analysis.analysis_jobs import GameAnalysis, MoveVerdict

#: A side that is this many points ahead has three quarters of the evaluation bar.
BAR_POINTS = 4.0

#: A move that loses this many points, or a won or drawn game, is a turning point.
TURNING = 2.0
#: Turning points of a game that are listed: the worst ones.
MOST_TURNS = 8

#: Losses smaller than this are none, in points.
EQUAL = 0.005


@dataclass(frozen=True)
class ShownLine:
    """A line of the engine, for people.

    Attributes:
        value: in short: `+3`, `wins in 7`.
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


def number(value: float) -> str:
    """A value with its sign: `+3`, `−2.5`, `0`."""
    sign_of = "+" if value > 0 else "−" if value < 0 else ""
    return sign_of + points(value)


def points(value: float) -> str:
    """The size of a value: `3`, `2.5`."""
    return f"{abs(value):.2f}".rstrip("0").rstrip(".")


def value_in_words(position: Position, value: float, say: Messages) -> str:
    """A value, `x`'s view, in a few words."""
    plies = wins_at(position, value)
    if plies is None:
        return number(value)
    return say("web.value.wins", side=_name("x" if value > 0 else "o", say), plies=plies)


def better_side(value: float) -> str:
    """The side that is better; nothing where both stand alike."""
    return "x" if value > 0 else "o" if value < 0 else ""


def share_of_x(position: Position, value: float) -> float:
    """`x`'s share of the evaluation bar, 0 … 1."""
    if wins_at(position, value) is not None:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + math.exp(-value * math.log(3) / BAR_POINTS))


def sign(position: Position) -> int:
    """1 where `x` moves, −1 where `o` does: turns a search's value into `x`'s view."""
    return 1 if position.side == "x" else -1


def shown_lines(position: Position, found: Mapping[str, Any], say: Messages) -> list[ShownLine]:
    """The lines of a result, the best one first."""
    turn = sign(position)
    lines = found.get("lines") or [{"score": found["score"], "pv": found["pv"]}]
    best = lines[0]["score"]
    return [
        ShownLine(
            value_in_words(position, turn * line["score"], say),
            tuple(line["pv"]),
            loss(position, best, line["score"], say),
            better_side(turn * line["score"]),
        )
        for line in lines
    ]


def loss(position: Position, best: float, value: float, say: Messages) -> str:
    """Words for what a move of that value loses against the best one, mover's view; empty for
    nothing."""
    if best - value < EQUAL:
        return ""
    before, after = wins_at(position, best), wins_at(position, value)
    if before is None and after is None:
        return say("web.why.points", points=points(best - value))
    if before is not None and best > 0:
        if after is not None and value > 0:
            return say("web.why.slower", plies=after - before)
        return say("web.why.throws-away")
    if after is not None and before is None:
        return say("web.why.loses-in", plies=after)
    return say("web.why.sooner", plies=(before or 0) - (after or 0))


def why(position: Position, found: Mapping[str, Any], say: Messages) -> list[str]:
    """Sentences about the best move: what it does, what is expected, what the others lose."""
    if not found.get("move"):
        return []
    move, turn = found["move"], sign(position)
    value = turn * found["score"]
    sentences = [say("web.why.best", move=move, value=_standing(position, value, say))]
    sentences += [effect(position, move, say)]
    if len(found["pv"]) > 1:
        sentences.append(_answer(position, found["pv"], say))
    others = (found.get("lines") or [])[1:]
    worse = [
        say("web.why.instead", move=line["pv"][0], loss=lost)
        for line in others
        if line["pv"] and (lost := loss(position, found["score"], line["score"], say))
    ]
    equal = [line["pv"][0] for line in others if found["score"] - line["score"] < EQUAL]
    if equal:
        sentences.append(say("web.why.equal", moves=", ".join(equal)))
    sentences += worse
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
        mobility = len(after.moves())
        return say("web.why.leaves", side=_name(after.side, say), count=mobility)
    key = f"fact.{position.side}-to-go"
    facts = position.facts()
    if key in facts:
        return say("web.why.nearer", move=move, count=facts[key] - after.facts()[key])
    return ""


def turns(sweep: GameAnalysis, positions: Sequence[Position]) -> list[int]:
    """The plies of a game after which it stood otherwise than before, in order; the worst ones,
    where there are many."""
    flat = [
        _flat(position, verdict)
        for position, verdict in zip(positions, sweep.verdicts, strict=True)
    ]
    found = turning_points(flat, TURNING)
    # Only the mover's loss is a mistake; a gain means that the engine had not seen it before.
    lost = {ply: _lost(sweep, flat, ply) for ply in found}
    worst = sorted((ply for ply in found if lost[ply] >= TURNING), key=lambda ply: -lost[ply])
    return sorted(worst[:MOST_TURNS])


def turn_in_words(
    sweep: GameAnalysis, positions: Sequence[Position], ply: int, say: Messages
) -> str:
    """Words for what was lost with a move of a game, and the better one."""
    before, after = sweep.verdicts[ply - 1], sweep.verdicts[ply]
    if before is None or after is None:
        return ""
    text = say(
        "web.turn",
        move=sweep.question.moves[ply - 1],
        before=value_in_words(positions[ply - 1], before.value, say),
        after=value_in_words(positions[ply], after.value, say),
    )
    if before.best and before.best != sweep.question.moves[ply - 1]:
        text += " " + say("web.turn-better", move=before.best)
    return text


#: Where a proven win stands among points, for the search for turning points and for the chart.
WIN_POINTS = 20.0


def flat_values(sweep: GameAnalysis, positions: Sequence[Position]) -> list[float | None]:
    """The values of a game for its chart: wins are drawn at the edge."""
    return [
        _flat(position, verdict)
        for position, verdict in zip(positions, sweep.verdicts, strict=True)
    ]


def _flat(position: Position, verdict: MoveVerdict | None) -> float | None:
    """A value in points; a won game counts `WIN_POINTS`, however far away the win is."""
    if verdict is None:
        return None
    if wins_at(position, verdict.value) is not None:
        return math.copysign(WIN_POINTS, verdict.value)
    return max(-WIN_POINTS, min(WIN_POINTS, verdict.value))


def _lost(sweep: GameAnalysis, flat: Sequence[float | None], ply: int) -> float:
    """Loss of the mover of a ply by it, in points."""
    before, after = flat[ply - 1], flat[ply]
    if before is None or after is None:
        return 0.0
    return before - after if sweep.sides[ply - 1] == "x" else after - before


def _standing(position: Position, value: float, say: Messages) -> str:
    plies = wins_at(position, value)
    if plies is not None:
        return say("web.value.wins", side=_name("x" if value > 0 else "o", say), plies=plies)
    if value == 0:
        return say("web.value.level")
    side = _name(better_side(value), say)
    return say("web.value.ahead", side=side, points=points(value))


def _answer(position: Position, moves: Sequence[str], say: Messages) -> str:
    """The expected continuation in words."""
    return say("web.why.expected", moves=" ".join(moves[1:6]))


def _name(side: str, say: Messages) -> str:
    return say(f"web.side-name.{side}")
