"""Recorded searches as pictures: `papan.tree(position, depth=3, algorithm="alphabeta")`.

`papan.search.trace` records searches, and `papan.figures.tree` draws trees. This module turns a
recorded search into a figure, with texts in a language and values from MAX's view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from papan.core import spec
from papan.core.game import Position
from papan.figures.tree.model import TreeFigure, TreeNode, summarise
from papan.messages import ENGLISH, Messages
from papan.rules.operations import INFINITY, Evaluation
from papan.search.result import Bound
from papan.search.trace import trace
from papan.search.trace.number_tree import Numbers, trace_numbers
from papan.search.trace.record import MOST_NODES, Ending, Node, Pass, Trace

#: Number of nodes that fit on a large page.
MOST_DRAWN = 40
#: Maximum number of drawn children.
WIDEST = 3
#: Minimum number of drawn nodes for each of several passes.
_LEAST_DRAWN = 14
#: Names of the buttons on a tree's page; their messages are `tree.NAME`.
_WORDS = ("first", "back", "on", "last", "step", "larger", "smaller", "whole")
#: Largest number of moves that are named at a cutoff.
_NAMED = 4

#: The only player whose search can be drawn as a tree.
GENETIC = "genetic"
#: Maximum number of listed chromosomes.
_LISTED = 12

_KINDS = {
    Ending.NONE: (),
    Ending.DEPTH: ("depth",),
    Ending.OVER: ("over",),
    Ending.REPETITION: ("over",),
    Ending.TABLE: ("table",),
}


def tree(
    position: Position,
    depth: int = 3,
    algorithm: str = "alphabeta",
    *,
    evaluation: Evaluation | None = None,
    most: int = MOST_DRAWN,
    view: str = "",
    say: Messages = ENGLISH,
) -> TreeFigure:
    """Returns the tree of a search as a figure, which notebooks display.

    Args:
        position: the root.
        depth: depth in plies.
        algorithm: the spec of an algorithm, with its options.
        evaluation: the evaluation of unfinished games; by default the game's own.
        most: approximate number of nodes to draw; further nodes are summarised. 0 draws all.
        view: the side that is MAX, `x` or `o`; by default the side to move.
        say: the messages in the language of the figure.

    Raises:
        PapanError: the algorithm or depth is invalid, or the tree is too large to record.
    """
    recording = record_trace(position, depth, algorithm, evaluation=evaluation)
    return figure_of(recording, most=most, view=view, say=say)


def record_trace(
    position: Position,
    depth: int,
    algorithm: str = "alphabeta",
    *,
    evaluation: Evaluation | None = None,
    most: int = MOST_NODES,
) -> Trace:
    """Records the search of an algorithm or of the player `genetic`; see `trace`."""
    name, options = spec.split(algorithm)
    if name == GENETIC:
        from papan.players.genetic.trace import trace_genetic

        return trace_genetic(position, depth, options, evaluation=evaluation, most=most)
    return trace(position, depth, algorithm, evaluation=evaluation, most=most)


def number_tree(
    numbers: Numbers, algorithm: str = "minimax", *, title: str = "", say: Messages = ENGLISH
) -> TreeFigure:
    """Returns the tree of a search of given numbers: `number_tree([[5, 2], [1, 3]])`.

    Raises:
        UsageError: the algorithm is neither `minimax` nor `alphabeta`, or a node has no child.
    """
    recording = trace_numbers(numbers, algorithm)
    return figure_of(recording, most=0, title=title, say=say)


def figure_of(
    recording: Trace,
    *,
    most: int = MOST_DRAWN,
    view: str = "",
    title: str = "",
    say: Messages = ENGLISH,
) -> TreeFigure:
    """Returns the figure of a recorded search; see `tree`."""
    shown = recording.last
    root = shown[0].root
    first = root.position is None or view in ("", root.position.side)
    teller = _TreeTeller(recording, say, 1 if first else -1)
    whole = sum(each.root.size for each in shown) <= most
    share = 0 if whole else most and max(most // len(shown), _LEAST_DRAWN)
    trees = [
        (
            teller.name(number, each),
            summarise(teller.tree(each.root), share, WIDEST, teller.bundle),
        )
        for number, each in enumerate(shown, start=1)
    ]
    drawn = _count_drawn(node for _, node in trees)
    return TreeFigure(
        title=title or teller.title(),
        facts=teller.facts(drawn),
        trees=trees,
        legend=teller.legend(node for _, node in trees),
        words={name: say(f"tree.{name}") for name in _WORDS},
    )


def _count_drawn(roots: Iterable[TreeNode]) -> int:
    """Returns the number of drawn nodes."""
    stubs = {"cut", "more"}
    return sum(1 for root in roots for node in root.walk() if not stubs & set(node.kinds))


def number(value: float) -> str:
    """Returns a value as text: `3`, `−2.5`, `∞`."""
    if abs(value) >= INFINITY:
        return "∞" if value > 0 else "−∞"
    text = f"{value:g}" if isinstance(value, int) else f"{value:.2f}"
    return text.replace("-", "−")


@dataclass(frozen=True)
class _TreeTeller:
    """A describer of a recorded search, with values from MAX's view.

    Attributes:
        recording: the recorded search.
        say: the messages.
        root: 1 if MAX moves at the root, else −1.
    """

    recording: Trace
    say: Messages
    root: int

    # --- about the whole

    def title(self) -> str:
        """Returns the names of the game and the algorithm."""
        if self.recording.result is None:
            return self.recording.algorithm
        game = self.recording.result.position.game
        return self.say(
            "tree.title",
            game=game.title,
            algorithm=self.recording.algorithm,
            depth=self.recording.depth,
        )

    def facts(self, drawn: int) -> list[str]:
        """Returns lines about the search: position, result, nodes, and how many of them are
        drawn.
        """
        lines = []
        result, last = self.recording.result, self.recording.last
        if result is not None:
            lines.append(f"{result.position.game.spec}  {result.position}")
            if result.move is not None:
                message = "tree.bred" if self._is_bred else "tree.result"
                lines.append(self.say(message, move=result.move, nodes=result.nodes))
        before = [each for each in self.recording.passes if each.depth != last[0].depth]
        if before:
            nodes = sum(each.nodes for each in before)
            depth = last[0].depth
            lines.append(self.say("tree.before", passes=len(before), nodes=nodes, depth=depth))
        whole = sum(each.root.size for each in last)
        if drawn < whole:
            lines.append(self.say("tree.summary", drawn=drawn, nodes=whole))
        return lines + self._chromosomes()

    @property
    def _is_bred(self) -> bool:
        """True for the tree of the genetic search (a reservation tree)."""
        return any(node.fitness is not None for node in self.recording.last[0].root.walk())

    def _chromosomes(self) -> list[str]:
        """Returns a line for each chromosome of a reservation tree, fittest first."""
        lines = sorted(
            _lines(self.recording.last[0].root), key=lambda pair: -(pair[1].fitness or 0)
        )
        listed = [
            self.say(
                "tree.chromosome", moves=moves, value=self.value(leaf), fitness=leaf.fitness or 0
            )
            for moves, leaf in lines[:_LISTED]
        ]
        more = len(lines) - _LISTED
        return [*listed, self.say("tree.chromosomes", count=more)] if more > 0 else listed

    def name(self, number_: int, each: Pass) -> str:
        """Returns the name of a pass: its window test and the result."""
        if each.root.window is None or each.root.window[1] >= INFINITY:
            return ""
        alpha, beta = each.root.window
        if beta - alpha == 1:
            sign = "≥" if self._sign(each.root) > 0 else "≤"
            question = f"{sign} {number(self._points(beta * self._sign(each.root)))}"
        else:  # an aspiration window
            question = f"∈ {self._range(each.root.window, each.root)}"
        return self.say("tree.pass", number=number_, question=question, value=self.value(each.root))

    def legend(self, roots: Iterable[TreeNode]) -> dict[str, str]:
        """Returns the meanings of the signs in the picture."""
        used = {kind for root in roots for node in root.walk() for kind in node.kinds}
        signs = [sign for sign in ("best", "cut", "table", "over", "more") if sign in used]
        return {sign: self.say(f"tree.legend-{sign}") for sign in signs}

    def bundle(self, nodes: int) -> str:
        """Returns the text of a node that stands for a number of other nodes."""
        return self.say("tree.stands-for", nodes=nodes)

    # --- about a node

    def tree(self, root: Node) -> TreeNode:
        """Returns a tree with its principal variation marked."""
        return self._tree_node(root, best=True, line="")

    def _tree_node(self, node: Node, best: bool, line: str) -> TreeNode:
        """Returns a node with its subtree; `line` has the moves that lead to the node."""
        children = [
            self._tree_node(child, best and index == node.best, f"{line} {child.move}".strip())
            for index, child in enumerate(node.children)
        ]
        if node.uncut:
            children.append(self._stub(node))
        return TreeNode(
            row="max" if self._sign(node) > 0 else "min",
            move=node.move,
            value=self.value(node),
            window=self._above(node),
            note=self._note(node),
            kinds=(*(("best",) if best else ()), *self._kinds(node)),
            position=node.position,
            entered=node.entered,
            left=node.left,
            step_texts=self._step_texts(node, line or self.say("tree.root")),
            children=children,
        )

    def _sign(self, node: Node) -> int:
        """Returns 1 if MAX moves, −1 if MIN does."""
        if node.position is None:  # a tree of numbers, in which the sides alternate
            return self.root if node.ply % 2 == 0 else -self.root
        start = self.recording.last[0].root.position
        return self.root if start is None or node.position.side == start.side else -self.root

    def _points(self, value: int) -> float:
        return value if abs(value) >= INFINITY else self.recording.points(value)

    def value(self, node: Node) -> str:
        """Returns the value of a node for MAX, with its bound, or the mean score."""
        sign = self._sign(node)
        if node.visits:
            return f"{node.score if sign > 0 else 1 - node.score:.2f}"
        low = (node.bound is Bound.LOWER) == (sign > 0)
        bound = "" if node.bound is Bound.EXACT else "≥ " if low else "≤ "
        return bound + number(self._points(sign * node.value))

    def _kinds(self, node: Node) -> tuple[str, ...]:
        ended = node.visits > 0 and not node.children and not node.uncut and node.proven
        return ("over",) if ended else _KINDS[node.ending]

    def _range(self, bounds: tuple[int, int], node: Node) -> str:
        """Returns two bounds as text, from MAX's view."""
        low, high = bounds if self._sign(node) > 0 else (-bounds[1], -bounds[0])
        return f"[{number(self._points(low))}, {number(self._points(high))}]"

    def _above(self, node: Node) -> str:
        """Returns the text above a node: its window, or its visits."""
        if node.visits:
            return f"{node.visits}×"
        return "" if node.window is None else self._range(node.window, node)

    def _note(self, node: Node) -> str:
        if node.fitness is not None:
            return self.say("tree.fitness", fitness=node.fitness)
        if node.proven:
            return self.say(
                f"tree.{node.proven if self._sign(node) > 0 else _opposite(node.proven)}"
            )
        if node.ending in (Ending.OVER, Ending.REPETITION, Ending.TABLE):
            return self.say(f"tree.{node.ending.value}")
        if node.first:
            return self.say("tree.first-move", move=node.first)
        return ""

    def _stub(self, node: Node) -> TreeNode:
        """Returns the figure's node for moves that were not searched."""
        moves = list(node.uncut[:_NAMED])
        if len(node.uncut) > len(moves):
            moves.append(f"+{len(node.uncut) - len(moves)}")
        if node.visits:
            note = self.say("tree.unvisited")
            count = len(node.uncut)
            return TreeNode(move=f"+{count}", note=note, kinds=("more",), branches=count)
        return TreeNode(
            move=" ".join(moves),
            note=self._reason(node),
            kinds=("cut",),
            entered=node.left,
            left=node.left,
            step_texts=("", f"{self._reason(node)}: {' '.join(node.uncut)}"),
        )

    def _reason(self, node: Node) -> str:
        """Returns the reason for a cutoff: `β-cut: 5 ≥ 3` if MAX moves, `α-cut: 2 ≤ 3` if MIN
        moves.
        """
        sign = self._sign(node)
        beta = node.window[1] if node.window else INFINITY
        if node.known is not None:
            beta = min(beta, node.known[1])
        name, relation = ("β", "≥") if sign > 0 else ("α", "≤")
        value, bound = (number(self._points(sign * number_)) for number_ in (node.value, beta))
        return self.say("tree.cut", name=name, value=value, relation=relation, bound=bound)

    def _step_texts(self, node: Node, line: str) -> tuple[str, str]:
        """Returns the texts for entering and leaving a node."""
        row = "MAX" if self._sign(node) > 0 else "MIN"
        words = {"move": line, "row": row, "value": self.value(node), "window": self._above(node)}
        if node.visits:
            entered = self.say("tree.visited", step=node.entered, **words)
            return entered, self.say("tree.mean", visits=node.visits, **words)
        left = self.say("tree.leaves", **words)
        if node.uncut:
            cut = self.say("tree.skips", reason=self._reason(node), moves=" ".join(node.uncut))
            left = f"{left} {cut}"
        if not node.children:
            why = self.say(f"tree.why-{node.ending.value or 'depth'}")
            return f"{left} {why}", f"{left} {why}"
        return self.say("tree.enters" if node.window else "tree.enters-plain", **words), left


def _lines(node: Node, moves: str = "") -> Iterator[tuple[str, Node]]:
    """Yields the moves of each chromosome below a node, with its leaf."""
    if node.fitness is not None:
        yield moves, node
    for child in node.children:
        yield from _lines(child, f"{moves} {child.move}".strip())


def _opposite(proven: str) -> str:
    """Returns a proven result from the view of the other side."""
    return {"won": "lost", "lost": "won"}.get(proven, proven)
