"""Training of evaluations by self-play, for any game."""
