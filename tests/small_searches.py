"""Small searches of every game, to be run in each of the ways that kernels can run."""

import json
import sys
from typing import Any

from papan.search.perft import divide
from support import find, middles

POSITIONS = 3  # of each game


def findings(depth: int, specs: list[str], algorithms: list[str]) -> list[Any]:
    """What the algorithms find in a few positions of each game, and the leaves below each move."""
    found: list[Any] = []
    for spec in specs:
        for position, _ in middles(spec, POSITIONS):
            for name in algorithms:
                result = find(name, position, depth)
                found.append([spec, name, result.value, result.nodes, list(result.pv)])
            found.append([spec, "perft", divide(position, depth)])
    return found


if __name__ == "__main__":
    print(json.dumps(findings(*json.loads(sys.argv[1]))))
