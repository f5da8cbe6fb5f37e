"""Trees of a search as pictures.

model     a tree to be drawn, and how a large one is summarised
layout    where its nodes stand
draw      the picture
page      a page of its own, with steps forward and back
dot       the same for Graphviz
"""
