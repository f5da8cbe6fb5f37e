"""The review of a game: the cost of each move, the accuracy of both sides, and the proven results.

The cost of a move is the share of the mover's winning chance (`chances.chance`) that the move
loses. Both values have the same parity of depth (`analysis_jobs.at_the_same_turn`), so that the
advantage of moving counts in both or in neither.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from papan.core.game import Game, Position
from papan.figures.chart import Look, evaluation_chart
from papan.figures.svg import Picture
from papan.messages import Messages
from papan.report import name_side
from papan.solve.known_values import ProvenStanding
from papan.web.board import move_values
from papan.web.board.line import GameLine
from papan.web.engines import chances
from papan.web.engines.analysis_jobs import GameReview
from papan.web.engines.chances import points

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


# --- proven results ------------------------------------------------------------------------------

#: Annotations of moves that kept or lost a result.
KEPT, GAVE_UP = "✓", "✗"


@dataclass(frozen=True)
class ValueHistory:
    """The proven values of the positions of a game, and the moves that kept or lost a result.

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
