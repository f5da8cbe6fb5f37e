"""A token walks on a graph; where no edge goes on, the game is over. Any graph of few nodes is a
position of this one game, so that searches are compiled once for all of them.

A node is a number: the nodes that it leads to, those after which the same side moves again, its
result for the side to move if it leads nowhere, and its rank, 0 for a graph without ranks. Bit 60
of the last node says that positions have numbers of their own.
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.core.game import Position
from papan.errors import InvalidMove
from papan.gamekit import WIN, Bits, Grid

NODES = 12
_AGAIN, _END, _RANK = NODES, 2 * NODES, 2 * NODES + 2
_MOST_RANK, NUMBERED = (1 << 20) - 1, 1 << 60


class State(NamedTuple):
    """Where the token is, whose turn it is, and the nodes."""

    place: int
    side: int
    nodes: tuple[int, ...]


def node(targets: int, again: int, end: int, rank: int) -> int:
    """A node as a number; `end` is 1 for a win of the side to move, 0 for a draw, −1 for a loss."""
    return targets | again << _AGAIN | (end + 1) << _END | rank << _RANK


@rules.moves.register(State)
def _(state: State) -> Bits:
    return Bits(state.nodes[state.place] & ((1 << NODES) - 1))


@rules.play.register(State)
def _(state: State, move: int) -> State:
    again = (state.nodes[state.place] >> (_AGAIN + move)) & 1
    return State(move, state.side if again == 1 else 1 - state.side, state.nodes)


@rules.turns_alternate.register(State)
def _(state: State) -> bool:
    return False


@rules.final_value.register(State)
def _(state: State) -> int:
    return WIN * (((state.nodes[state.place] >> _END) & 3) - 1)


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    rank = (state.nodes[state.place] >> _RANK) & _MOST_RANK
    return rank if rank > 0 else 1_000_000


@rules.index_count.register(State)
def _(state: State) -> int:
    return 2 * NODES if state.nodes[NODES - 1] >= NUMBERED else 0


@rules.index.register(State)
def _(state: State) -> int:
    return 2 * state.place + state.side


@rules.position_of.register(State)
def _(state: State, number: int) -> State:
    return State(number // 2, number % 2, state.nodes)


class Graphs(rules.Game):
    """Walk along an edge; what the last node says is the result."""

    board = Grid(2, 6)
    words = tuple("abcdefghijkl")

    def start_state(self) -> State:
        return State(0, 0, (node(0, 0, 0, 0),) * NODES)

    def write_state(self, state: State) -> str:
        return " ".join(map(str, (state.place, state.side, *state.nodes)))

    def read_state(self, line: str) -> State:
        place, side, *nodes = map(int, line.split())
        return State(place, side, tuple(nodes))

    def steps(self, move: int) -> tuple[str]:
        return (self.words[move],)

    def read_move(self, text: str, state: State) -> int:
        if text not in self.words:
            raise InvalidMove("move.no-square", text=text, extent="a … l")
        return self.words.index(text)


def graph(*nodes: int) -> Position:
    """The position at the first of some nodes."""
    every = (*nodes, *[node(0, 0, 0, 0)] * (NODES - len(nodes)))
    return Position.unchecked(Graphs(), State(0, 0, every))
