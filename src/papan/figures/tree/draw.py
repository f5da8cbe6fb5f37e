"""The picture of a tree: rows of MAX and MIN nodes with boards and values.

a node, from the top    window · board · value · note
an edge                 ends at its child with the move

`tree_dot` writes the same trees for Graphviz.
"""

from __future__ import annotations

from dataclasses import dataclass

from papan.figures.board import Layout, Marks, Style, small_board
from papan.figures.highlights import squares_of
from papan.figures.palette import look_class, look_of
from papan.figures.svg import Markup, Picture, classes, drawing, element, join_elements
from papan.figures.theme import tree_rules
from papan.figures.tree.model import TreeFigure, TreeNode

_MARGIN = 20
#: Width of the column with the words MAX and MIN.
_SIDES = 56
_HEADING, _FACT = 30, 18
_TREE_HEADING = 26
_LEGEND = 20
#: Width of a board at a node.
_BOARD = 76
_GAP = 16
_WINDOW, _VALUE, _NOTE = 16, 24, 14
#: Height of the edges between two rows.
_EDGES = 46
_SHAPE = 19  # radius of a node without a board
#: Approximate widths of a letter of a note, a fact and the heading.
_LETTER, _FACT_LETTER, _HEADING_LETTER = 5.6, 6.6, 9.6


@dataclass(frozen=True)
class Sizes:
    """Sizes of the nodes of a picture."""

    node: float
    board: float
    value: float = _VALUE

    @property
    def band(self) -> float:
        """Height of the nodes of a row."""
        return _WINDOW + self.board + self.value + _NOTE

    @property
    def row(self) -> float:
        """Distance between two rows."""
        return self.band + _EDGES


def sizes_for(figure: TreeFigure) -> Sizes:
    """Returns sizes for the contents of the nodes."""
    positions = [node.position for _, root in figure.trees for node in root.walk() if node.position]
    if not positions:
        return Sizes(node=64, board=2 * _SHAPE, value=0)
    layout = Layout(positions[0].game.board, coordinates=False)
    return Sizes(node=_BOARD + _GAP, board=_BOARD * layout.height / layout.width)


def look_of_figure(figure: TreeFigure) -> str:
    """Returns the look of the boards in a figure."""
    nodes = (node for _, root in figure.trees for node in root.walk())
    return next((look_of(node.position.game) for node in nodes if node.position), "plain")


def tree_svg(figure: TreeFigure, *, style: Style = Style()) -> Picture:  # noqa: B008 # immutable
    """Returns the trees of a figure, one below the other."""
    sizes = sizes_for(figure)
    places = [columns(root) for _, root in figure.trees]
    widest = max(max(place.values()) for place in places) + 1
    lines = [_HEADING_LETTER * len(figure.title), *(_FACT_LETTER * len(it) for it in figure.facts)]
    width = max(2 * _MARGIN + _SIDES + widest * sizes.node, 2 * _MARGIN + max(lines), 460)
    top: float = _MARGIN + _HEADING + _FACT * len(figure.facts)
    parts = _heading(figure)
    for (name, root), place in zip(figure.trees, places, strict=True):
        if len(figure.trees) > 1:
            parts.append(_text(name, _MARGIN, top + 14, "start"))
            top += _TREE_HEADING
        parts += _tree(root, place, (figure, sizes, style), (top, width))
        top += len(rows(root)) * sizes.row
    parts += _legend(figure, top + 14)
    total = top + _MARGIN + _LEGEND * len(figure.legend)
    paper = element("rect", class_="paper", width=width, height=total)
    rules = tree_rules(style.theme, look_of_figure(figure)) if style.standalone else ""
    return drawing(
        "papan-tree",
        (width, total),
        paper,
        *parts,
        title=figure.title,
        rules=rules,
        theme=style.theme,
        size=width,
    )


def _heading(figure: TreeFigure) -> list[Markup]:
    parts = [_text(figure.title, _MARGIN, _MARGIN + 14, "heading")]
    for number, fact in enumerate(figure.facts):
        parts.append(_text(fact, _MARGIN, _MARGIN + _HEADING + 4 + _FACT * number, "fact"))
    return parts


