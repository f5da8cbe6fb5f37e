"""Solvers: proven values of positions, and puzzles made from them."""
