"""easyAI: Negamax with a copy of the game for each move, or with `unmake_move`."""

from __future__ import annotations

import random
from importlib.metadata import version

from easyAI import AI_Player, Negamax, TwoPlayerGame

from benchmarks.peers.workers import board
from benchmarks.peers.workers.tasks import FIRST_DEPTH, Peer, answer, visited


class Copied(TwoPlayerGame):  # type: ignore[misc]  # it has no types
    """Adjacency as in the manual: the library makes a deep copy before each move."""

    def __init__(self, players: list[object]) -> None:
        self.players = players
        self.current_player = 1
        self.pieces = [0, board.FIRST, board.SECOND]
        self.empty = board.EMPTY
        self.left = board.PLIES

    def possible_moves(self) -> list[int]:
        return board.moves(self.empty)

    def make_move(self, move: int) -> None:
        flipped = board.NEIGHBOURS[move] & self.pieces[3 - self.current_player]
        self.pieces[self.current_player] |= move | flipped
        self.pieces[3 - self.current_player] ^= flipped
        self.empty ^= move
        self.left -= 1

    def is_over(self) -> bool:
        return self.left == 0

    def scoring(self) -> int:
        own, other = self.pieces[self.current_player], self.pieces[3 - self.current_player]
        return own.bit_count() - other.bit_count()


class Unmade(Copied):
    """Adjacency with `unmake_move`: the library takes moves back instead of copying."""

    def __init__(self, players: list[object]) -> None:
        super().__init__(players)
        self.flips: list[int] = []

    def make_move(self, move: int) -> None:
        flipped = board.NEIGHBOURS[move] & self.pieces[3 - self.current_player]
        self.flips.append(flipped)
        self.pieces[self.current_player] |= move | flipped
        self.pieces[3 - self.current_player] ^= flipped
        self.empty ^= move
        self.left -= 1

    def unmake_move(self, move: int) -> None:
        flipped = self.flips.pop()
        self.pieces[self.current_player] ^= move | flipped
        self.pieces[3 - self.current_player] |= flipped
        self.empty ^= move
        self.left += 1


def search(game_class: type[Copied], depth: int) -> float:
    """Returns the value of the start position."""
    algorithm = Negamax(depth)
    algorithm(game_class([AI_Player(algorithm), AI_Player(algorithm)]))
    return float(algorithm.alpha)


def nodes(game_class: type[Copied], depth: int) -> int:
    """Returns the number of nodes of a search from the start position."""
    return visited(game_class, "make_move", lambda: search(game_class, depth))


def random_game() -> int:
    """Plays a random game; returns its number of moves."""
    game = Copied([None, None])
    while not game.is_over():
        game.make_move(random.choice(game.possible_moves()))
        game.switch_player()
    return board.PLIES


def peer() -> Peer:
    """Returns the tasks of easyAI."""
    return Peer(
        f"easyAI {version('easyAI')}",
        {
            "easyAI, deep copies": lambda depth: search(Copied, depth),
            "easyAI, unmake_move": lambda depth: search(Unmade, depth),
        },
        {
            "easyAI, deep copies": lambda depth: nodes(Copied, depth),
            "easyAI, unmake_move": lambda depth: nodes(Unmade, depth),
        },
        {},
        {("easyAI", "Adjacency"): random_game},
    )


if __name__ == "__main__":
    answer(peer, lambda: search(Unmade, FIRST_DEPTH))
