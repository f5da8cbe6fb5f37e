"""Writes the boards of the built site: `python -m docs.boards build/site/play`.

Each game of the package and of the gallery is one file, so that the site works from a disk.
"""

from __future__ import annotations

import sys
from pathlib import Path

import papan
from papan.build_modules import games


def main(folder: str) -> None:
    """Writes all boards."""
    files = papan.export(games(), Path(folder), single_file=True)
    print(f"{len(files)} boards in {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:])
