"""Measures without matches: time and nodes of the Corners program, and wins that depth 4 loses in
Platforms.

Each measure is a function of plain numbers with a result for JSON, so that any process can run it
and a file can store the result.
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

#: Search depth of the games from which the Corners positions come.
GUIDE_DEPTH = 2

#: Memory limit of the solver's table in MB; each position gets a new table.
PROOF_MB = 16

#: Maximum length in plies of a win that depth 4 finds.
SEEN_PLIES = 4


def corners_times(heuristic: str, depth: int, positions: int, seed: int) -> dict[str, Any]:
    """Returns time and nodes per move of the Corners program, over positions of its own games."""
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
    """Returns the processor milliseconds and the nodes of one move."""
    import time

    began = time.process_time()
    choice = thinker.choose(position, Limit())
    return 1000 * (time.process_time() - began), choice.nodes or 0


def corners_positions(count: int, seed: int) -> list[Position]:
    """Returns positions from games of the Corners program against itself after random moves."""
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
    """Returns how often depth 4 loses a proven win, in positions of random games of Platforms.

    `nodes` is the node limit of a proof; positions that need more are counted separately.
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
    """Counts over the examined positions."""

    def __init__(self, thinker: Player, nodes: int) -> None:
        self.thinker, self.nodes = thinker, nodes
        self.positions = self.unproven = self.won = 0
        self.at_risk = {"near": 0, "far": 0}
        self.thrown = {"near": 0, "far": 0}
        self.chance = 0.0
        self.starts: list[tuple[str, ...]] = []

    def look_at(self, moves: tuple[str, ...], position: Position) -> None:
        """Solves a position; if it is won but can be lost, checks the move of depth 4."""
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
        """Returns the counts for reports; `by_chance` is the expected number for random moves."""
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


#: Number of consecutive random games without a new position that ends the search for more.
PATIENCE = 200


def random_positions(
    start: Position, count: int, seed: int
) -> Iterator[tuple[tuple[str, ...], Position]]:
    """Yields up to `count` different positions of random games, with the moves that lead to them.

    The positions are unfinished and have several legal moves. Each game contributes one position,
    at a random ply.
    """
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
    """Returns a position of a random game, each ply with equal probability, and its moves."""
    steps = list(start.random_walk(chance))
    ply = chance.randrange(len(steps))
    moves = tuple(move for move, _ in steps[:ply])
    return moves, (steps[ply - 1][1] if ply else start)