def _legend(figure: TreeFigure, top: float) -> list[Markup]:
    """Returns the meanings of the signs, each with an example."""
    parts = []
    for number, (name, words) in enumerate(figure.legend.items()):
        y = top + _LEGEND * number
        line = f"M{_MARGIN} {y:g}h30"
        if name in ("table", "over"):
            frame = element("rect", class_="outline", x=_MARGIN, y=y - 7, width=30, height=14, rx=4)
            parts.append(element("g", frame, class_=name))
        else:
            parts.append(element("path", class_=f"edge {name}", d=line))
        parts.append(_text(words, _MARGIN + 40, y + 4, "fact"))
    return parts


def _tree(
    root: TreeNode,
    place: dict[int, float],
    how: tuple[TreeFigure, Sizes, Style],
    where: tuple[float, float],
) -> list[Markup]:
    """Returns one tree with the backgrounds of its rows."""
    figure, sizes, style = how
    top, _ = where
    edges: list[Markup] = []
    nodes: list[Markup] = []

    def middle(node: TreeNode) -> float:
        return _MARGIN + _SIDES + (place[id(node)] + 0.5) * sizes.node

    def draw(node: TreeNode, y: float) -> None:
        nodes.append(_node(node, (middle(node), y), sizes, style))
        for child in node.children:
            start = (
                middle(node),
                y + sizes.band - (0 if node.note or node.stands_for else _NOTE) + 2,
            )
            edges.append(_edge(child, start, (middle(child), y + sizes.row)))
            draw(child, y + sizes.row)

    draw(root, top)
    return [*_bands(root, figure, sizes, where), join_elements(edges), join_elements(nodes)]


def _bands(
    root: TreeNode, figure: TreeFigure, sizes: Sizes, where: tuple[float, float]
) -> list[Markup]:
    """Returns a tinted band for each row, with the side to move."""
    top, width = where
    parts = []
    for number, row in enumerate(rows(root)):
        # If a side may move again, a row can have both sides to move; it gets no name then.
        names = {node.row for node in row if _decides(node)}
        name = names.pop() if len(names) == 1 else ""
        y, tall = top + number * sizes.row, sizes.band + 8
        parts.append(
            element("rect", class_=f"band {name}", x=8, y=y, width=width - 16, height=tall, rx=8)
        )
        words = figure.words.get(name, name.upper())
        parts.append(_text(words, _MARGIN, y + tall / 2, f"side {name}"))
    return parts


def _decides(node: TreeNode) -> bool:
    """Returns True if a side chooses among moves at a node."""
    return not {"depth", "over", "cut", "more"} & set(node.kinds)


def _edge(child: TreeNode, start: tuple[float, float], end: tuple[float, float]) -> Markup:
    """Returns the line to a child, a curve with vertical ends."""
    half = (start[1] + end[1]) / 2
    line = (
        f"M{start[0]:.1f} {start[1]:.1f}"
        f"C{start[0]:.1f} {half:.1f} {end[0]:.1f} {half:.1f} {end[0]:.1f} {end[1]:.1f}"
    )
    kinds = [kind for kind in child.kinds if kind in ("best", "cut", "more")]
    return element("path", class_=classes("edge", *kinds), d=line, **_steps(child))


def _steps(node: TreeNode) -> dict[str, str | None]:
    """Returns the steps at which a node is entered and left, as attributes for the page."""
    if not node.entered:
        return {}
    return {"data_entered": str(node.entered), "data_left": str(node.left)}


def _node(node: TreeNode, at: tuple[float, float], sizes: Sizes, style: Style) -> Markup:
    """Returns a node with its board and texts."""
    x, y = at
    if {"cut", "more"} & set(node.kinds):
        parts = _stub(node, x, y, sizes)
    else:
        parts = [*_body(node, x, y, sizes, style), *_node_lines(node, x, y, sizes)]
    tip = [element("title", node.step_texts[1])] if node.step_texts[1] else []
    return element("g", *tip, *parts, class_=classes("knot", *node.kinds), **_steps(node))


