"""Databases of games: the result of every position that can be reached."""
