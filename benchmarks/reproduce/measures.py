"""Measures that need no matches: the Corners program's time and nodes, and the wins
that depth 4 throws away in Platforms.

Each measure is a function of plain numbers that returns what JSON can hold, so that any process
can take it and a file can keep it.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from typing import Any

from papan.core.game import Position
from papan.errors import Unsolved
from papan.players.base import Player
from papan.players.registry import player
from papan.search.limits import Limit
from papan.solve.base import Solution
from papan.solve.solve import prepare, solve
from papan.usercode import registry

from .plan import OPENING_PLIES, PLATFORMS_PLAYER

#: The depth of the games whose positions Corners is measured at.
GUIDE_DEPTH = 2

#: What the table of the solver may take, in MB; each position gets one anew.
PROOF_MB = 16

#: Depth 4 sees a win that takes no more plies.
SEEN_PLIES = 4


def corners_times(heuristic: str, depth: int, positions: int, seed: int) -> dict[str, Any]:
    """Time and nodes of a move of the Corners program, over positions of its own games."""
    thinker = player(f"corners-minimax:heuristic={heuristic},depth={depth}")
    thinker.new_game(registry.game("corners"), seed)
    milliseconds, nodes = [], []
    for position in corners_positions(positions, seed):
        spent, visited = _time_move(thinker, position)
        milliseconds.append(spent)
        nodes.append(visited)
    return {
        "heuristic": heuristic,
        "depth": depth,
        "positions": positions,
        "mean_ms": statistics.fmean(milliseconds),
        "median_ms": statistics.median(milliseconds),
        "least_ms": min(milliseconds),
        "most_ms": max(milliseconds),
        "mean_nodes": statistics.fmean(nodes),
    }


def _time_move(thinker: Player, position: Position) -> tuple[float, int]:
    """Processor milliseconds and nodes of one move."""
    import time

    began = time.process_time()
    choice = thinker.choose(position, Limit())
    return 1000 * (time.process_time() - began), choice.nodes or 0


def corners_positions(count: int, seed: int) -> list[Position]:
    """Positions spread over games of the Corners program against itself after random moves."""
    guide = player(f"corners-minimax:depth={GUIDE_DEPTH}")
    game, chance = registry.game("corners"), random.Random(seed)
    guide.new_game(game, seed)
    positions: list[Position] = []
    while len(positions) < count:
        position, passed = game.start(), list[Position]()
        while position.outcome() is None:
            passed.append(position)
            if len(passed) <= OPENING_PLIES:
                position = position.play(chance.choice(position.moves()))
            else:
                position = position.play(guide.choose(position, Limit()).move)
        positions += passed[OPENING_PLIES :: max(1, len(passed) // 10)]
    return positions[:count]


def thrown_wins(
    size: int, level: int, positions: int, starts: int, *, nodes: int, seed: int
) -> dict[str, Any]:
    """Frequency of proven wins that depth 4 gives away, in positions of random games of Platforms.

    `nodes` is what a proof may take; positions that need more are counted and left out.
    """
    game = registry.game(f"platforms:size={size},level={level}")
    start = game.start()
    prepare(start)
    count = _Count(player(PLATFORMS_PLAYER), nodes)
    count.thinker.new_game(game, seed)
    begins = _try_to_solve(start, nodes)
    for moves, position in random_positions(start, positions, seed):
        count.look_at(moves, position)
    return {
        "size": size,
        "level": level,
        "start": begins.outcome if begins else None,
        "start_plies": begins.plies if begins else None,
        **count.as_dict(),
        "starts": [list(moves) for moves in count.starts[:starts]],
    }


class _Count:
    """Counts over the positions looked at."""

    def __init__(self, thinker: Player, nodes: int) -> None:
        self.thinker, self.nodes = thinker, nodes
        self.positions = self.unproven = self.won = 0
        self.at_risk = {"near": 0, "far": 0}
        self.thrown = {"near": 0, "far": 0}
        self.chance = 0.0
        self.starts: list[tuple[str, ...]] = []

    def look_at(self, moves: tuple[str, ...], position: Position) -> None:
        """Solves a position and, where it is won but can be spoilt, asks for depth 4's move."""
        self.positions += 1
        solution = _try_to_solve(position, self.nodes)
        if solution is None:
            self.unproven += 1
            return
        if solution.value <= 0:
            return
        self.won += 1
        losing = [move for move, value in solution.values.items() if value <= 0]
        if losing:
            self._ask(position, solution, losing)
            if position.side == position.game.start().side:
                self.starts.append(moves)

    def _ask(self, position: Position, solution: Solution, losing: list[str]) -> None:
        distance = "near" if (solution.plies or 0) <= SEEN_PLIES else "far"
        self.at_risk[distance] += 1
        self.chance += len(losing) / len(solution.values)
        if self.thinker.choose(position, Limit()).move in losing:
            self.thrown[distance] += 1

    def as_dict(self) -> dict[str, Any]:
        """The counts for reports; `by_chance` is what random moves would throw away."""
        return {
            "positions": self.positions,
            "unproven": self.unproven,
            "won": self.won,
            "at_risk": self.at_risk,
            "thrown": self.thrown,
            "by_chance": self.chance,
        }


def _try_to_solve(position: Position, nodes: int) -> Solution | None:
    try:
        return solve(position, memory_mb=PROOF_MB, limit=Limit(nodes=nodes), every=True)
    except Unsolved:
        return None


#: Random games in a row without a new position, after which the search for more ends.
PATIENCE = 200


def random_positions(
    start: Position, count: int, seed: int
) -> Iterator[tuple[tuple[str, ...], Position]]:
    """Up to `count` different unfinished positions of random games with a choice of moves, one
    of each game at a random ply, and the moves that led there."""
    chance, seen = random.Random(seed), set[str]()
    failures = 0
    while len(seen) < count and failures < PATIENCE:
        failures += 1
        moves, position = _one_of(start, chance)
        if len(position.moves()) > 1 and str(position) not in seen:
            failures = 0
            seen.add(str(position))
            yield moves, position


def _one_of(start: Position, chance: random.Random) -> tuple[tuple[str, ...], Position]:
    """A position of a random game, each ply being equally likely, and how it came about."""
    steps = list(start.random_walk(chance))
    ply = chance.randrange(len(steps))
    moves = tuple(move for move, _ in steps[:ply])
    return moves, (steps[ply - 1][1] if ply else start)
