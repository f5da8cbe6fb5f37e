"""The result of a search."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Displayed, Position
from papan.rules.operations import Evaluation


class Bound(enum.Enum):
    """The relation of a value to the true value."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


@functools.singledispatch
def winning_chance(evaluation: Evaluation, value: float) -> float | None:
    """Returns the winning chance (0 … 1) for a value in points of an evaluation.

    None for evaluations without such a scale, such as handwritten ones. Learned evaluations
    register a function of their own.
    """
    return None


def knows_chances(evaluation: Evaluation) -> bool:
    """Returns whether an evaluation was learned: its values are winning chances or expected
    margins.
    """
    return winning_chance.dispatch(type(evaluation)) is not winning_chance.dispatch(object)


@dataclass(frozen=True)
class Line:
    """A principal variation with its value.

    Attributes:
        value: side to move's view, in the game's own unit (pieces, steps, or `win_value` − ply).
        moves: the principal variation in the game's notation.
    """

    value: float
    moves: tuple[str, ...]


@dataclass(frozen=True)
class SearchResult(Displayed):
    """The result of a search from one position.

    Attributes:
        position: the root.
        algorithm: the spec of the algorithm.
        move: the best move found; None if the game is over.
        value: its value, side to move's view, in the game's own unit.
        bound: the relation of `value` to the true value at `depth`.
        depth: the completed depth, in plies.
        nodes: positions visited, including the root; summed over iterations and threads.
        seconds: wall-clock time without compilation.
        pv: the principal variation; its first move is `move`.
        proven: whether a deeper search cannot change `value`.
        lines: all principal variations, best first, if several were requested.
        chance: expected score (0 … 1) of the side to move; None unless the evaluation is learned
            and the value is not proven.
        extra: numbers that only some algorithms report (hashfull, hit rate, simulations).

    Examples:
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
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-9))

    def as_dict(self) -> dict[str, Any]:
        """Returns the result as in JSON; `score` is the side to move's view."""
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
