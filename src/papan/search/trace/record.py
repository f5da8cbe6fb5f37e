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

#: Reading a node takes some 20 µs and 1 kB: this number is a matter of seconds.
MOST_NODES = 100_000


def without_history(position: Position) -> Position:
    """A position as a tree has it: without its history, unless that forbids moves."""
    if repetition_is_forbidden(position.state):
        return position
    return Position.unchecked(position.game, position.state)


class Ending(enum.Enum):
    """Why there is nothing below a node."""

    NONE = ""  # there is: the node was searched
    DEPTH = "depth"  # the depth was used up; the evaluation has valued the position
    OVER = "over"  # the rules end the game here
    REPETITION = "repetition"  # a draw by repetition
    TABLE = "table"  # the transposition table knew enough


@dataclass
class Node:
    """A node of the search, as it was entered and left.

    Values are whole numbers of the search's unit, side to move's view.

    Attributes:
        move: the move into it; empty at the root.
        position: the position as it is `without_history`; None in trees of given numbers.
        ply: distance from the root.
        depth: how many plies were left to search.
        window: (alpha, beta) on entry, or None in searches without windows.
        value: what it was found to be worth.
        bound: what the value says: exact, or a bound outside the window.
        ending: why nothing was searched below.
        known: (lower, upper) where the table knew the position at this depth.
        first: the move that the table said to try first.
        best: the index of the child that last raised the value above alpha; −1 for none.
        uncut: moves that were never looked at, because the value was beta or more.
        entered: the step at which it was entered.
        left: the step at which its value was known; a leaf is entered and left in one step.
        visits: simulations through it (Monte-Carlo tree search).
        score: the mean score of these for its side to move, 0 … 1.
        proven: `won`, `drawn` or `lost` for its side to move, or nothing.
        fitness: of the chromosome that ends there (genetic search); None elsewhere.
        children: the nodes below it, in the order in which they were looked at.
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
        """The node and all below it, in the order in which they were entered."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def size(self) -> int:
        """Number of these nodes."""
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
    """A bound as JSON has it: null where it is none."""
    return None if abs(bound) >= INFINITY else int(bound)


@dataclass
class Pass:
    """One search of the root. MTD(f) has several of them for each depth.

    Attributes:
        depth: how deep it went.
        root: its tree.
        nodes: how many nodes were visited, as the search counts them: a root counts once for
            each depth.
    """

    depth: int
    root: Node
    nodes: int = 0


@dataclass
class Trace:
    """A whole search.

    Attributes:
        algorithm: its spec.
        depth: the depth asked for.
        passes: the searches of the root, one after the other.
        result: what the search has found; None in trees of given numbers.
        unit: number of units of the values that make one point.
    """

    algorithm: str
    depth: int
    passes: list[Pass] = field(default_factory=list)
    result: SearchResult | None = None
    unit: int = 1

    def points(self, value: int) -> float:
        """A value in the game's own unit; whole numbers stay whole."""
        if self.result is not None and is_win_distance(self.result.position.state, value):
            return value
        return value // self.unit if value % self.unit == 0 else value / self.unit

    @property
    def nodes(self) -> int:
        """Number of nodes visited, as the search counts them."""
        return sum(each.nodes for each in self.passes)

    @property
    def last(self) -> list[Pass]:
        """The passes of the last depth."""
        return [each for each in self.passes if each.depth == self.passes[-1].depth]

    def as_dict(self) -> dict[str, Any]:
        """The trace as JSON has it; values are the view of each node's side to move."""
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
    """Numbers the steps and builds the trees of a search, of `most` nodes at the most."""

    passes: list[Pass] = field(default_factory=list)
    step: int = 0
    nodes: int = 0
    most: int = MOST_NODES

    def enter(self, node: Node, parent: Node | None = None) -> Node:
        """Notes that a node was entered.

        Raises:
            InvalidLimit: there are more nodes than can be shown.
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
        """Notes what a node was found to be worth; where it was searched, that is a step."""
        node.value, node.ending = int(value), ending
        if node.window is not None and node.children:
            alpha, beta = node.window
            upper = Bound.UPPER if value <= alpha else Bound.EXACT
            node.bound = Bound.LOWER if value >= beta else upper
        if node.children:
            self.step += 1
        node.left = self.step
