"""Searches without a trick, for every game: perft, minimax, alpha–beta, exhaustive solving.

Values are always the side to move's. A node is the root or a child that was visited.
`evaluate(position, ply)` gives the value of a leaf, or of a finished game, that is `ply` plies
from the root.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

INFINITY = 1_000_000


class Position(Protocol):
    """The part of a position that a search needs."""

    def moves(self) -> Sequence[str]: ...
    def play(self, move: str, /) -> Self: ...
    def over(self) -> bool: ...


class FinishedPosition(Position, Protocol):
    """A position that also knows its final result for the side to move, when it is over."""

    def result(self) -> int: ...


P = TypeVar("P", bound=Position)
F = TypeVar("F", bound=FinishedPosition)


class Searched(NamedTuple):
    """The result of a search: the value for the side to move and the nodes it visited."""

    value: int
    nodes: int


class Solved(NamedTuple):
    """The final result for the side to move under best play, and the plies until then."""

    value: int
    plies: int


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of exactly `depth` plies."""
    if depth == 0:
        return 1
    moves = position.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft of each root move, in move order; `depth` counts the root move."""
    return {move: perft(position.play(move), depth - 1) for move in position.moves()}


def leaves(position: P, depth: int) -> list[P]:
    """The positions after every move sequence of exactly `depth` plies, repeats included."""
    if depth == 0:
        return [position]
    return [leaf for move in position.moves() for leaf in leaves(position.play(move), depth - 1)]


def minimax(position: P, depth: int, evaluate: Callable[[P, int], int], ply: int = 0) -> Searched:
    """Search every line `depth` plies deep, in negamax form."""
    if depth == 0 or position.over():
        return Searched(evaluate(position, ply), 1)
    best, nodes = -INFINITY, 1
    for move in position.moves():
        child = minimax(position.play(move), depth - 1, evaluate, ply + 1)
        best = max(best, -child.value)
        nodes += child.nodes
    return Searched(best, nodes)


def alphabeta(
    position: P,
    depth: int,
    evaluate: Callable[[P, int], int],
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    *,
    ply: int = 0,
) -> Searched:
    """Fail-soft alpha–beta in move order: it cuts off as soon as the best value is ≥ beta."""
    if depth == 0 or position.over():
        return Searched(evaluate(position, ply), 1)
    best, nodes = -INFINITY, 1
    for move in position.moves():
        window = -beta, -max(alpha, best)
        child = alphabeta(position.play(move), depth - 1, evaluate, *window, ply=ply + 1)
        best = max(best, -child.value)
        nodes += child.nodes
        if best >= beta:
            break
    return Searched(best, nodes)


def move_values(
    position: P, depth: int, evaluate: Callable[[P, int], int], *, pruned: bool = False
) -> dict[str, int]:
    """The exact value of each root move; by minimax, or by full-window alpha–beta."""
    values = {}
    for move in position.moves():
        child = position.play(move)
        if pruned:
            values[move] = -alphabeta(child, depth - 1, evaluate, ply=1).value
        else:
            values[move] = -minimax(child, depth - 1, evaluate, 1).value
    return values


def best_moves(values: dict[str, int]) -> tuple[str, ...]:
    """All moves with the highest value, in move order; none when there are no moves."""
    best = max(values.values(), default=0)
    return tuple(move for move, value in values.items() if value == best)


def solve(position: F, memo: dict[F, Solved]) -> Solved:
    """Play out every line of a game that always ends; each position is solved once.

    The winner hurries and the loser delays. `memo` is filled with every position met.
    """
    known = memo.get(position)
    if known is None:
        known = memo[position] = _solve_afresh(position, memo)
    return known


def _solve_afresh(position: F, memo: dict[F, Solved]) -> Solved:
    if position.over():
        return Solved(position.result(), 0)
    return max(solve_moves(position, memo).values(), key=preference)


def solve_moves(position: F, memo: dict[F, Solved]) -> dict[str, Solved]:
    """The result of each move for its mover; its plies count from this position."""
    results = {}
    for move in position.moves():
        reply = solve(position.play(move), memo)
        results[move] = Solved(-reply.value, reply.plies + 1)
    return results


def preference(solved: Solved) -> tuple[int, int]:
    """The sort key of the side to move: a better result, then a fast win or a slow loss."""
    return solved.value, -solved.plies if solved.value > 0 else solved.plies


def best_solved_moves(results: dict[str, Solved]) -> tuple[str, ...]:
    """All moves that are best in result and in length, in move order."""
    best = max(map(preference, results.values()))
    return tuple(move for move, solved in results.items() if preference(solved) == best)


def complete_games(position: P, memo: dict[P, int]) -> int:
    """The number of different move sequences to the end of the game."""
    known = memo.get(position)
    if known is None:
        moves = position.moves()
        known = sum(complete_games(position.play(move), memo) for move in moves) or 1
        memo[position] = known
    return known


def reachable(position: P) -> set[P]:
    """Every position that play can lead to, the given one included."""
    met = {position}
    waiting = [position]
    while waiting:
        current = waiting.pop()
        after = {current.play(move) for move in current.moves()}
        waiting.extend(after - met)
        met |= after
    return met
