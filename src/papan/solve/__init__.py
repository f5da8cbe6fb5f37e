"""Solvers: proven values of positions, and puzzles."""
