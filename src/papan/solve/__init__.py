"""Solvers: proven values of positions, and puzzles made of them."""
