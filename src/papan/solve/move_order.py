"""Which moves a solver tries first: measured for each game by a short trial.

Moves that leave few replies are often decided sooner. But to count the replies of every move takes
time, and in some games the counts say nothing. So positions of random games are searched in both
ways.
"""

from __future__ import annotations

import functools
from random import Random
from typing import TYPE_CHECKING

from papan.core.game import Game, Position
from papan.errors import Unsolved
from papan.rules.dispatch import is_replaced
from papan.rules.solving import solving_hint
from papan.search.limits import Limit
from papan.solve.base import Work

if TYPE_CHECKING:
    from papan.solve.null_window import NullWindowSolver

#: Number of random games of a trial, and their largest number of plies.
GAMES, LONGEST = 6, 100
#: Nodes of a position that is large enough to compare, and the most that are spent on one.
ENOUGH, MOST = 1_000, 20_000
#: Factor by which counting replies must reduce the nodes, because it makes each of them slower. In
#: large positions the factor is larger than in those of a trial.
LEAST_GAIN = 1.3


@functools.lru_cache(maxsize=64)
def prefers_few_replies(game: Game, solver: type[NullWindowSolver]) -> bool:
    """Returns whether a solver visits clearly fewer nodes if it first tries moves with few replies.

    Always False for a game with its own `solving_hint`.
    """
    if is_replaced(solving_hint, game.start_state()):
        return False
    counts = [_nodes_of_game(game, solver, Random(seed)) for seed in range(GAMES)]
    without, with_replies = (sum(column) for column in zip(*counts, strict=True))
    return without >= LEAST_GAIN * with_replies > 0


def _nodes_of_game(game: Game, solver: type[NullWindowSolver], chance: Random) -> tuple[int, int]:
    """Returns the nodes of the same work in a random game, without counting replies and with it.

    The work is done on the first position, counted from the end, that takes `ENOUGH` nodes.
    """
    path = [position for _, position in game.start().random_walk(chance, LONGEST)]
    for position in path[-3::-1]:
        steps, nodes = _trial(position, solver())
        if nodes >= ENOUGH:
            return nodes, _trial(position, solver(by_replies=True), steps)[1]
    return 0, 0


def _trial(position: Position, solver: NullWindowSolver, steps: int = -1) -> tuple[int, int]:
    """Returns the number of tests that closed in on a value, and their nodes.

    The trial ends after a number of tests, by default with `ENOUGH` nodes.
    """
    work, taken = Work(position, limit=Limit(nodes=MOST)), 0
    try:
        for _ in solver.close_in(work, position.state, 0):
            taken += 1
            if taken == steps or (steps < 0 and work.nodes >= ENOUGH):
                break
    except Unsolved:  # the test that took the last nodes counts, too
        taken += 1
    return taken, work.nodes
