"""Draws the trees of `docs/trees.md`: `python examples/trees/draw.py [FOLDER]`.

Two of them are figures of the paper on Platforms (Permainan Papan Strategi), drawn again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import papan
from papan.figures.tree.draw import tree_svg
from papan.figures.tree.model import TreeFigure
from papan.figures.tree.page import tree_page
from papan.tree_figure import number_tree, tree

FOLDER = Path(__file__).parents[2] / "docs" / "trees"

#: The paper gives the first leaves (5, 2, 1, 3) and the root's value 6; the other leaves are chosen
#: accordingly.
FIRST_FIGURE = [[[5, 2], [1, 3]], [[6, 2], [0, 7]]]


def first_figure() -> TreeFigure:
    """Returns minimax on numbers: the first figure of the paper on Platforms."""
    return number_tree(FIRST_FIGURE, title="Minimax: MAX takes the largest value, MIN the smallest")


def pruned_figure() -> TreeFigure:
    """Returns alpha–beta on numbers: 4 and 6 are skipped, since 2 is bad enough for MAX."""
    return number_tree(
        [[3, 12, 8], [2, 4, 6], [14, 5, 2]], "alphabeta", title="Alpha–beta: 4 and 6 change nothing"
    )


def platforms_figure() -> TreeFigure:
    """Returns Platforms 3×3 as in the paper: four plies, no pruning, values ±(1000 − level).

    The program is MAX and its opponent moves at the root. So losses are on odd levels and wins on
    even levels, like −997 and 998 in the paper.
    """
    position = papan.game("platforms").start()
    for move in ["a2", "c2", "b3"]:
        position = position.play(move)
    return tree(position, 4, "minimax", most=0, view="x")


def adjacency_figure(algorithm: str) -> TreeFigure:
    """Returns Adjacency 4×4, three plies, from an interesting position."""
    position = papan.game("adjacency:size=4").start().play("b3").play("b4")
    return tree(position, 3, algorithm)


def figures() -> dict[str, TreeFigure]:
    """Returns all figures by file name."""
    platforms = papan.game("platforms").start()
    return {
        "numbers-minimax": first_figure(),
        "numbers-alphabeta": pruned_figure(),
        "platforms-minimax": platforms_figure(),
        "adjacency-alphabeta": adjacency_figure("alphabeta"),
        "adjacency-mtdf": adjacency_figure("mtdf"),
        "adjacency-genetic": tree(
            papan.game("adjacency:size=4").start(), 4, "genetic:model=reservation-tree"
        ),
        "platforms-mcts": tree(platforms, 6, "mcts:simulations=100", most=30),
    }


#: Figures that are also written as a page with steps.
PAGES = ("adjacency-alphabeta",)


def main(folder: Path = FOLDER) -> None:
    """Writes each figure as a picture, and some as a page."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in figures().items():
        (folder / f"{name}.svg").write_text(f"{tree_svg(figure)}\n", encoding="utf-8")
        if name in PAGES:
            (folder / f"{name}.html").write_text(tree_page(figure), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
