"""The tasks of all workers, and their results as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

#: Depth → value and nodes of plain alpha–beta from the start; nodes are the root and all children.
KNOWN = {3: (3, 4_211), 4: (0, 20_310), 5: (3, 253_641), 6: (0, 1_254_979)}

#: Depth of the search for the first move.
FIRST_DEPTH = 2


#: Depth of the search whose nodes are counted.
COUNTED_DEPTH = 4


class Search(NamedTuple):
    """A search to a fixed depth: processor time, and the value; None if only the move is known."""

    depth: int
    seconds: float
    value: float | None


class Peer(NamedTuple):
    """The tasks of a library.

    Attributes:
        version: name and version of the library.
        searches: name → function that searches to a depth and returns the value; None if the
            library returns only the move.
        nodes: name → function that returns the number of nodes of a search to a depth.
        simulations: name and game → function that runs a number of simulations.
        games: name and game → function that plays a random game and returns its moves.
    """

    version: str
    searches: dict[str, Callable[[int], float | None]]
    nodes: dict[str, Callable[[int], int]]
    simulations: dict[tuple[str, str], Callable[[int], object]]
    games: dict[tuple[str, str], Callable[[], int]]


def measured(peer: Peer, budget: float) -> dict[str, Any]:
    """Returns all measurements; each takes about `budget` seconds."""
    return {
        "version": peer.version,
        "searches": {
            name: list(_searches(search, budget)) for name, search in peer.searches.items()
        },
        "nodes": {name: count(COUNTED_DEPTH) for name, count in peer.nodes.items()},
        "simulations": [
            [*what, _rate(simulate, budget)] for what, simulate in peer.simulations.items()
        ],
        "moves": [[*what, _speed(play, budget)] for what, play in peer.games.items()],
    }


def visited(owner: type, method: str, search: Callable[[], object]) -> int:
    """Returns the nodes of a search: the root, and one for each call of the method that moves."""
    made, original = 0, getattr(owner, method)

    def counted(*args: Any) -> Any:
        nonlocal made
        made += 1
        return original(*args)

    with patch.object(owner, method, counted):
        search()
    return 1 + made


def answer(peer: Callable[[], Peer], first_move: Callable[[], object]) -> None:
    """Executes the command line: `measure SECONDS` or `first-move`."""
    if sys.argv[1] == "first-move":
        first_move()
    else:
        print(json.dumps(measured(peer(), float(sys.argv[2]))))


def _searches(search: Callable[[int], float | None], budget: float) -> Iterator[Search]:
    """Yields searches of increasing depth, until the next one would take longer than `budget`."""
    per_node = 0.0
    for depth, (_, nodes) in KNOWN.items():
        if per_node * nodes > budget:
            return
        began = time.process_time()
        value = search(depth)
        seconds = time.process_time() - began
        per_node = seconds / nodes
        yield Search(depth, seconds, value)


def _rate(simulate: Callable[[int], object], budget: float) -> float:
    """Returns simulations per second; trials determine how many fit into `budget`."""
    count, seconds = 10, 0.0
    while seconds < budget / 4:
        began = time.process_time()
        simulate(count)
        seconds = time.process_time() - began
        rate = count / max(seconds, 1e-6)
        count = max(2 * count, int(rate * budget / 3))
    return rate


def _speed(play: Callable[[], int], budget: float) -> float:
    """Returns moves per second in complete random games."""
    made, began = 0, time.process_time()
    while time.process_time() - began < budget / 4:
        made += play()
    return made / (time.process_time() - began)
