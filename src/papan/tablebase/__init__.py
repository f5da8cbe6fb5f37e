"""Tablebases: the result of every position that can be reached in a game."""
