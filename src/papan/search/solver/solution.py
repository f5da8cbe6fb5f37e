"""What solving a position gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from papan.core.game import Displayed, Position


@dataclass(frozen=True)
class Progress:
    """How far a solver has come.

    Attributes:
        nodes: positions, or sets of empty squares, looked at so far.
        seconds: wall-clock time since the start.
        share: the part of the work that is done, 0 … 1, or None where nobody can know.
    """

    nodes: int
    seconds: float
    share: float | None


@dataclass(frozen=True)
class Solution(Displayed):
    """The proven result of best play by both sides.

    Attributes:
        position: what was solved.
        value: side to move's view. Where a win's length counts, a win after n plies is worth
            `win_value` − n, a loss −(`win_value` − n), a draw 0; elsewhere the final difference.
        plies: to the end of the game, the winner hurrying and the loser delaying; None where
            there is no such number (a draw by repetition).
        moves: every move that keeps the value, in the game's notation and order.
        nodes: positions, or sets of empty squares, looked at.
        seconds: wall-clock time, compilation not included.
        method: how it was proven, in a word: see docs/solving.md.
        values: the proven value of each legal move, if they were asked for.
    """

    proven: ClassVar[bool] = True

    position: Position
    value: int
    plies: int | None
    moves: tuple[str, ...]
    nodes: int
    seconds: float
    method: str
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss` for the side to move."""
        return "win" if self.value > 0 else "loss" if self.value < 0 else "draw"

    def as_dict(self) -> dict[str, Any]:
        """The solution as JSON has it."""
        found: dict[str, Any] = {
            "game": self.position.game.spec,
            "position": str(self.position),
            "outcome": self.outcome,
            "value": self.value,
            "plies": self.plies,
            "moves": list(self.moves),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "method": self.method,
            "proven": self.proven,
        }
        if self.values:
            found["values"] = dict(self.values)
        return found
