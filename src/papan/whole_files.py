"""Files that are there in whole or not at all, whatever ends the program on the way."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

#: Characters of a file's name in that of the file beside it: names have no more than 255 bytes.
_KEPT = 40


@contextmanager
def whole_file(path: Path, *, lasting: bool = False, private: bool = False) -> Iterator[IO[bytes]]:
    """A new file, open for reading and writing, that stands at `path` in one step once it is left.

    Until then, and if it is left by an exception, what stood there stays.

    Args:
        path: where it is to stand; its folder has to be there.
        lasting: for files that take long to make, in one process at a time: written to the disk
            itself before they are moved, so that not even a loss of power leaves half of one. What
            a program that was killed has left of it is overwritten by the next.
        private: only this user can read it.

    Raises:
        OSError: it cannot be written.
    """
    mark = "" if lasting else f".{secrets.token_hex(4)}"
    beside = path.with_name(f"{path.name if lasting else path.name[:_KEPT]}{mark}.new")
    mode, opener = "w+b" if lasting else "x+b", _private if private else None
    with open(beside, mode, opener=opener) as file:  # a path's own has no opener
        try:
            yield file
            file.flush()
            if lasting:
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise


def _private(path: str, flags: int) -> int:
    """A file that only this user can read."""
    return os.open(path, flags, 0o600)
