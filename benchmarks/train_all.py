"""Trains the package's weights again: `python -m benchmarks.train_all [GAME …]`.

With one worker and a number of games, the same seed gives the same weights on every machine with
the same arithmetic. An interrupted training continues.
"""

from __future__ import annotations

import sys

from papan.cli import main
from papan.learn.weights import ENDING, FOLDER, name_of
from papan.usercode import registry

#: Game → number of games of its training: about one minute of one processor.
GAMES = {
    "breakthrough": 60_000,
    "connect_four": 40_000,
    "othello": 80_000,
    "corners": 14_500,
}
SEED = 1


def train(game: str) -> int:
    """Trains a game's weights into the package; returns the exit status."""
    FOLDER.mkdir(exist_ok=True)
    out = FOLDER / f"{name_of(registry.game(game))}{ENDING}"
    words = f"train {game} --games {GAMES[game]} --seed {SEED} --out {out}"
    return main(words.split())


if __name__ == "__main__":
    sys.exit(max(map(train, sys.argv[1:] or GAMES)))
