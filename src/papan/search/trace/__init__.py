"""Searches that write down every step, to be looked at.

record      what is written down: nodes, passes, the whole trace
kernels     the searches of the same names in plain Python: slow, and step by step the same
algorithms  the algorithms with those kernels in place of the compiled ones
mcts        Monte-Carlo tree search, watched after each simulation
given       minimax and alpha–beta on trees of given numbers

That a trace is the real tree is tested: value, principal variation and number of nodes are those
of the compiled search on many positions.
"""

from papan.search.trace.algorithms import ALGORITHMS, trace
from papan.search.trace.number_tree import Numbers, trace_numbers
from papan.search.trace.record import MOST_NODES, Node, Pass, Trace

__all__ = ["ALGORITHMS", "MOST_NODES", "Node", "Numbers", "Pass", "Trace", "trace", "trace_numbers"]
