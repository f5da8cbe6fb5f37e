"""Pictures of games: boards as text."""

from papan.figures.text import text_board

__all__ = ["text_board"]
