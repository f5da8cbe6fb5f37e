"""Random games of Papan and of OpenSpiel side by side: `python tests/openspiel_twins.py hex`.

Papan's moves are found by the compiled rules. With `--keep`, what was played is kept for the pages
(`docs/made/openspiel.json`, and `openspiel.md` made of it). Exit status: 0 if both agreed at every
ply of every game, 1 if they did not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from twins import Difference, Twin, compiled_moves, names, side_by_side, twins

MADE = Path(__file__).parent.parent / "docs" / "made"
#: What was played is kept after so many games, and at the end.
BATCH = 50
KEPT, PAGE = MADE / "openspiel.json", MADE / "openspiel.md"


def main() -> int:
    """Plays the games named on the command line, all of them if none is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="GAME", help=", ".join(names()))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the counts for the pages")
    options = parser.parse_args()
    for name in set(options.names) - set(names()):
        parser.error(f"no twins of {name!r}; there are those of {', '.join(names())}")
    try:
        for twin in (twin for name in options.names or names() for twin in twins(name)):
            for found in played(twin, options.games, options.seed):
                print(f"\r{twin.papan}  {found['games']} games …", end="", file=sys.stderr)
                if options.keep:
                    keep(twin, found)
            print(f"\r{twin.papan}  {found['games']} games  {found['plies']} plies  the same")
            sys.stdout.flush()
    except Difference as difference:
        print(f"{twin.papan}  {difference}", file=sys.stderr)
        return 1
    return 0


def played(twin: Twin, games: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yields what was played of one game so far, now and then and at the end.

    Raises:
        Difference: the two do not agree.
    """
    chance, plies = Random(seed), 0
    for number in range(1, games + 1):
        plies += side_by_side(twin, chance, compiled_moves)
        if number % BATCH == 0 or number == games:
            yield {"openspiel": twin.spiel, "games": number, "plies": plies, "seed": seed}


def keep(twin: Twin, found: dict[str, Any]) -> None:
    """Adds a game to those that are kept, and makes the page of them."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    kept[twin.papan.replace(".py", "")] = found
    kept = dict(sorted(kept.items()))
    KEPT.write_text(f"{json.dumps(kept, indent=1)}\n", encoding="utf-8")
    PAGE.write_text(page(kept), encoding="utf-8")


def page(kept: dict[str, dict[str, Any]]) -> str:
    """The table of what was played."""
    rows = [
        f"| `{name}` | `{found['openspiel']}` | {found['games']:,} | {found['plies']:,} |"
        for name, found in kept.items()
    ]
    return "\n".join(["| Papan | OpenSpiel | games | plies |", "|---|---|---:|---:|", *rows, ""])


if __name__ == "__main__":
    sys.exit(main())
