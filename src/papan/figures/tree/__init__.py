"""Search trees as pictures.

model     a tree to draw, and the summary of a large tree
draw      the picture, and output for Graphviz
page      a page with steps forward and back
"""
