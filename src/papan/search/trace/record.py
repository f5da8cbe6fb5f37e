"""The record of a search: nodes, passes over them, and the whole trace."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Position
from papan.errors import InvalidLimit
from papan.rules.operations import INFINITY, is_win_distance, repetition_is_forbidden
from papan.search.algorithm import Window
from papan.search.result import Bound, SearchResult

#: Largest number of recorded nodes. Reading a node takes about 20 µs and 1 kB.
MOST_NODES = 100_000


def without_history(position: Position) -> Position:
    """Returns a position without its history, unless the history can forbid moves."""
    if repetition_is_forbidden(position.state):
        return position
    return Position.unchecked(position.game, position.state)


class Ending(enum.Enum):
    """The reason why a node has no children."""

    NONE = ""  # the node was searched and has children
    DEPTH = "depth"  # the depth was reached, and the position was evaluated
    OVER = "over"  # the rules end the game here
    REPETITION = "repetition"  # a draw by repetition
    TABLE = "table"  # the transposition table had the value


@dataclass
class Node:
    """A node of the search, as it was entered and left.

    Values are integers in the search's unit, side to move's view.

    Attributes:
        move: the move into the node; empty at the root.
        position: the position, `without_history`; None in trees of given numbers.
        ply: distance from the root.
        depth: remaining depth in plies.
        window: (alpha, beta) on entry; None in searches without windows.
        value: the resulting value.
        bound: whether `value` is exact or a bound.
        ending: the reason why the node has no children.
        known: (lower, upper) from the table at this depth; None without an entry.
        first: the table's move, which is tried first.
        best: index of the child that last raised the value above alpha; −1 for none.
        uncut: moves that were not searched because the value reached beta.
        entered: the step at which the node was entered.
        left: the step at which its value was known; the same step for a leaf.
        visits: simulations through the node (Monte Carlo tree search).
        score: mean score of these simulations for its side to move, 0 … 1.
        proven: `won`, `drawn` or `lost` for its side to move; empty if not proven.
        fitness: fitness of the chromosome that ends here (genetic search); None elsewhere.
        children: the child nodes, in the order of the search.
    """

    move: str
    position: Position | None
    ply: int
    depth: int
    window: Window | None = None
    value: int = 0
    bound: Bound = Bound.EXACT
    ending: Ending = Ending.NONE
    known: Window | None = None
    first: str = ""
    best: int = -1
    uncut: tuple[str, ...] = ()
    entered: int = 0
    left: int = 0
    visits: int = 0
    score: float = 0.0
    proven: str = ""
    fitness: int | None = None
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yields the node and its descendants, in the order in which they were entered."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def size(self) -> int:
        """Number of nodes of the subtree, including this one."""
        return sum(1 for _ in self.walk())

    def as_dict(self) -> dict[str, Any]:
        """Returns the node and its subtree for JSON, without empty fields."""
        fields: dict[str, Any] = {
            "move": self.move,
            "position": None if self.position is None else str(self.position),
            "side": None if self.position is None else self.position.side,
            "ply": self.ply,
            "window": self.window and [_finite(bound) for bound in self.window],
            "ending": self.ending.value,
            "known": self.known and [_finite(bound) for bound in self.known],
            "first": self.first,
            "cut": list(self.uncut),
            "visits": self.visits,
            "score": round(self.score, 4) if self.visits else None,
            "proven": self.proven,
            "children": [child.as_dict() for child in self.children],
        }
        filled = {key: value for key, value in fields.items() if value not in (None, "", 0, [])}
        if not self.visits:
            filled |= {"value": self.value, "bound": self.bound.value}
        if self.fitness is not None:
            filled |= {"fitness": self.fitness}
        return {"ply": self.ply, **filled, "entered": self.entered, "left": self.left}


def _finite(bound: int) -> int | None:
    """Returns a bound for JSON: None if it is infinite."""
    return None if abs(bound) >= INFINITY else int(bound)


@dataclass
class Pass:
    """One search of the root; MTD(f) needs several for each depth.

    Attributes:
        depth: depth in plies.
        root: the root of its tree.
        nodes: number of visited nodes as the search counts them: the root once for each depth.
    """

    depth: int
    root: Node
    nodes: int = 0


@dataclass
class Trace:
    """A recorded search.

    Attributes:
        algorithm: the spec of the algorithm.
        depth: the requested depth.
        passes: the searches of the root in order.
        result: the result of the search; None in trees of given numbers.
        unit: number of units of the values for one point.
    """

    algorithm: str
    depth: int
    passes: list[Pass] = field(default_factory=list)
    result: SearchResult | None = None
    unit: int = 1

    def points(self, value: int) -> float:
        """Returns a value in the game's own unit; an `int` if the result is whole."""
        if self.result is not None and is_win_distance(self.result.position.state, value):
            return value
        return value // self.unit if value % self.unit == 0 else value / self.unit

    @property
    def nodes(self) -> int:
        """Number of visited nodes, as the search counts them."""
        return sum(each.nodes for each in self.passes)

    @property
    def last(self) -> list[Pass]:
        """The passes of the last depth."""
        return [each for each in self.passes if each.depth == self.passes[-1].depth]

    def as_dict(self) -> dict[str, Any]:
        """Returns the trace as in JSON; values are from the view of each node's side to move."""
        result = {} if self.result is None else self.result.as_dict()
        for changing in ("seconds", "nps", "simulations_per_second"):
            result.pop(changing, None)
        passes = [
            {"depth": each.depth, "nodes": each.nodes, "tree": each.root.as_dict()}
            for each in self.passes
        ]
        return {**result, "algorithm": self.algorithm, "unit": self.unit, "passes": passes}


@dataclass
class Recorder:
    """A builder of a search's trees of at most `most` nodes; numbers its steps."""

    passes: list[Pass] = field(default_factory=list)
    step: int = 0
    nodes: int = 0
    most: int = MOST_NODES

    def enter(self, node: Node, parent: Node | None = None) -> Node:
        """Records that a node was entered, and returns it.

        Raises:
            InvalidLimit: the tree has too many nodes.
        """
        self.nodes += 1
        if self.nodes > self.most:
            raise InvalidLimit("tree.too-large", most=self.most)
        self.step += 1
        node.entered = node.left = self.step
        if parent is not None:
            parent.children.append(node)
        return node

    def leave(self, node: Node, value: int, ending: Ending = Ending.NONE) -> None:
        """Records the value of a node; for a node with children this is a step."""
        node.value, node.ending = int(value), ending
        if node.window is not None and node.children:
            alpha, beta = node.window
            upper = Bound.UPPER if value <= alpha else Bound.EXACT
            node.bound = Bound.LOWER if value >= beta else upper
        if node.children:
            self.step += 1
        node.left = self.step
