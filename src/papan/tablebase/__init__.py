"""Tablebases: the result of every reachable position of a game."""
