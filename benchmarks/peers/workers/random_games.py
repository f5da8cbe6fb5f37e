"""Random games of OpenSpiel, played in C++: `python -m … NAME SECONDS` prints their rate as JSON.

OpenSpiel's Python package has three C++ loops over complete games: the rollouts of its Monte Carlo
tree search, `evaluate_bots` with two random bots, and its tests. The rollouts are the fastest in
every game. A search with one simulation plays all rollouts from the root without a return to
Python.
"""

from __future__ import annotations

import json
import sys
import time

import pyspiel


def seconds_for(game: pyspiel.Game, games: int) -> float:
    """Returns the processor time of a number of random games from the start."""
    rollouts = pyspiel.RandomRolloutEvaluator(games, 1)
    searcher = pyspiel.MCTSBot(game, rollouts, 1.4, 1, 1, False, 1, False)
    state = game.new_initial_state()
    began = time.process_time()
    searcher.step(state)
    return time.process_time() - began


def rate(name: str, seconds: float) -> float:
    """Returns games per second; trials determine how many games fit into `seconds`."""
    game, count, taken, found = pyspiel.load_game(name), 1, 0.0, 0.0
    while taken < seconds / 2:
        taken = seconds_for(game, count)
        found = count / max(taken, 1e-6)
        count = max(2 * count, int(found * seconds))
    return found


if __name__ == "__main__":
    print(json.dumps({"rate": rate(sys.argv[1], float(sys.argv[2]))}))