def _body(node: TreeNode, x: float, y: float, sizes: Sizes, style: Style) -> list[Markup]:
    """Returns the board, or the value in a shape."""
    top = y + _WINDOW
    if node.position is None:
        return [*_shape(node, x, top + _SHAPE), _text(node.value, x, top + _SHAPE + 5, "value")]
    layout = Layout.of(node.position.game, coordinates=False)
    scale = sizes.board / layout.height
    left = x - layout.width * scale / 2
    last = squares_of(node.position, node.move)
    board = small_board(node.position, Marks(last=last), style)
    edge = element(
        "rect",
        class_="outline",
        x=left - 3,
        y=top - 3,
        width=layout.width * scale + 6,
        height=sizes.board + 6,
        rx=5,
    )
    place = f"translate({left:.1f} {top:g}) scale({scale:.4f})"
    name = f"papan-board{look_class(layout.look)}"
    return [element("g", board, class_=name, transform=place), edge]


def _shape(node: TreeNode, x: float, y: float) -> list[Markup]:
    r = _SHAPE
    if not node.children and "depth" in node.kinds:
        box = {"x": x - r, "y": y - r + 3, "width": 2.0 * r, "height": 2.0 * r - 6}
        return [
            element("rect", class_="shape", rx=4, **box),
            element("rect", class_="outline", rx=6, **box),
        ]
    circle = {"cx": x, "cy": y, "r": float(r)}
    return [
        element("circle", class_="shape", **circle),
        element("circle", class_="outline", **circle),
    ]


def _node_lines(node: TreeNode, x: float, y: float, sizes: Sizes) -> list[Markup]:
    """Returns window and move above the node, and value and note below it."""
    below = y + _WINDOW + sizes.board
    parts = []
    if node.move:
        parts.append(_text(node.move, x, y - 4, "move"))
    if node.window:
        parts.append(_text(node.window, x, y + 11, "window"))
    if node.value and node.position is not None:
        wide = max(34, 8.5 * len(node.value) + 12)
        box = element(
            "rect", class_="pill", x=x - wide / 2, y=below + 5, width=wide, height=19, rx=9.5
        )
        parts += [box, _text(node.value, x, below + 19, "value")]
    note = node.note
    if node.stands_for:
        note = f"{note} +{node.stands_for} ⋯".strip()
    if note:
        parts.append(_note(note, x, below + sizes.value + 11, sizes.node))
    return parts


def _stub(node: TreeNode, x: float, y: float, sizes: Sizes) -> list[Markup]:
    """Returns the sign of branches that were never searched or are not drawn."""
    if "cut" in node.kinds:
        cross = element("path", class_="cross", d=f"M{x - 7:g} {y + 4:g}l14 14m0 -14l-14 14")
        return [
            cross,
            *_wrap(node.move, x, y + 36, sizes.node, "move"),
            _note(node.note, x, y + 36 + 14 * len(_lines(node.move, sizes.node)), sizes.node),
        ]
    box = element("rect", class_="bundle", x=x - 30, y=y + 6, width=60, height=36, rx=8)
    behind = element("rect", class_="bundle", x=x - 26, y=y + 2, width=60, height=36, rx=8)
    return [behind, box, _text(node.move, x, y + 22, "move"), _note(node.note, x, y + 36, 60)]


def _lines(text: str, width: float) -> list[str]:
    """Splits a text into lines that fit a node's width."""
    lines = [""]
    for word in text.split():
        if lines[-1] and _LETTER * 1.25 * len(f"{lines[-1]} {word}") > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _wrap(text: str, x: float, y: float, width: float, name: str) -> list[Markup]:
    return [
        _text(line, x, y + 14 * number, name) for number, line in enumerate(_lines(text, width))
    ]


def _note(text: str, x: float, y: float, width: float) -> Markup:
    """Returns a note, squeezed if it is too wide."""
    squeezed = width if _LETTER * len(text) > width else None
    adjust = "spacingAndGlyphs" if squeezed else None
    return element("text", text, class_="note", x=x, y=y, textLength=squeezed, lengthAdjust=adjust)


def _text(text: str, x: float, y: float, name: str) -> Markup:
    return element("text", text, class_=name, x=x, y=y)


