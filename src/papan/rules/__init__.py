"""The rules of games: operations and their dispatch, sets of squares, keys, reusable parts of
rules.
"""
