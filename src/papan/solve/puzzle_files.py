"""Puzzle files: one puzzle per line, after a line that names the game.

    # platforms:size=4,level=2
    2222/2202/2212/2222 x b1 d3; b2; win 5; 3; 1

The fields are: position; move; outcome and plies; smallest depth at which plain search finds the
move (– if it never does); number of wrong moves with at least the same evaluation. `papan puzzles
GAME --output FILE` writes such files.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from papan.core.game import Game
from papan.data_files import read_limited, reading
from papan.errors import PapanError, UsageError
from papan.solve.puzzles import Puzzle
from papan.usercode.registry import known_game

_NONE = "–"
_PARTS = 5
#: Size limit of a file in bytes.
_LARGEST = 1 << 22


def line_of(puzzle: Puzzle) -> str:
    """Returns a puzzle as one line."""
    plies = "" if puzzle.plies is None else f" {puzzle.plies}"
    depth = _NONE if puzzle.depth is None else puzzle.depth
    facts = f"{puzzle.outcome}{plies}; {depth}; {puzzle.tempting}"
    return f"{puzzle.position}; {puzzle.move}; {facts}"


def text_of(game: str, puzzles: Iterable[Puzzle]) -> str:
    """Returns the text of a puzzle file for the game with that spec."""
    return "\n".join([f"# {game}", *map(line_of, puzzles), ""])


def spec_in(path: str | Path) -> str:
    """Returns the spec of the game in a puzzle file.

    Raises:
        UsageError: the file cannot be read, or names no game.
    """
    first = _lines(path)[0]
    if not first.startswith("# "):
        raise UsageError("puzzles.no-file", text=path)
    return first.removeprefix("# ").strip()


def read_puzzles(path: str | Path, game: Game | None = None) -> list[Puzzle]:
    """Reads the puzzles of a file; `game` replaces the game that the file names.

    Raises:
        UsageError: the file cannot be read, or a line is not a puzzle; the message names the line.
        InvalidSpec: the game does not exist, or is a game file that is not loaded.
    """
    known, puzzles = game or known_game(spec_in(path)), []
    for number, line in enumerate(_lines(path)[1:], start=2):
        if line.strip():
            puzzle = _read_puzzle(known, line)
            if puzzle is None:
                raise UsageError("puzzles.bad-line", text=path, number=number)
            puzzles.append(puzzle)
    return puzzles


def _lines(path: str | Path) -> list[str]:
    # An empty file has one empty line, so that the first line always exists.
    with reading(path, "puzzles.no-file", UsageError):
        return read_limited(path, _LARGEST).decode().splitlines() or [""]


def _read_puzzle(game: Game, line: str) -> Puzzle | None:
    """Returns the puzzle on a line; None if the line is invalid."""
    parts = [part.strip() for part in line.split(";")]
    if len(parts) != _PARTS:
        return None
    outcome, _, plies = parts[2].partition(" ")
    try:
        position = game.position(parts[0])
        numbers = [int(text) if text not in ("", _NONE) else None for text in (plies, *parts[3:])]
    except (PapanError, ValueError):
        return None
    if outcome not in ("win", "draw") or parts[1] not in position.moves():
        return None
    return Puzzle(position, parts[1], outcome, numbers[0], numbers[1], numbers[2] or 0)
