"""What a game says: operations and their dispatch, sets of squares, keys, parts of rules."""
