"""Monte Carlo tree search: the tree, the playouts, the walk through both, and the algorithm."""
