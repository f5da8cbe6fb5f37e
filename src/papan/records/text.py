"""The text form of game records: headers and moves, after the Portable Game Notation of chess.

    [Game "adjacency:rounds=8"]
    [X "minimax:depth=4"]
    [O "random"]
    [Result "x"]
    [Termination "rules"]
    [Position "6oo/6oo/8/8/8/8/xx6/xx6 x 16"]

    1. f8 c4 2. f7 d5 …

Games are separated by an empty line. `Result` is `x`, `o`, `draw` or `*` for a game broken off.
Text in a header escapes `"` and `\\` with a backslash.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

_WIDTH = 79


def write_record(headers: Mapping[str, object], moves: Sequence[str]) -> str:
    """A game as text, ending in an empty line."""
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    numbered = [
        f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(moves)
    ]
    wrapped = textwrap.wrap(" ".join(numbered), _WIDTH, break_long_words=False)
    return "\n".join([*lines, "", *wrapped, *([""] if wrapped else []), ""])


def _escape(value: object) -> str:
    """A header's value on one line, its quotes marked."""
    text = " ".join(str(value).split())
    return text.replace("\\", "\\\\").replace('"', '\\"')
