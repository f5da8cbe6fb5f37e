"""A tree to draw: plain data, made from a recorded search or by hand.

A large tree is summarised: a subtree that is not drawn becomes one node that shows its number of
nodes.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from papan.core.game import Position
from papan.figures.svg import element

#: Height of a tree's page in a notebook, in pixels.
_FRAME_HEIGHT = 640


@dataclass
class TreeNode:
    """A node of the picture.

    Attributes:
        row: `max` or `min`, the side to move; empty if not applicable.
        move: the move to this node.
        value: displayed value; empty if the node has none.
        window: displayed window at the entry of the node.
        note: other displayed information, such as the reason of a cut or a table hit.
        kinds: class names: `best`, `cut` (never searched), `table`, `over`, `depth`,
            `repetition`, `more` (replaces several nodes).
        position: position of the board; None shows only the value.
        entered: step at which the node was entered; 0 in trees without steps.
        left: step at which the node's value was known.
        stands_for: number of nodes that this node replaces, not counting itself.
        branches: number of moves that this node represents.
        step_texts: descriptions of the steps `entered` and `left`.
        children: child nodes.
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
        """Yields the node and its descendants, from left to right."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def is_best(self) -> bool:
        """True if the node is on the principal variation."""
        return "best" in self.kinds

    @property
    def nodes(self) -> int:
        """Number of searched nodes in this subtree, without cut branches."""
        own = 0 if {"cut", "more"} & set(self.kinds) else 1
        return own + self.stands_for + sum(child.nodes for child in self.children)


@dataclass
class TreeFigure:
    """Trees with title, facts and legend.

    Attributes:
        title: title above the trees.
        facts: lines below the title.
        trees: name and root of each tree; MTD(f) has several.
        legend: class name → meaning of the sign.
        words: texts of the page's buttons and of the rows, by name.
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
        """Returns the page with steps in an iframe, so that the notebook's styles do not affect
        it."""
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
    """Returns a copy of a tree with about `most` drawn nodes, principal variation first.

    Args:
        root: the whole tree, which is not changed.
        most: number of nodes to draw; 0 for all.
        wide: maximum number of children to draw of a node.
        more: returns the text of a node that replaces a number of nodes.
    """
    if most == 0:
        return root
    opened = _worth_opening(root, most, wide)
    return _copy(root, opened, wide, more)


def _worth_opening(root: TreeNode, most: int, wide: int) -> set[int]:
    """Returns the nodes (by `id`) whose children are drawn, up to the limit.

    Nodes near the principal variation and near the root come first.
    """
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
    """Returns the children to draw: the first ones, the best one and the cuts."""
    children = node.children
    if len(children) <= wide + 1:  # replacing a single child would save nothing
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
    """Returns the index for the node of the hidden children: after the children searched
    earlier."""
    first = _first_step(rest)
    return sum(1 for node in shown if node.entered < first and "cut" not in node.kinds)


def _first_step(nodes: Iterable[TreeNode]) -> int:
    """Returns the step at which the first of some nodes was entered; 0 without steps."""
    return min((node.entered for node in nodes if node.entered), default=0)


def _together(rest: list[TreeNode], more: Callable[[int], str]) -> TreeNode:
    """Returns one node that represents several branches."""
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
