"""Pictures of games: boards as text and as SVG."""

from papan.figures.board import Style, board_svg
from papan.figures.highlights import Marks
from papan.figures.terminal_board import text_board

__all__ = ["Marks", "Style", "board_svg", "text_board"]
