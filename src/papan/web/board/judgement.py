"""The review of a game: the cost of each move, and the accuracy of both sides.

The cost of a move is the share of the mover's winning chance (`chances.chance`) that the move
loses. Both values have the same parity of depth (`analysis_jobs.at_the_same_turn`), so that the
advantage of moving counts in both or in neither.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from papan.core.game import Position
from papan.messages import Messages
from papan.report import name_side
from papan.web.board import move_values
from papan.web.engines import chances
from papan.web.engines.analysis_jobs import GameReview

#: Smallest losses of a blunder, a mistake and an inaccuracy, with their annotations, as on
#: lichess.org, where chances go from −1 to 1.
SIGNS = ((0.15, "??"), (0.1, "?"), (0.05, "?!"))

#: Maximum number of listed turning points.
MOST_TURNS = 8


@dataclass(frozen=True)
class GameJudgement:
    """The review of the moves of a game by the values of its positions.

    Attributes:
        review: the values.
        positions: the positions of the game, including the first.
        say: the messages.
    """

    review: GameReview
    positions: Sequence[Position]
    say: Messages

    @cached_property
    def chances(self) -> list[float | None]:
        """The winning chance of `x` at each ply; None if unknown."""
        return [
            None
            if verdict is None
            else chances.chance(position, verdict.value, proven=verdict.proven)
            for position, verdict in zip(self.positions, self.review.verdicts, strict=True)
        ]

    @property
    def count(self) -> int:
        """Number of positions with a known value."""
        return sum(chance is not None for chance in self.chances)

    def lost(self, ply: int) -> float | None:
        """The share of the winning chance that the move of a ply lost; None if unknown."""
        before, after = self.chances[ply - 1], self.chances[ply]
        if before is None or after is None:
            return None
        fall = before - after if self.review.sides[ply - 1] == "x" else after - before
        return max(0.0, fall)

    def signs(self) -> dict[int, str]:
        """Annotations of moves with losses: ply → `?!`, `?`, `??`."""
        found = {ply: sign_of(self.lost(ply)) for ply in range(1, len(self.chances))}
        return {ply: sign for ply, sign in found.items() if sign}

    def turns(self, side: str = "") -> list[int]:
        """The plies of mistakes and blunders in order, limited to the worst ones; with `side`, only
        its own moves."""
        sides = self.review.sides
        bad = [
            ply
            for ply, sign in self.signs().items()
            if sign != "?!" and side in ("", sides[ply - 1])
        ]
        return sorted(sorted(bad, key=lambda ply: -(self.lost(ply) or 0.0))[:MOST_TURNS])

    def turn_in_words(self, ply: int) -> str:
        """Returns words for the loss of a move, and the better move."""
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
            side=name_side(self.positions[0].game, self.review.sides[ply - 1], say),
            share=round(100 * (self.lost(ply) or 0.0)),
            before=self.stood(ply - 1),
            after=self.stood(ply),
        )
        better = before.best and before.best != move
        return f"{text} {say('web.turn-better', move=before.best)}" if better else text

    def accuracy(self, side: str) -> int | None:
        """The accuracy of a side's moves, 0 … 100; None if unknown."""
        losses = [
            lost
            for ply, mover in enumerate(self.review.sides[:-1], start=1)
            if mover == side and (lost := self.lost(ply)) is not None
        ]
        return round(sum(map(accuracy_of, losses)) / len(losses)) if losses else None

    def stood(self, ply: int) -> str:
        """The evaluation of a ply in words; empty if unknown."""
        verdict = self.review.verdicts[ply]
        if verdict is None:
            return ""
        proven = verdict.proven
        return move_values.describe_value(
            self.positions[ply], verdict.value, self.say, proven=proven
        )


def sign_of(lost: float | None) -> str:
    """Returns the annotation of a move with this loss; empty for a good move."""
    return next((sign for least, sign in SIGNS if lost is not None and lost >= least), "")


def accuracy_of(lost: float) -> float:
    """Returns the accuracy of a move with this loss: 100 for no loss, 0 for all of the winning
    chance. The curve is from lichess.org/page/accuracy."""
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354415 * lost) - 3.1669))
