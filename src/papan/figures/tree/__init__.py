"""Search trees as pictures.

model     a tree to draw, and the summary of a large tree
layout    positions of the nodes
draw      the picture
page      a page with steps forward and back
dot       output for Graphviz
"""
