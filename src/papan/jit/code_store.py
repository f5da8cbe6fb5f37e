"""Files of compiled code on disk, and their folder.

Loading compiled code runs it. So a folder is used only if no other user can write to it, and a file
only if its checksum is right. Damaged files are removed, and their code is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from papan.whole_files import whole_file

#: Start of each file, changed with the layout below.
#: mark (8 bytes) · SHA-256 of the content (32 bytes) · content
_MARK = b"papan 1\n"
_DIGEST = hashlib.sha256
_HEAD_BYTES = len(_MARK) + _DIGEST().digest_size

#: Maximum size of a file in bytes, about a hundred times the largest kernel.
_LARGEST = 1 << 28

#: Maximum characters of a kernel's name in its file name.
LONGEST_NAME = 100

#: Seconds after the last read at which a file is removed.
_KEPT_SECONDS = 30 * 86_400
#: Maximum total bytes, beyond which the least recently read files are removed.
_MOST_BYTES = 2 << 30
#: Seconds between two removals.
_PRUNE_SECONDS = 86_400

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Damaged(Exception):
    """The content of a file differs from what was written."""


class Untrusted(Exception):
    """Another user can write to a folder or a folder above it; the text says where and why."""


def cache_root() -> Path:
    """Returns the folder of compiled code: `PAPAN_CACHE_DIR`, or one in the user's cache folder."""
    import platformdirs

    chosen = os.environ.get("PAPAN_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("papan"))


def compiled_root() -> Path:
    """Returns the folder above those of all versions."""
    return cache_root() / "compiled"


class Kept(NamedTuple):
    """A file of compiled code: the time of its last read (seconds since the epoch), and its
    bytes."""

    read: float
    size: int
    path: Path


def kept_files() -> list[Kept]:
    """Returns all files of compiled code, least recently read first."""
    files = []
    for path in compiled_root().glob("*/*.code"):
        with contextlib.suppress(OSError):  # another process may remove it meanwhile
            facts = path.lstat()
            files.append(Kept(facts.st_mtime, facts.st_size, path))
    return sorted(files)


def prune(now: float) -> None:
    """Removes files that were not read for a long time, once a day; other processes may do so at
    the same time."""
    mark = compiled_root() / "pruned"
    with contextlib.suppress(OSError):
        if now - mark.stat().st_mtime < _PRUNE_SECONDS:
            return
    with contextlib.suppress(OSError):
        write(mark, b"")
        os.utime(mark, (now, now))
    files = kept_files()
    excess = sum(file.size for file in files) - _MOST_BYTES
    for file in files:
        if now - file.read > _KEPT_SECONDS or excess > 0:
            remove(file.path)
            excess -= file.size
    for folder in compiled_root().glob("*/"):
        with contextlib.suppress(OSError):  # it is not empty
            folder.rmdir()


def own_folder(folder: Path) -> Path:
    """Returns the folder without symbolic links on its path; creates it if necessary.

    Raises:
        OSError: It cannot be created or written.
        Untrusted: It, or a folder above it, can be written by other users.
    """
    # Resolved once, so that later changes of links have no effect.
    real = Path(os.path.realpath(folder))
    missing = [path for path in (real, *real.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(mode=0o700, exist_ok=True)
    _require_own(real)
    with tempfile.TemporaryFile(dir=real):
        return real


def _require_own(folder: Path) -> None:
    """Raises `Untrusted` unless only this user or the superuser can change the folder."""
    facts = folder.stat()
    if facts.st_uid != os.geteuid():
        raise Untrusted(f"{folder} belongs to another user")
    if facts.st_mode & _OTHERS_WRITE:
        raise Untrusted(f"other users can write to {folder}")
    for above in folder.parents:
        facts = above.stat()
        if facts.st_uid not in (0, os.geteuid()):
            raise Untrusted(f"{above} belongs to another user")
        # In a sticky folder such as /tmp, other users can add files but not replace ours.
        if facts.st_mode & _OTHERS_WRITE and not facts.st_mode & stat.S_ISVTX:
            raise Untrusted(f"other users can write to {above}")


def read(path: Path, *, installed: bool = False) -> bytes | None:
    """Returns the content of a file; None if it does not exist.

    Args:
        path: the file.
        installed: whether the file belongs to an installed package, like the code of Papan itself,
            and so to the person who installed it.

    Raises:
        Damaged: The content differs from what was written.
    """
    try:
        # A pipe would wait for its writer, and a link may lead out of the folder.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(error.strerror) from error
    try:
        text = _read_checked(number, installed)
    except OSError as error:
        raise Damaged(error.strerror) from error
    finally:
        os.close(number)
    with contextlib.suppress(OSError):
        os.utime(path)  # `prune` keeps what is read
    content = text[_HEAD_BYTES:]
    if text[:_HEAD_BYTES] != _MARK + _DIGEST(content).digest():
        raise Damaged("its checksum is wrong")
    return content


def _read_checked(number: int, installed: bool) -> bytes:
    """Returns the content of an open file if only this user or an installer can have written it."""
    facts = os.fstat(number)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LARGEST:
        raise Damaged("no such file was written here")
    if not installed and (facts.st_uid != os.geteuid() or facts.st_mode & _OTHERS_WRITE):
        raise Damaged("other users could write to it")
    with open(number, "rb", closefd=False) as file:
        return file.read(_LARGEST)


def write(path: Path, content: bytes) -> None:
    """Writes a file atomically: other processes see all of it or nothing.

    Raises:
        OSError: It cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it may have been cleaned away
    with whole_file(path, private=True) as file:
        file.write(_MARK + _DIGEST(content).digest() + content)


def remove(path: Path) -> None:
    """Removes whatever is at a path, as far as possible."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
