"""Evaluations that are learnt by playing, for any game."""
