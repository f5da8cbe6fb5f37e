"""Files that are written completely or not at all, even if the program is killed."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

#: Characters of a file name in the name of its temporary file; names have at most 255 bytes.
_KEPT = 40


@contextmanager
def whole_file(path: Path, *, lasting: bool = False, private: bool = False) -> Iterator[IO[bytes]]:
    """Opens a new file that replaces `path` atomically at the end of the `with` block.

    Before that, and after an exception, the old file stays. The new file is open for reading and
    writing.

    Args:
        path: the final path; its folder must exist.
        lasting: True for files that take long to create, by one process at a time. They are flushed
            to the disk before the rename, so that a power failure leaves no partial file. The next
            run overwrites what a killed program left behind.
        private: True if only this user may read the file.

    Raises:
        OSError: the file cannot be written.
    """
    mark = "" if lasting else f".{secrets.token_hex(4)}"
    beside = path.with_name(f"{path.name if lasting else path.name[:_KEPT]}{mark}.new")
    mode, opener = "w+b" if lasting else "x+b", _private if private else None
    with open(beside, mode, opener=opener) as file:  # `Path.open` has no opener
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
    """Writes a text atomically; writes to pipes and devices directly.

    Args:
        path: the path; symbolic links are followed.
        text: the text.
        errors: handling of characters that UTF-8 cannot encode, as in `str.encode`.

    Raises:
        OSError: the file cannot be written.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", errors=errors)
        return
    with whole_file(path) as file:
        file.write(text.encode("utf-8", errors))


def require_room(path: Path) -> None:
    """Checks that `write_whole` can create a file at a path; leaves no file.

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
    """Opens a file that only this user can read."""
    return os.open(path, flags, 0o600)
