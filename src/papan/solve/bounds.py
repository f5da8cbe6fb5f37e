"""Proven bounds of a position's value, and their description for unfinished work."""

from __future__ import annotations

from dataclasses import dataclass

from papan.errors import Unsolved
from papan.rules.operations import INFINITY


@dataclass
class ProvenBounds:
    """Bounds of a value, side to move's view; they converge during solving.

    Attributes:
        win: the game's `win_value`, from which a win's length is counted; 0 for margins.
        lower: lower bound of the value; −`INFINITY` if unknown.
        upper: upper bound of the value; `INFINITY` if unknown.
    """

    win: int
    lower: int = -INFINITY
    upper: int = INFINITY

    def learn(self, bound: int, beta: int) -> None:
        """Updates the bounds with the result of a test "value ≥ beta".

        The result is a lower bound if it is ≥ beta, otherwise an upper bound.
        """
        if bound >= beta:
            self.lower = max(self.lower, bound)
        else:
            self.upper = min(self.upper, bound)

    @property
    def outcome(self) -> str | None:
        """`win`, `draw` or `loss` for the side to move; None if not proven yet."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper == 0 else None

    def as_dict(self) -> dict[str, int | None]:
        """Returns the bounds as in JSON; None for unknown ones."""
        return {
            "lower": self.lower if self.lower > -INFINITY else None,
            "upper": self.upper if self.upper < INFINITY else None,
            "no_loss_within": self._safe_plies(-self.lower),
            "no_win_within": self._safe_plies(self.upper),
        }

    def describe(self) -> Unsolved | None:
        """Returns the bounds as a message of the catalogue; None if both are unknown."""
        if self.outcome is not None:
            return self._describe_outcome()
        bounds = (self._describe_lower(), self._describe_upper())
        clauses = [clause for clause in bounds if clause is not None]
        if len(clauses) < 2:
            return clauses[0] if clauses else None
        if self.win == 0 and self.lower < 0 < self.upper:
            return Unsolved("solve.known.between", least=self.lower, most=self.upper)
        # One sentence for both sides, if neither has a win within the same number of plies.
        near = self._safe_plies(-self.lower)
        if near and near == self._safe_plies(self.upper):
            return Unsolved("solve.known.neither", plies=near)
        return Unsolved("solve.known.both", first=clauses[0], second=clauses[1])

    def _safe_plies(self, value: int) -> int | None:
        """Returns the plies within which a side cannot force a win.

        The value of the side is at most `value`. None if the bound says nothing about wins.
        """
        # A win in n plies has the value `win` − n, so a faster win would exceed `value`.
        plies = self.win - value - 1
        return plies if self.win > 0 and value > 0 and plies > 0 else None

    def _describe_outcome(self) -> Unsolved:
        """Returns the message of a proven outcome."""
        least, most = sorted((abs(self.lower), abs(self.upper)))
        if self.win > 0:  # larger values are nearer to the end
            unit, least, most = "in", self.win - most, self.win - least
            form = "in-between" if least > 1 else "in-at-most"
        else:
            unit, form = "by", "by-between" if most < INFINITY else "by-at-least"
        form = unit if least == most else form
        how = Unsolved(f"solve.known.{form}", least=least, most=most)
        return Unsolved(f"solve.known.{self.outcome}", how=how)

    def _describe_lower(self) -> Unsolved | None:
        """Returns the message of the lower bound if the outcome is not proven."""
        if self.lower == 0:
            return Unsolved("solve.known.at-least-draw")
        if self.win == 0 and self.lower > -INFINITY:
            return Unsolved("solve.known.at-least", value=self.lower)
        plies = self._safe_plies(-self.lower)
        return Unsolved("solve.known.no-loss", plies=plies) if plies else None

    def _describe_upper(self) -> Unsolved | None:
        """Returns the message of the upper bound if the outcome is not proven."""
        if self.upper == 0:
            return Unsolved("solve.known.at-most-draw")
        if self.win == 0 and self.upper < INFINITY:
            return Unsolved("solve.known.at-most", value=self.upper)
        plies = self._safe_plies(self.upper)
        return Unsolved("solve.known.no-win", plies=plies) if plies else None
