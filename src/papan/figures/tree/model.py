"""A tree to be drawn: plain data, made from a recorded search or by hand.

A large tree is summarised: a subtree that is not drawn becomes one node that says how many nodes
it stands for, and nothing is left out silently.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from papan.core.game import Position
from papan.figures.svg import element

#: How tall a tree's page is in a notebook, in pixels.
_FRAME_HEIGHT = 640


@dataclass
class TreeNode:
    """A node of the picture.

    Attributes:
        row: `max` or `min`, who moves here; empty where that means nothing.
        move: the move into it.
        value: what it is worth, as it is shown; empty where it has no value.
        window: the window on entry, as it is shown.
        note: what else is to be said of it: a cut's reason, a table's answer.
        kinds: class names: `best`, `cut` (never searched), `table`, `over`, `depth`,
            `repetition`, `more` (stands for several nodes).
        position: what its board shows; without one it is a bare number.
        entered: the step at which it was entered; 0 in trees without steps.
        left: the step at which its value was known.
        stands_for: how many nodes are not drawn but meant by it, itself aside.
        branches: how many moves it stands for.
        step_texts: what happens at the steps `entered` and `left`, in words.
        children: the nodes below it.
    """

    row: str = ""
    move: str = ""
    value: str = ""
    window: str = ""
    note: str = ""
    kinds: tuple[str, ...] = ()
    position: Position | None = None
    entered: int = 0
    left: int = 0
    stands_for: int = 0
    branches: int = 1
    step_texts: tuple[str, str] = ("", "")
    children: list[TreeNode] = field(default_factory=list)

    def walk(self) -> Iterator[TreeNode]:
        """The node and all below it, from the left to the right."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def is_best(self) -> bool:
        """True if it lies on the principal variation."""
        return "best" in self.kinds

    @property
    def nodes(self) -> int:
        """Number of nodes of the search that it and those below it are: cut branches are none."""
        own = 0 if {"cut", "more"} & set(self.kinds) else 1
        return own + self.stands_for + sum(child.nodes for child in self.children)


@dataclass
class TreeFigure:
    """Trees with what is said about them.

    Attributes:
        title: above everything.
        facts: lines below it.
        trees: what each one is called, and its root. MTD(f) has several.
        legend: what the signs mean: class name → words.
        words: the words of the page's buttons, and others by name.
    """

    title: str
    facts: list[str]
    trees: list[tuple[str, TreeNode]]
    legend: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def _repr_svg_(self) -> str:
        from papan.figures.tree.draw import tree_svg

        return str(tree_svg(self))

    def _repr_html_(self) -> str:
        """The page with its steps in a frame of its own, which no notebook's styles reach."""
        from papan.figures.tree.page import tree_page

        return str(
            element(
                "iframe",
                self.title,
                srcdoc=tree_page(self),
                sandbox="allow-scripts",
                width="100%",
                height=_FRAME_HEIGHT,
                title=self.title,
            )
        )


def summarise(root: TreeNode, most: int, wide: int, more: Callable[[int], str]) -> TreeNode:
    """The tree with about `most` nodes drawn, those of the principal variation first.

    Args:
        root: the whole tree; it stays as it is.
        most: how many nodes to draw; 0 for all of them.
        wide: how many children of a node to draw at most.
        more: the words of a node that stands for that number of others.
    """
    if most == 0:
        return root
    opened = _worth_opening(root, most, wide)
    return _copy(root, opened, wide, more)


def _worth_opening(root: TreeNode, most: int, wide: int) -> set[int]:
    """The nodes (by identity) whose children are drawn: near the principal variation and near
    the root first, while there is room."""
    order = count()
    waiting = [(0, next(order), root)]
    opened: set[int] = set()
    drawn = 1
    while waiting:
        cost, _, node = heapq.heappop(waiting)
        shown = _children_to_draw(node, wide)
        needed = len(shown) + (len(shown) < len(node.children))
        if not shown or drawn + needed > most:
            continue
        opened.add(id(node))
        drawn += needed
        for place, child in enumerate(shown):
            # A step away from the principal variation costs more than a step down.
            away = 0 if child.is_best else 2 + place
            heapq.heappush(waiting, (cost + 1 + away, next(order), child))
    return opened


def _children_to_draw(node: TreeNode, wide: int) -> list[TreeNode]:
    """The children that are drawn: the first ones, and the best one in any case."""
    children = node.children
    if len(children) <= wide + 1:  # one node for a single child would save nothing
        return children
    shown = children[:wide]
    best = next((child for child in children[wide:] if child.is_best), None)
    cut = [child for child in children[wide:] if "cut" in child.kinds]
    if best is not None:
        shown = [*shown[:-1], best]
    return [*shown, *cut]


def _copy(node: TreeNode, opened: set[int], wide: int, more: Callable[[int], str]) -> TreeNode:
    if not node.children:
        return replace(node)
    if id(node) not in opened:
        hidden = sum(child.nodes for child in node.children)
        return replace(node, stands_for=hidden, children=[])
    shown = _children_to_draw(node, wide)
    identities = {id(child) for child in shown}
    rest = [child for child in node.children if id(child) not in identities]
    below = [_copy(child, opened, wide, more) for child in shown]
    if rest:
        below.insert(_place_of(rest, shown), _together(rest, more))
    return replace(node, children=below)


def _place_of(rest: Iterable[TreeNode], shown: list[TreeNode]) -> int:
    """Where the node for the others stands: behind what was searched before them."""
    first = _first_step(rest)
    return sum(1 for node in shown if node.entered < first and "cut" not in node.kinds)


def _first_step(nodes: Iterable[TreeNode]) -> int:
    """The step at which the first of them was entered; 0 where there are no steps."""
    return min((node.entered for node in nodes if node.entered), default=0)


def _together(rest: list[TreeNode], more: Callable[[int], str]) -> TreeNode:
    """One node for several branches."""
    nodes = sum(node.nodes for node in rest)
    branches = sum(node.branches for node in rest)
    return TreeNode(
        row=rest[0].row,
        move=f"+{branches}",
        note=more(nodes),
        kinds=("more",),
        entered=_first_step(rest),
        left=max(node.left for node in rest),
        stands_for=nodes,
        branches=branches,
        step_texts=(more(nodes), more(nodes)),
    )
