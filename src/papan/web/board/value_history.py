"""The proven results of a game: the result at each ply, and the moves that kept or lost it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from papan.core.game import Game, Position
from papan.figures.chart import Look, evaluation_chart
from papan.figures.svg import Picture
from papan.messages import Messages
from papan.report import name_side
from papan.solve.known_values import ProvenStanding
from papan.web.board.line import GameLine
from papan.web.engines.analysis_jobs import GameReview
from papan.web.engines.chances import points

#: Annotations of moves that kept or lost a result.
KEPT, GAVE_UP = "✓", "✗"


@dataclass(frozen=True)
class ValueHistory:
    """The proven values of the positions of a game.

    Attributes:
        standings: result by ply; None if not proven.
        positions: the positions of the game, including the first.
        moves: the moves.
        say: the messages.
    """

    standings: Sequence[ProvenStanding | None]
    positions: Sequence[Position]
    moves: Sequence[str]
    say: Messages

    @classmethod
    def of(cls, line: GameLine, review: GameReview | None, say: Messages) -> ValueHistory | None:
        """Returns the proofs of a review of the whole game; None before the first proof."""
        if review is None:
            return None
        standings = [review.standings.get(ply) for ply in range(len(line.positions))]
        history = cls(standings, line.positions, line.moves, say)
        return history if history.count else None

    @property
    def count(self) -> int:
        """Number of positions with a proven value."""
        return sum(standing is not None for standing in self.standings)

    @cached_property
    def judged(self) -> dict[int, tuple[str, str]]:
        """The moves that kept or lost a result: ply → annotation and words."""
        judgements = {}
        for ply in range(1, len(self.standings)):
            before, after = self.rank(ply - 1, ply - 1), self.rank(ply, ply - 1)
            if before is not None and after is not None and before > 0:
                had = "win" if before == 2 else "draw"
                kept = after >= before
                words = self.say(f"web.proofs.{'kept' if kept else 'gave-up'}-{had}")
                judgements[ply] = (KEPT if kept else GAVE_UP, words)
        return judgements

    def rank(self, ply: int, mover: int) -> int | None:
        """Returns the result at a ply for the side that moves at the ply `mover`: 2 won, 1 drawn, 0
        lost; None if unknown."""
        standing = self.standings[ply]
        if standing is None:
            return None
        return 1 if not standing.winner else 2 * (standing.winner == self.positions[mover].side)

    @property
    def thrown(self) -> list[tuple[int, str]]:
        """The plies at which a result was lost, each with a sentence."""
        return [
            (ply, self._thrown(ply, words))
            for ply, (sign, words) in self.judged.items()
            if sign == GAVE_UP
        ]

    @property
    def _game(self) -> Game:
        return self.positions[0].game

    def _thrown(self, ply: int, words: str) -> str:
        side = name_side(self._game, self.positions[ply - 1].side, self.say)
        before, after = self.in_words(ply - 1), self.in_words(ply)
        return self.say(
            "web.proofs.thrown",
            move=self.moves[ply - 1],
            side=side,
            words=words,
            before=before,
            after=after,
        )

    def in_words(self, ply: int) -> str:
        """Returns the proven result at a ply in words; empty if unknown."""
        standing, say = self.standings[ply], self.say
        if standing is None:
            return ""
        if not standing.winner:
            return say("web.value.draw")
        side = name_side(self._game, standing.winner, say)
        if standing.plies is None:
            return say("web.value.margin", side=side, points=points(standing.margin or 0))
        return say("web.value.wins", side=side, plies=standing.plies)

    def chart(self, here: int) -> Picture:
        """The results over the game: nearer wins are farther from the middle."""
        plies = [standing.plies or 0 for standing in self.standings if standing]
        most = max(plies, default=0) + 1
        return evaluation_chart(
            self.say("web.proofs.chart"),
            self.say("web.analysis.plies"),
            [None if standing is None else _height(standing, most) for standing in self.standings],
            turning=[ply for ply, _ in self.thrown],
            axis=lambda mark: self._mark(mark, most),
            here=here,
            look=Look(standalone=False),
        )

    def _mark(self, mark: float, most: int) -> str:
        """Returns a label of the axis: the winner, and the plies or the margin."""
        if mark == 0:
            return self.say("web.value.draw")
        side = name_side(self._game, "x" if mark > 0 else "o", self.say)
        margins = any(standing and standing.margin for standing in self.standings)
        return f"{side} +{abs(mark):g}" if margins else f"{side} {max(0, most - abs(mark)):g}"


def _height(standing: ProvenStanding, most: int) -> float:
    """Returns the height of a result in the chart: above 0 for `x`; with plies, `most` minus
    plies."""
    if not standing.winner:
        return 0.0
    size = most - standing.plies if standing.plies is not None else standing.margin or 0
    return float(size if standing.winner == "x" else -size)
