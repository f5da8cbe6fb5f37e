"""Random games of Papan and of OpenSpiel side by side: `python tests/openspiel_twins.py hex`.

Exit status: 0 if both agreed at every ply of every game, 1 if they did not.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from twins import Difference, names, side_by_side, twins


def main() -> int:
    """Plays the games named on the command line, all of them if none is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="GAME", help=", ".join(names()))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in set(options.names) - set(names()):
        parser.error(f"no twins of {name!r}; there are those of {', '.join(names())}")
    try:
        for name in options.names or names():
            for twin in twins(name):
                chance = Random(options.seed)
                plies = sum(side_by_side(twin, chance) for _ in range(options.games))
                print(f"{twin.papan}  {options.games} games  {plies} plies  the same", flush=True)
    except Difference as difference:
        print(f"{twin.papan}  {difference}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