# --- positions of the nodes

#: Leftmost and rightmost position in each row.
Outline = list[tuple[float, float]]


def columns(root: TreeNode) -> dict[int, float]:
    """Returns the horizontal position of each node (by `id`), in node widths; the leftmost is 0.

    Each parent is centred above its children, and subtrees are pushed together until they touch
    (after Reingold & Tilford, "Tidier drawings of trees", 1981).
    """
    places: dict[int, float] = {}
    _spread(root, places)
    least = min(places.values())
    return {key: place - least for key, place in places.items()}


def _spread(node: TreeNode, places: dict[int, float]) -> Outline:
    """Places a node at 0 with its descendants around it; returns the outline of the subtree."""
    merged: Outline = []
    offsets: list[float] = []
    for child in node.children:
        outline = _spread(child, places)
        gaps = [old[1] - new[0] + 1.0 for old, new in zip(merged, outline, strict=False)]
        shift = max(gaps, default=0.0)
        offsets.append(shift)
        merged = _join_outlines(merged, [(low + shift, high + shift) for low, high in outline])
    middle = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
    for child, offset in zip(node.children, offsets, strict=True):
        for inner in child.walk():
            places[id(inner)] += offset - middle
    places[id(node)] = 0.0
    return [(0.0, 0.0), *((low - middle, high - middle) for low, high in merged)]


def _join_outlines(old: Outline, new: Outline) -> Outline:
    """Returns the outline of two neighbouring subtrees."""
    both = [(left[0], right[1]) for left, right in zip(old, new, strict=False)]
    shorter = len(both)
    return [*both, *old[shorter:], *new[shorter:]]


def rows(root: TreeNode) -> list[list[TreeNode]]:
    """Returns the nodes row by row."""
    levels = [[root]]
    while below := [child for node in levels[-1] for child in node.children]:
        levels.append(below)
    return levels


# --- Graphviz

_LOOKS = {
    "cut": 'shape=plaintext, fontcolor="#a3241a"',
    "more": "shape=folder, style=dashed",
    "table": 'style=dashed, color="#8450a8"',
    "over": "peripheries=2",
}


def tree_dot(figure: TreeFigure) -> str:
    """Returns the trees of a figure as a `digraph`; MAX nodes are boxes, MIN nodes ellipses."""
    lines = ["digraph tree {", f"  label={_quote(_dot_title(figure))};", "  labelloc=t;"]
    lines += ['  node [fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    for number, (name, root) in enumerate(figure.trees):
        lines.append(f"  subgraph cluster_{number} {{ label={_quote(name)};")
        _write(root, f"n{number}", lines)
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _dot_title(figure: TreeFigure) -> str:
    return "\n".join([figure.title, *figure.facts])


def _write(node: TreeNode, name: str, lines: list[str]) -> None:
    """Writes a node and the edges to its descendants."""
    lines.append(f"    {name} [label={_quote(_dot_label(node))}, {_look(node)}];")
    for number, child in enumerate(node.children):
        below = f"{name}_{number}"
        _write(child, below, lines)
        look = "dashed" if "cut" in child.kinds else "bold" if child.is_best else "solid"
        label = "" if {"cut", "more"} & set(child.kinds) else child.move
        lines.append(f"    {name} -> {below} [label={_quote(label)}, style={look}];")


def _dot_label(node: TreeNode) -> str:
    hidden = f"+{node.stands_for} ⋯" if node.stands_for and "more" not in node.kinds else ""
    stub = node.move if {"cut", "more"} & set(node.kinds) else ""
    board = "" if node.position is None else str(node.position)
    return "\n".join(filter(None, [stub, board, node.window, node.value, node.note, hidden]))


def _look(node: TreeNode) -> str:
    special = [_LOOKS[kind] for kind in node.kinds if kind in _LOOKS]
    shape = [] if any("shape=" in look for look in special) else [_dot_shape(node)]
    return ", ".join([*shape, *special])


def _dot_shape(node: TreeNode) -> str:
    return "shape=ellipse" if node.row == "min" else "shape=box"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
