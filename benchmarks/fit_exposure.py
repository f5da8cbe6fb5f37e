"""Fits the weights of Adjacency's evaluation `Exposure` and writes them into the package.

The fit goes backwards from the end of the game. Positions with few plies left are solved exactly;
others are valued by a search that evaluates leaves with the weights fitted so far. Each stage
(plies left, share of the empty squares that they fill) is a linear regression on the number of
pieces by empty neighbours, regularised towards the weights of the previous stage.

    python -m benchmarks.fit_exposure --positions 1000
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from papan.core.game import Position
from papan.engine import Engine, root_moves
from papan.games.adjacency import Adjacency, evaluation
from papan.games.adjacency.evaluation import FEATURES, QUARTERS, UNIT, exposures, quarter_of
from papan.games.adjacency.rules import NEIGHBOURS, AdjacencyState
from papan.rules.bits import popcount
from papan.rules.operations import INFINITY, evaluate, play, unit
from papan.search.algorithm import Task
from papan.search.alphabeta.order import begin_ordering
from papan.search.limits import Limit, Stop

STAGES = (*range(1, 9), *range(9, 15), 16, 17, 20, 21, 26, 27, 32, 33, 40, 41, 48, 49)
EXACT = 6  # maximum plies left for a search to the end
DEPTH = 4  # search depth otherwise; even, so that leaves have the parity of the root
GREED = 0.7  # share of moves that take the most pieces; the others are random
RIDGE = 30.0  # weight of the previous stage, in positions
MOST_EMPTY = 56


class Fitted(NamedTuple):
    """`Exposure` with weights that are being fitted: int64 of shape (65, 5, 11)."""

    weights: np.ndarray


@unit.register(Fitted)
def _(evaluation: Fitted) -> int:
    return UNIT


@evaluate.register(Fitted)
def _(evaluation: Fitted, state: AdjacencyState) -> int:
    weights = evaluation.weights[state.plies_left, quarter_of(state)]
    value = weights[2 * QUARTERS]
    for count, squares in enumerate(exposures(state.empty)):
        value += weights[count] * popcount(state.mine & squares)
        value += weights[QUARTERS + count] * popcount(state.theirs & squares)
    return int(value)


def features(state: AdjacencyState) -> list[int]:
    """Returns the factors of the weights."""
    planes = exposures(state.empty)
    mine = [popcount(state.mine & plane) for plane in planes]
    return [*mine, *(popcount(state.theirs & plane) for plane in planes), 1]


def sample(chance: random.Random, empties: int, plies: int) -> AdjacencyState:
    """Returns a position with a number of empty squares from a game of greedy and random moves."""
    state = Adjacency().start_state()
    for _ in range(MOST_EMPTY - empties):
        squares = [s for s in range(64) if int(state.empty) >> s & 1]
        chance.shuffle(squares)
        if chance.random() < GREED:
            squares.sort(key=lambda s: -popcount(np.uint64(NEIGHBOURS[s] & state.theirs)))
        state = play(state, squares[0])
    return state._replace(plies_left=plies)


def value_of(engine: Engine, state: AdjacencyState, weights: np.ndarray) -> float:
    """Returns the value of a position in pieces, by search."""
    task = Task(Position(Adjacency(), state), Fitted(weights), Limit(), Stop())
    begin_ordering(task.workspace)
    depth = state.plies_left if state.plies_left <= EXACT else DEPTH
    value = 0
    for step in range(2 - depth % 2, depth + 1, 2):
        value = engine.root_value(task, step, (-INFINITY, INFINITY), root_moves(task))
    return value / UNIT


def fit(
    stage: tuple[int, int], positions: int, weights: np.ndarray, prior: np.ndarray, seed: int
) -> tuple[np.ndarray, float] | None:
    """Returns the weights of one stage in pieces, and the remaining error (RMS, in pieces)."""
    plies, quarter = stage
    chance = random.Random(seed * 10_007 + 64 * plies + quarter)
    least = plies if quarter == 4 else (4 * plies) // (quarter + 1) + 1
    most = min(MOST_EMPTY, plies if quarter == 4 else 4 * plies // quarter if quarter else 56)
    if least > most:
        return None
    engine = Engine(hash=4.0)
    rows, values = [], []
    for _ in range(positions):
        state = sample(chance, chance.randint(least, most), plies)
        rows.append(features(state))
        engine.forget()
        values.append(value_of(engine, state, weights))
    x, y = np.array(rows, dtype=float), np.array(values)
    pull = RIDGE * np.eye(FEATURES)
    found = np.linalg.solve(x.T @ x + pull, x.T @ y + pull @ prior)
    return found, float(np.sqrt(np.mean((x @ found - y) ** 2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000, help="positions a stage")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    anchors: dict[tuple[int, int], tuple[int, ...]] = {}
    settled = np.array([1.0] * QUARTERS + [-1.0] * QUARTERS + [1.0])
    for plies in STAGES:
        for quarter in range(QUARTERS):
            weights = evaluation.expand(anchors)
            near = [p for p, q in anchors if q == quarter and p % 2 == plies % 2]
            prior = np.array(anchors[max(near), quarter]) / UNIT if near else settled
            began = time.time()
            found = fit((plies, quarter), arguments.positions, weights, prior, arguments.seed)
            if found is not None:
                anchors[plies, quarter] = tuple(int(w) for w in np.rint(found[0] * UNIT))
                row = anchors[plies, quarter]
                print(
                    f"{plies:2} {quarter} error {found[1]:.2f} {time.time() - began:.0f} s {row}",
                    flush=True,
                )
    write(anchors)


def write(anchors: dict[tuple[int, int], tuple[int, ...]]) -> None:
    """Replaces the weights of the package."""
    path = Path(evaluation.__file__).with_name("exposure_weights.py")
    head = path.read_text().split("ANCHORS")[0]
    rows = "".join(f"    {stage}: {row},\n" for stage, row in anchors.items())
    path.write_text(f"{head}ANCHORS: dict[tuple[int, int], tuple[int, ...]] = {{\n{rows}}}\n")


if __name__ == "__main__":
    main()
