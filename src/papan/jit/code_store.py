"""Files of compiled code on disk, and the folder that they are kept in.

To load compiled code is to run it. So a folder is used only if no other user can write to it, and
a file only if its checksum is right: a damaged one is removed, and made again by who needs it.
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

#: What each file begins with; a change of the layout below changes it.
#: mark (8 bytes) · SHA-256 of the content (32 bytes) · content
_MARK = b"papan 1\n"
_DIGEST = hashlib.sha256
_HEAD_BYTES = len(_MARK) + _DIGEST().digest_size

#: The largest file that is read, in bytes: some hundred times the largest kernel.
_LARGEST = 1 << 28

#: Characters of a kernel's name in that of its file.
LONGEST_NAME = 100

#: Seconds for which a file that nobody reads is kept.
_KEPT_SECONDS = 30 * 86_400
#: Bytes of all files together, beyond which those read longest ago are removed.
_MOST_BYTES = 2 << 30
#: Seconds between two looks for files to remove.
_PRUNE_SECONDS = 86_400

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Damaged(Exception):
    """A file is there, but it is not what was written."""


class Untrusted(Exception):
    """Another user can write to a folder or above it; the text says where and why."""


def cache_root() -> Path:
    """Where compiled code is kept: `PAPAN_CACHE_DIR`, or a folder in the user's cache folder."""
    import platformdirs

    chosen = os.environ.get("PAPAN_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("papan"))


def compiled_root() -> Path:
    """The folder above those of all versions."""
    return cache_root() / "compiled"


class Kept(NamedTuple):
    """A file of compiled code: when it was last read (seconds since the epoch), and its bytes."""

    read: float
    size: int
    path: Path


def kept_files() -> list[Kept]:
    """Returns all files of compiled code, the one read longest ago first."""
    files = []
    for path in compiled_root().glob("*/*.code"):
        with contextlib.suppress(OSError):  # another process may remove it meanwhile
            facts = path.lstat()
            files.append(Kept(facts.st_mtime, facts.st_size, path))
    return sorted(files)


def prune(now: float) -> None:
    """Removes files that were not read for long, once a day; other processes may do so too."""
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
    """The folder, made if need be, without symbolic links on the way to it.

    Raises:
        OSError: it cannot be made, or nothing can be written there.
        Untrusted: it, or a folder above it, is open to other users.
    """
    # Resolved once: a link that is changed later leads nowhere else.
    real = Path(os.path.realpath(folder))
    missing = [path for path in (real, *real.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(mode=0o700, exist_ok=True)
    _require_own(real)
    with tempfile.TemporaryFile(dir=real):
        return real


def _require_own(folder: Path) -> None:
    """Raises unless only this user, or the superuser, can change what the folder has."""
    facts = folder.stat()
    if facts.st_uid != os.geteuid():
        raise Untrusted(f"{folder} belongs to another user")
    if facts.st_mode & _OTHERS_WRITE:
        raise Untrusted(f"other users can write to {folder}")
    for above in folder.parents:
        facts = above.stat()
        if facts.st_uid not in (0, os.geteuid()):
            raise Untrusted(f"{above} belongs to another user")
        # In a sticky folder, like /tmp, others can add files but replace none of ours.
        if facts.st_mode & _OTHERS_WRITE and not facts.st_mode & stat.S_ISVTX:
            raise Untrusted(f"other users can write to {above}")


def read(path: Path) -> bytes | None:
    """The content of a file; None if there is none.

    Raises:
        Damaged: it is not as it was written.
    """
    try:
        # A pipe would wait for its writer, and a link may lead out of the folder.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(error.strerror) from error
    try:
        text = _read_checked(number)
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


def _read_checked(number: int) -> bytes:
    """All of an open file, if only this user can have written it."""
    facts = os.fstat(number)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LARGEST:
        raise Damaged("no such file was written here")
    if facts.st_uid != os.geteuid() or facts.st_mode & _OTHERS_WRITE:
        raise Damaged("other users could write to it")
    with open(number, "rb", closefd=False) as file:
        return file.read(_LARGEST)


def write(path: Path, content: bytes) -> None:
    """Writes a file in one step: other processes see all of it or none.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it may have been cleaned away
    with whole_file(path, private=True) as file:
        file.write(_MARK + _DIGEST(content).digest() + content)


def remove(path: Path) -> None:
    """Removes whatever is at a path, as far as that can be done."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
