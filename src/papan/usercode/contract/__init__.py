"""The invariants of games, checked on random games."""
