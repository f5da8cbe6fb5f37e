"""A game that was looked at move by move: what each move cost, how accurate the sides were.

A move costs the share of its mover's chances (`chances.chance`) that was there before it and is
not after it. Both values are of one parity of depth (`analysis_jobs.at_the_same_turn`), so that
the right to move counts in both or in none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from papan.core.game import Position
from papan.messages import Messages
from papan.web.board import move_values
from papan.web.engines import chances
from papan.web.engines.analysis_jobs import GameReview

#: The least loss of chances of a blunder, a mistake, an inaccuracy, with their signs: those of
#: lichess.org, whose chances go from −1 to 1.
SIGNS = ((0.15, "??"), (0.1, "?"), (0.05, "?!"))

#: Turning points of a game that are listed: the worst ones.
MOST_TURNS = 8


@dataclass(frozen=True)
class GameJudgement:
    """The judgement of a game's moves by the values of its positions.

    Attributes:
        review: the values.
        positions: of the game, the first one included.
        say: the texts.
    """

    review: GameReview
    positions: Sequence[Position]
    say: Messages

    @cached_property
    def chances(self) -> list[float | None]:
        """`x`'s chance at each ply; None where nothing is known yet."""
        return [
            None
            if verdict is None
            else chances.chance(position, verdict.value, proven=verdict.proven)
            for position, verdict in zip(self.positions, self.review.verdicts, strict=True)
        ]

    @property
    def count(self) -> int:
        """Number of positions of which something is known."""
        return sum(chance is not None for chance in self.chances)

    def lost(self, ply: int) -> float | None:
        """The share of its mover's chances that the move of a ply has cost; None if unknown."""
        before, after = self.chances[ply - 1], self.chances[ply]
        if before is None or after is None:
            return None
        fall = before - after if self.review.sides[ply - 1] == "x" else after - before
        return max(0.0, fall)

    def signs(self) -> dict[int, str]:
        """The moves that cost something: ply → `?!`, `?`, `??`."""
        found = {ply: sign_of(self.lost(ply)) for ply in range(1, len(self.chances))}
        return {ply: sign for ply, sign in found.items() if sign}

    def turns(self) -> list[int]:
        """The plies with mistakes and blunders, in order; the worst ones, where there are many."""
        bad = [ply for ply, sign in self.signs().items() if sign != "?!"]
        return sorted(sorted(bad, key=lambda ply: -(self.lost(ply) or 0.0))[:MOST_TURNS])

    def turn_in_words(self, ply: int) -> str:
        """Words for what was lost with a move of a game, and the better one."""
        before, move, say = (
            self.review.verdicts[ply - 1],
            self.review.question.moves[ply - 1],
            self.say,
        )
        if before is None or self.review.verdicts[ply] is None:
            return ""
        text = say(
            "web.turn",
            move=move,
            sign=sign_of(self.lost(ply)),
            side=move_values.side_name(self.review.sides[ply - 1], say),
            share=round(100 * (self.lost(ply) or 0.0)),
            before=self.stood(ply - 1),
            after=self.stood(ply),
        )
        better = before.best and before.best != move
        return f"{text} {say('web.turn-better', move=before.best)}" if better else text

    def accuracy(self, side: str) -> int | None:
        """The accuracy of a side's moves, 0 … 100; None without any that is known."""
        losses = [
            lost
            for ply, mover in enumerate(self.review.sides[:-1], start=1)
            if mover == side and (lost := self.lost(ply)) is not None
        ]
        return round(sum(map(accuracy_of, losses)) / len(losses)) if losses else None

    def stood(self, ply: int) -> str:
        """The standing of the game at a ply, in words; empty where nothing is known."""
        verdict = self.review.verdicts[ply]
        if verdict is None:
            return ""
        proven = verdict.proven
        return move_values.describe_value(
            self.positions[ply], verdict.value, self.say, proven=proven
        )


def sign_of(lost: float | None) -> str:
    """The sign of a move that costs that share of the chances; empty for a good one."""
    return next((sign for least, sign in SIGNS if lost is not None and lost >= least), "")


def accuracy_of(lost: float) -> float:
    """The accuracy of a move that costs that share of the chances: 100 for none, 0 for all of
    them. The curve is that of lichess.org/page/accuracy."""
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354415 * lost) - 3.1669))
