"""Openings: the first moves of game pairs, so that deterministic players do not repeat one game.

Openings are random or balanced. After a balanced opening neither side has a large advantage. A
suite is a text file with one opening a line; `#` starts a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from papan.core.game import Game, Position
from papan.data_files import read_limited, reading
from papan.errors import PapanError, UsageError
from papan.rules import operations as rules
from papan.search.algorithm import Algorithm, search
from papan.search.limits import Limit
from papan.search.registry import algorithm

#: Moves from the start position, in the game's notation.
Opening = tuple[str, ...]

#: Number of consecutive rejected openings that ends the search for more.
PATIENCE = 200
#: Largest file, in bytes.
_LARGEST = 1 << 24


@dataclass(frozen=True)
class BalancedOpening:
    """An opening and its value.

    Attributes:
        moves: moves from the start position.
        value: value after the opening, in points from the first player's view.
    """

    moves: Opening
    value: float

    def __str__(self) -> str:
        return f"{' '.join(self.moves)}  # {self.value:+g}"


def random_opening(game: Game, plies: int, chance: Random) -> Opening:
    """Returns `plies` random moves from the start of a game; fewer if the game ends earlier."""
    moves = list[str]()
    for move, position in game.start().random_walk(chance, plies):
        if position.outcome() is not None:
            break
        moves.append(move)
    return tuple(moves)


def random_openings(game: Game, plies: int, count: int, seed: int) -> tuple[Opening, ...]:
    """Returns `count` different random openings; fewer after `PATIENCE` consecutive duplicates.

    Args:
        game: the game.
        plies: number of moves of an opening.
        count: number of openings.
        seed: seed of the random moves.
    """
    chance, failures = Random(seed), 0
    # A dictionary instead of a set, because it keeps the order.
    openings = dict[Opening, None]()
    while len(openings) < count and failures < PATIENCE:
        opening = random_opening(game, plies, chance)
        failures = failures + 1 if opening in openings else 0
        openings[opening] = None
    return tuple(openings)


def balanced_openings(
    game: Game,
    *,
    plies: int,
    within: float,
    limit: Limit,
    seed: int = 0,
    engine: Algorithm | None = None,
) -> Iterator[BalancedOpening]:
    """Yields random openings whose value is between −`within` and `within`.

    No two openings lead to the same position or to mirror images of each other. The iterator ends
    after `PATIENCE` consecutive openings that were duplicates, unbalanced or too short.

    Args:
        game: the game.
        plies: number of moves of an opening.
        within: the largest allowed advantage, in points.
        limit: limit of the search of each opening.
        seed: seed of the random moves; results are repeatable only if `limit` has no time limit.
        engine: the search; by default the engine with the strongest evaluation.
    """
    chance, evaluation = Random(seed), None
    if engine is None:
        engine, evaluation = algorithm("engine"), game.strongest_evaluation
    seen: set[int] = set()
    failures = 0
    while failures < PATIENCE:
        failures += 1
        moves = random_opening(game, plies, chance)
        position = game.start().play(*moves)
        key = _canonical_key(position)
        if len(moves) < plies or key in seen:
            continue
        seen.add(key)
        engine.forget()
        result = search(position, limit, algorithm=engine, evaluation=evaluation)
        if abs(result.value) <= within:
            failures = 0
            yield BalancedOpening(moves, result.value if position.side == "x" else -result.value)


def _canonical_key(position: Position) -> int:
    """Returns the smallest key of a position and its mirror images."""
    state = position.state
    return min(
        int(rules.key(rules.transform(state, index)))
        for index in range(rules.symmetry_count(state))
    )


def load(game: Game, path: str) -> tuple[Opening, ...]:
    """Returns the openings in a file.

    Raises:
        UsageError: the file cannot be read or has no opening, or a move is illegal. The message
            names the line.
    """
    with reading(path, "openings.none", UsageError):
        lines = read_limited(path, _LARGEST).decode().splitlines()
    openings = []
    for number, line in enumerate(lines, start=1):
        moves = tuple(line.partition("#")[0].split())
        if moves:
            _check(game, moves, number)
            openings.append(moves)
    if not openings:
        raise UsageError("openings.none", text=path)
    return tuple(openings)


def _check(game: Game, moves: tuple[str, ...], line: int) -> None:
    position = game.start()
    try:
        for move in moves:
            position = position.play(move)
    except PapanError as error:
        raise UsageError("openings.line", line=line, reason=str(error)) from None
