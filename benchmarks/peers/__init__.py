"""Compares Papan with other Python libraries on the same tasks: `make bench-peers`.

The other libraries are installed in their own environment and run in their own processes
(`workers`). Papan does not import them, and they do not import Papan. All of them use one
implementation of Adjacency in plain Python (`workers/board.py`), the fastest that we found.
"""
