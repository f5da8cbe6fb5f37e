"""Random games that any program can replay: splitmix64 picks among the sorted moves."""

from collections.abc import Iterator, Sequence
from typing import Protocol, Self, TypeVar

MASK = (1 << 64) - 1


class Playable(Protocol):
    """The part of a position, or of a game with its history, that a random game needs."""

    def moves(self) -> Sequence[str]: ...
    def play(self, move: str, /) -> Self: ...


P = TypeVar("P", bound=Playable)


def splitmix64(seed: int) -> Iterator[int]:
    """The endless stream of 64-bit numbers of Steele, Lea and Flood's generator."""
    state = seed & MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        yield z ^ (z >> 31)


def random_moves(position: Playable, seed: int, plies: int | None = None) -> list[str]:
    """The moves of the random game with this seed: to its end, or `plies` of them."""
    numbers = splitmix64(seed)
    played: list[str] = []
    moves = position.moves()
    while moves and len(played) != plies:
        move = moves[next(numbers) % len(moves)]
        played.append(move)
        position = position.play(move)
        moves = position.moves()
    return played


def replay(position: P, moves: Sequence[str]) -> P:
    """The position after all of `moves`."""
    for move in moves:
        position = position.play(move)
    return position
