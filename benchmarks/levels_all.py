"""Measures the package's levels again: `python -m benchmarks.levels_all [GAME …]`.

With one worker and a number of games, the same seed plays the same games on every machine. An
interrupted measurement continues.
"""

from __future__ import annotations

import sys

from papan.cli import main
from papan.learn.weights import FOLDER
from papan.players.level_file import ENDING

#: Game → number of games between two neighbouring levels.
GAMES = {
    "connect_four": 64,
    "tictactoe": 64,
    "platforms": 64,
    "adjacency": 32,
    "othello": 48,
    "breakthrough": 48,
    "corners": 32,
    "hex": 32,
    "kalah": 32,
    "gomoku": 32,
    "clobber": 32,
    "dots_and_boxes": 32,
}
SEED = 1


def measure(game: str) -> int:
    """Measures a game's levels into the package; returns the exit status."""
    FOLDER.mkdir(exist_ok=True)
    out = FOLDER / f"{game}{ENDING}"
    words = f"levels {game} --games {GAMES[game]} --seed {SEED} --out {out}"
    return main(words.split())


if __name__ == "__main__":
    sys.exit(max(map(measure, sys.argv[1:] or GAMES)))
