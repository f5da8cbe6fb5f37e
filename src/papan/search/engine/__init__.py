"""The engine: what one thread searches, how several share it, and the algorithm around both."""

from papan.search.engine.algorithm import Engine, root_moves

__all__ = ["Engine", "root_moves"]
