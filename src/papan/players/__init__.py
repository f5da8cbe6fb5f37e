"""Participants: random, searching, learning, human and external ones."""
