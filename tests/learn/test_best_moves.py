"""What is learnt chooses the moves that a tablebase of all positions calls the best."""

import random
from pathlib import Path

import pytest

import papan
from papan.core.game import Position
from papan.learn.training import Training, TrainingPlan
from papan.rules.operations import Evaluation
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.tablebase.lookup import Tablebase
from support import small_connect_four

#: Plies that are searched: too few to see the end of most games.
DEPTH = 6
#: How good a move is, by the outcome for the side that makes it.
_GOOD = {"loss": 0, "draw": 1, "win": 2}


def best_moves(tablebase: Tablebase, position: Position) -> set[str]:
    """The moves that lead to the best outcome; empty where all moves do."""
    worth = {move: _GOOD[value.outcome] for move, value in tablebase.moves(position).items()}
    best = {move for move, good in worth.items() if good == max(worth.values())}
    return set() if len(best) == len(worth) else best


def decisions(tablebase: Tablebase, count: int) -> dict[str, tuple[Position, set[str]]]:
    """Positions of random games in which it matters what is played, with the best moves."""
    chance, found = random.Random(1), dict[str, tuple[Position, set[str]]]()
    while len(found) < count:
        for _, position in tablebase.root.random_walk(chance):
            if position.outcome() is None and (best := best_moves(tablebase, position)):
                found[str(position)] = position, best
    return found


def share_of_best(asked: dict[str, tuple[Position, set[str]]], evaluation: Evaluation) -> float:
    """The share of positions in which the engine plays one of the best moves."""
    right = [
        search(
            position, Limit(depth=DEPTH), algorithm=algorithm("engine"), evaluation=evaluation
        ).move
        in best
        for position, best in asked.values()
    ]
    return sum(right) / len(right)


@pytest.mark.long
def test_a_small_connect_four_is_learnt_to_the_best_moves_of_its_tablebase(tmp_path: Path) -> None:
    """The shorter one is tic-tac-toe to perfect play, in `test_training`."""
    game = small_connect_four(4, 4, tmp_path)
    asked = decisions(papan.tablebase(game), 300)
    training = Training(game, TrainingPlan(games=20_000, seed=1))
    for _ in training.run():
        pass
    assert share_of_best(asked, game.strongest_evaluation) < 0.9
    assert share_of_best(asked, training.best.evaluation) >= 0.95
