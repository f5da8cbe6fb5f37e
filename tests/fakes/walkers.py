"""Random graphs on which a token walks, in plain Python and as positions of the compiled game."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from fakes.graphs import NODES, NUMBERED, Graphs, State, node
from papan.core.game import Position
from papan.tablebase.lookup import Tablebase, verify
from reference import tablebase as oracle


class Walker(NamedTuple):
    """A position of the graph game, in plain Python."""

    place: int
    side: int
    edges: tuple[tuple[tuple[int, bool], ...], ...]
    ends: tuple[int, ...]

    def moves(self) -> tuple[tuple[int, bool], ...]:
        return self.edges[self.place]

    def play(self, move: tuple[int, bool]) -> Walker:
        target, again = move
        return self._replace(place=target, side=self.side if again else 1 - self.side)

    def result(self) -> int:
        return self.ends[self.place]

    def position(self, ranked: bool = False, numbered: bool = False) -> Position:
        """The same position of the compiled game."""
        nodes = []
        for place, (edges, end) in enumerate(zip(self.edges, self.ends, strict=True)):
            targets = sum(1 << target for target, _ in edges)
            again = sum(1 << target for target, same in edges if same)
            nodes.append(node(targets, again, end, NODES - place if ranked else 0))
        nodes[-1] |= NUMBERED if numbered else 0
        return Position.unchecked(Graphs(), State(self.place, self.side, tuple(nodes)))


@st.composite
def walkers(draw: st.DrawFn, *, forward: bool = False) -> Walker:
    """Graphs with edges of both kinds; if `forward`, to later nodes only."""
    edges = []
    for place in range(NODES):
        low = place + 1 if forward else 0
        targets = st.sets(st.integers(low, NODES - 1), max_size=3) if low < NODES else st.just([])
        edges.append(tuple((target, draw(st.booleans())) for target in sorted(draw(targets))))
    ends = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=NODES, max_size=NODES))
    return Walker(0, 0, tuple(edges), tuple(ends))


def as_found(tablebase: Tablebase, walker: Walker) -> oracle.Exact:
    """The result that a tablebase has."""
    header = tablebase.header
    value = tablebase.value(walker.position(header["method"] == "forward", header["numbered"]))
    return oracle.Exact(value.outcome, value.plies)


def agrees(tablebase: Tablebase, expected: dict[Walker, oracle.Exact]) -> None:
    """Asserts that a tablebase has these results and no others."""
    assert tablebase.positions == len(expected)
    assert {walker: as_found(tablebase, walker) for walker in expected} == expected
    assert sum(sum(each.values()) for each in tablebase.counts.values()) == len(expected)
    assert verify(tablebase) == len(expected)
