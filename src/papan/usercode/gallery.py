"""The games of `examples/games`, which are part of the package, each in its own file."""

from __future__ import annotations

import functools
from pathlib import Path

#: The folder in an installed package, and in a checkout.
_FOLDERS = (
    Path(__file__).parent.parent / "gallery",
    Path(__file__).parent.parent.parent.parent / "examples" / "games",
)


@functools.cache
def gallery() -> dict[str, Path]:
    """Returns the files of the gallery by name, in alphabetical order; empty if the folder is
    missing."""
    folder = next((one for one in _FOLDERS if one.is_dir()), None)
    files = sorted(folder.glob("*.py")) if folder else []
    return {file.stem: file for file in files}
