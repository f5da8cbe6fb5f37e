"""Slow, obvious oracles: the rules and the searches in the plainest Python there is.

Nothing here imports papan or numpy, so that a mistake in the package cannot hide here too.
"""
