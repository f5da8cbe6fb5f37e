"""The result of a search."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Displayed, Position
from papan.rules.operations import Evaluation


class Bound(enum.Enum):
    """The relation of a value to the true one."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


@functools.singledispatch
def winning_chance(evaluation: Evaluation, value: float) -> float | None:
    """The chance (0 … 1) that a value in points of an evaluation stands for; None where it stands
    for none, as those that were written by hand do. Learned evaluations register theirs."""
    return None


def knows_chances(evaluation: Evaluation) -> bool:
    """True if an evaluation was learnt: its values are winning chances, or expected margins."""
    return winning_chance.dispatch(type(evaluation)) is not winning_chance.dispatch(object)


@dataclass(frozen=True)
class Line:
    """One way to go on: a value and the moves that lead to it.

    Attributes:
        value: side to move's view, in the game's own unit (pieces, steps, or `win_value` − ply).
        moves: the principal variation in the game's notation.
    """

    value: float
    moves: tuple[str, ...]


@dataclass(frozen=True)
class SearchResult(Displayed):
    """The outcome of a search from one position.

    Attributes:
        position: the root.
        algorithm: the spec of the algorithm.
        move: the best move found, or None where the game is over.
        value: its value, side to move's view, in the game's own unit.
        bound: how `value` relates to the value at `depth`.
        depth: the depth that was completed, in plies.
        nodes: positions visited, the root included; summed over iterations and threads.
        seconds: wall-clock time, compilation not included.
        pv: the principal variation; it starts with `move`.
        proven: whether no deeper search can change `value`.
        lines: with several principal variations, each of them, the best first.
        chance: the score (0 … 1) that the side to move may expect, where the evaluation was learnt
            and nothing is proven; else None.
        extra: numbers that only some algorithms have (hashfull, hit rate, simulations).

    Example:
        >>> result = papan.analyse("platforms", depth=7)
        >>> result.move, result.pv[:2]
        ('b2', ('b2', 'b1'))
    """

    position: Position
    algorithm: str
    move: str | None
    value: float
    bound: Bound
    depth: int
    nodes: int
    seconds: float
    pv: tuple[str, ...]
    proven: bool
    lines: tuple[Line, ...] = ()
    chance: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, 1e-9))

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON has it; `score` is the side to move's view."""
        return {
            "game": self.position.game.spec,
            "position": str(self.position),
            "algorithm": self.algorithm,
            "move": self.move,
            "score": self.value,
            "bound": self.bound.value,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "nps": self.nps,
            "pv": list(self.pv),
            "proven": self.proven,
            "lines": [{"score": line.value, "pv": list(line.moves)} for line in self.lines],
            **({} if self.chance is None else {"chance": round(self.chance, 4)}),
            **self.extra,
        }
