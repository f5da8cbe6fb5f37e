"""Files that are there in whole or not at all, whatever ends the program on the way."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
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


def write_whole(path: Path, text: str, *, errors: str = "strict") -> None:
    """Writes a text in one step; to what is no file, a pipe or a device, as it comes.

    Args:
        path: where it is to stand; a link is followed.
        errors: what becomes of characters that UTF-8 cannot spell, as `str.encode` has it.

    Raises:
        OSError: it cannot be written.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", errors=errors)
        return
    with whole_file(path) as file:
        file.write(text.encode("utf-8", errors))


def require_room(path: Path) -> None:
    """Tries if a file can be made beside a path, as `write_whole` does, and leaves nothing.

    Raises:
        OSError: no file can be written there.
    """
    path = path.resolve()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        return
    with tempfile.TemporaryFile(dir=path.parent):
        pass


def _private(path: str, flags: int) -> int:
    """A file that only this user can read."""
    return os.open(path, flags, 0o600)
