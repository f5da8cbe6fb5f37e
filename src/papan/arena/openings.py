"""Opening suites: short beginnings from which neither side is much better.

Two players that always play the same would otherwise play one game over and over. A suite is a
text file, a line of moves each; what follows a `#` is a comment.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from papan.core.game import Game, Position
from papan.data_files import read_limited, reading
from papan.errors import PapanError, UsageError
from papan.rules import operations as rules
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm

#: Beginnings tried in vain, one after the other, after which a suite is complete as it is.
PATIENCE = 200
#: Largest file, in bytes.
_LARGEST = 1 << 24


@dataclass(frozen=True)
class Opening:
    """A beginning and what the engine thinks of it.

    Attributes:
        moves: from the start position.
        value: the first player's view, in the game's own unit.
    """

    moves: tuple[str, ...]
    value: float

    def __str__(self) -> str:
        return f"{' '.join(self.moves)}  # {self.value:+g}"


def balanced(
    game: Game, *, plies: int, within: float, limit: Limit, seed: int = 0
) -> Iterator[Opening]:
    """Beginnings of random moves whose value lies within ± `within` of even, all different:
    none is another one's mirror image or leads to the same position.

    Ends when `PATIENCE` beginnings in a row were known, too uneven or over already.

    Args:
        game: what is played.
        plies: how many moves.
        within: the largest value allowed, in the game's own unit.
        limit: what the engine may take for each.
        seed: makes the choice repeatable, as long as `limit` has no time in it.
    """
    chance, engine = random.Random(seed), algorithm("engine")
    seen: set[int] = set()
    failures = 0
    while failures < PATIENCE:
        failures += 1
        position, moves = _begin(game, plies, chance)
        key = _canonical_key(position)
        if position.outcome() is not None or key in seen:
            continue
        seen.add(key)
        engine.forget()
        result = search(position, limit, algorithm=engine, evaluation=game.strongest_evaluation)
        if abs(result.value) <= within:
            failures = 0
            yield Opening(moves, result.value if position.side == "x" else -result.value)


def _begin(game: Game, plies: int, chance: random.Random) -> tuple[Position, tuple[str, ...]]:
    """A position after random moves, and these."""
    steps = list(game.start().random_walk(chance, plies))
    moves = tuple(move for move, _ in steps)
    return (steps[-1][1] if steps else game.start()), moves


def _canonical_key(position: Position) -> int:
    """The least key among a position's mirror images."""
    state = position.state
    return min(
        int(rules.key(rules.transform(state, index)))
        for index in range(rules.symmetry_count(state))
    )


def load(game: Game, path: str) -> tuple[tuple[str, ...], ...]:
    """The openings of a file.

    Raises:
        UsageError: the file cannot be read, has no opening, or a move is not legal; names the
            line.
    """
    with reading(path, "openings.none", UsageError):
        lines = read_limited(path, _LARGEST).decode().splitlines()
    found = []
    for number, line in enumerate(lines, start=1):
        moves = tuple(line.partition("#")[0].split())
        if moves:
            _check(game, moves, number)
            found.append(moves)
    if not found:
        raise UsageError("openings.none", text=path)
    return tuple(found)


def _check(game: Game, moves: tuple[str, ...], line: int) -> None:
    position = game.start()
    try:
        for move in moves:
            position = position.play(move)
    except PapanError as error:
        raise UsageError("openings.line", line=line, reason=str(error)) from None
