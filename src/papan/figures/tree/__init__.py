"""Trees of a search as pictures.

model     a tree to be drawn, and how a large one is summarised
layout    where its nodes stand
draw      the picture
page      a page of its own, with steps forward and back
dot       the same for Graphviz
"""

from papan.figures.tree.dot import tree_dot
from papan.figures.tree.draw import tree_svg
from papan.figures.tree.model import TreeFigure, TreeNode
from papan.figures.tree.page import tree_page, tree_section

__all__ = ["TreeFigure", "TreeNode", "tree_dot", "tree_page", "tree_section", "tree_svg"]
