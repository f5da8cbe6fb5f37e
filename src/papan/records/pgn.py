"""Portable Game Notation, for games with a notation of books (`Game.book_move`), such as chess.

Source: Edwards, "Standard: Portable Game Notation Specification and Implementation Guide", 1994.
"""

from __future__ import annotations

import re

from papan.core.game import Position
from papan.errors import RecordError
from papan.records.model import Record
from papan.records.text import number_moves, wrap_moves

_HEADER = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)
#: Comments in braces or up to the end of the line, and numeric annotations.
_REMARKS = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")

#: Results of records as PGN writes them.
RESULTS = {"x": "1-0", "o": "0-1", "draw": "1/2-1/2", "*": "*"}


def write_pgn(record: Record, start: Position, moves_text: str = "") -> str:
    """Returns a game as PGN that ends with an empty line.

    Args:
        record: the game.
        start: its first position.
        moves_text: the moves with their variations; by default the moves of the record.
    """
    date = record.played[:10].replace("-", ".") or "????.??.??"
    headers = {
        "Event": record.event or "?",
        "Site": "?",
        "Date": date,
        "Round": str(record.round) if record.round else "?",
        "White": record.x,
        "Black": record.o,
        "Result": RESULTS[record.result],
    }
    if record.start:
        headers |= {"SetUp": "1", "FEN": record.start}
    numbered = moves_text or number_moves(start.book_line(record.moves))
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    moves = wrap_moves(f"{numbered} {headers['Result']}")
    return "\n".join([*lines, "", *moves, "", ""])


def _escape(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def is_pgn(text: str) -> bool:
    """Returns whether a text begins with headers of PGN and not with those of a record."""
    names = _HEADER.findall(text.partition("\n\n")[0])
    return bool(names) and "Game" not in dict(names)


def read_pgn(text: str) -> tuple[str, str]:
    """Returns the first position line (empty for the start of the game) and the text of the moves
    of the first game, without remarks.

    Raises:
        RecordError: a line before the moves is not a header.
    """
    headers, _, rest = text.replace("\r\n", "\n").strip().partition("\n\n")
    for line in headers.splitlines():
        if not _HEADER.fullmatch(line.strip()):
            raise RecordError("record.header", text=line[:80])
    moves = _REMARKS.sub(" ", rest.partition("\n[")[0])
    return dict(_HEADER.findall(headers)).get("FEN", ""), moves
