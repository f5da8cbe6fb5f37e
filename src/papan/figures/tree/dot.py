"""Trees in the language of Graphviz."""

from __future__ import annotations

from papan.figures.tree.model import TreeFigure, TreeNode

_LOOKS = {
    "cut": 'shape=plaintext, fontcolor="#a3241a"',
    "more": "shape=folder, style=dashed",
    "table": 'style=dashed, color="#8450a8"',
    "over": "peripheries=2",
}


def tree_dot(figure: TreeFigure) -> str:
    """Returns the trees of a figure as a `digraph`; MAX nodes are boxes, MIN nodes ellipses."""
    lines = ["digraph tree {", f"  label={_quote(_title(figure))};", "  labelloc=t;"]
    lines += ['  node [fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    for number, (name, root) in enumerate(figure.trees):
        lines.append(f"  subgraph cluster_{number} {{ label={_quote(name)};")
        _write(root, f"n{number}", lines)
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _title(figure: TreeFigure) -> str:
    return "\n".join([figure.title, *figure.facts])


def _write(node: TreeNode, name: str, lines: list[str]) -> None:
    """Writes a node and the edges to its descendants."""
    lines.append(f"    {name} [label={_quote(_label(node))}, {_look(node)}];")
    for number, child in enumerate(node.children):
        below = f"{name}_{number}"
        _write(child, below, lines)
        look = "dashed" if "cut" in child.kinds else "bold" if child.is_best else "solid"
        label = "" if {"cut", "more"} & set(child.kinds) else child.move
        lines.append(f"    {name} -> {below} [label={_quote(label)}, style={look}];")


def _label(node: TreeNode) -> str:
    hidden = f"+{node.stands_for} ⋯" if node.stands_for and "more" not in node.kinds else ""
    stub = node.move if {"cut", "more"} & set(node.kinds) else ""
    board = "" if node.position is None else str(node.position)
    return "\n".join(filter(None, [stub, board, node.window, node.value, node.note, hidden]))


def _look(node: TreeNode) -> str:
    special = [_LOOKS[kind] for kind in node.kinds if kind in _LOOKS]
    shape = [] if any("shape=" in look for look in special) else [_shape(node)]
    return ", ".join([*shape, *special])


def _shape(node: TreeNode) -> str:
    return "shape=ellipse" if node.row == "min" else "shape=box"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
