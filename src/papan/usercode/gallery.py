"""The games of `examples/games`, which come with the package: files of their own, to be played,
read and changed."""

from __future__ import annotations

import functools
from pathlib import Path

#: Where an installed package has them, and where a checkout does.
_FOLDERS = (
    Path(__file__).parent.parent / "gallery",
    Path(__file__).parent.parent.parent.parent / "examples" / "games",
)


@functools.cache
def gallery() -> dict[str, Path]:
    """The files of the gallery by their names, in alphabetical order; none where it is missing."""
    folder = next((one for one in _FOLDERS if one.is_dir()), None)
    files = sorted(folder.glob("*.py")) if folder else []
    return {file.stem: file for file in files}
