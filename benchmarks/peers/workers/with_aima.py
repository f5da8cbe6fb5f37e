"""aima3, a package of the algorithms of "Artificial Intelligence: A Modern Approach".

Measured: `alphabeta_cutoff_search`. The Monte Carlo tree search of aima3 needs a neural network.
"""

from __future__ import annotations

import random
from importlib.metadata import version
from typing import NamedTuple

from aima3.games import Game, alphabeta_cutoff_search

from benchmarks.peers.workers import board
from benchmarks.peers.workers.tasks import FIRST_DEPTH, Peer, answer, visited


class State(NamedTuple):
    """A position; `mine` are the pieces of the side to move, `left` the remaining plies."""

    mine: int
    theirs: int
    empty: int
    left: int
    side: int


class Adjacency(Game):  # type: ignore[misc]  # it has no types
    """Adjacency with the interface of aima3."""

    initial = State(board.FIRST, board.SECOND, board.EMPTY, board.PLIES, 0)

    def actions(self, state: State) -> list[int]:
        return board.moves(state.empty)

    def result(self, state: State, move: int) -> State:
        mine, theirs, empty, left, side = state
        flipped = board.NEIGHBOURS[move] & theirs
        return State(theirs ^ flipped, mine | move | flipped, empty ^ move, left - 1, 1 - side)

    def terminal_test(self, state: State) -> bool:
        return state.left == 0

    def to_move(self, state: State) -> int:
        return state.side

    def utility(self, state: State, player: int) -> int:
        lead = state.mine.bit_count() - state.theirs.bit_count()
        return lead if state.side == player else -lead


def search(depth: int) -> None:
    """Searches the start position. aima3 returns no value, and its `d` is the depth − 1."""
    game = Adjacency()
    alphabeta_cutoff_search(game.initial, game, d=depth - 1)


def random_game() -> int:
    """Plays a random game; returns its number of moves."""
    game = Adjacency()
    state = game.initial
    while not game.terminal_test(state):
        state = game.result(state, random.choice(game.actions(state)))
    return board.PLIES


def peer() -> Peer:
    """Returns the tasks of aima3."""
    return Peer(
        f"aima3 {version('aima3')}",
        {"aima3": search},
        {"aima3": lambda depth: visited(Adjacency, "result", lambda: search(depth))},
        {},
        {("aima3", "Adjacency"): random_game},
    )


if __name__ == "__main__":
    answer(peer, lambda: search(FIRST_DEPTH))
