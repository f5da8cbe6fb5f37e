"""Boards: geometry, pieces, symmetries, and the places that have won."""
