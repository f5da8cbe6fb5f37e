"""Papan beside other Python libraries on the same work: `make bench-peers`.

The others are installed in an environment of their own and run in processes of their own
(`workers`); nothing of Papan imports them, and they import nothing of Papan. All play one form of
Adjacency's rules in plain Python (`workers/board.py`), the quickest that could be found for them.
"""
