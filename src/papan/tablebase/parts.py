"""Finished parts of a database, kept while the rest is made: arrays on disk with checksums.

A part is a file of its own: 16 bytes (a word for the kind of file, the checksum, the length), then
the array. It is written beside its place and moved there when it is whole, so that a program that
is killed leaves whole parts only. `plan.json` says what they are parts of; where that is something
else, they are removed and the work begins anew.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from papan.tablebase.packing import Words
from papan.whole_files import whole_file

_MAGIC = b"PaPt"
_HEAD = struct.Struct("<4sIQ")
_STEP = 1 << 26  # bytes written or checked at a time


class Parts:
    """Arrays by name, in a folder, or in memory where there is none.

    Args:
        folder: where they are; None keeps them in memory.
        plan: what they are parts of; anything that JSON can hold.
    """

    def __init__(self, folder: Path | None, plan: dict[str, Any]) -> None:
        self.folder = folder
        self.kept: dict[str, Words] = {}
        self.notes: dict[str, Any] = {}
        self.plan = json.loads(json.dumps(plan))
        if folder is not None:
            folder.mkdir(exist_ok=True)
            self._read_plan()

    def begin(self, plan: dict[str, Any]) -> None:
        """Removes all parts: the plan has changed."""
        self.plan, self.notes = json.loads(json.dumps(plan)), {}
        self.kept.clear()
        if self.folder is not None:
            for path in self.folder.iterdir():
                path.unlink()
            self.note()

    def note(self, **notes: Any) -> None:
        """Keeps facts beside the parts, by name."""
        self.notes.update(notes)
        if self.folder is not None:
            text = json.dumps({"plan": self.plan, "notes": self.notes})
            with whole_file(self.folder / "plan.json", lasting=True) as file:
                file.write(text.encode())

    @contextmanager
    def making(self, name: str, size: int) -> Iterator[Words]:
        """An array of so many zeros to fill, which is kept under that name once it is left.

        On disk it is mapped: what is filled takes no memory that the system could not have back.
        Its room is taken beforehand, so that a full disk is an error here, not a signal later on.

        Raises:
            OSError: there is no room for it, or it cannot be written.
        """
        if self.folder is None:
            self.kept[name] = np.zeros(size, np.uint64)
            yield self.kept[name]
            return
        with whole_file(self.folder / name, lasting=True) as file:
            take_room(file, _HEAD.size + 8 * size)
            mapped = np.memmap(file, np.uint64, "r+", _HEAD.size, (size,))
            yield mapped.view(np.ndarray)
            mapped.flush()
            file.seek(0)
            file.write(_HEAD.pack(_MAGIC, checksum(mapped), size))

    @contextmanager
    def revising(self, name: str, array: Words, later: str) -> Iterator[Words]:
        """The array of a name, to be changed, which is kept under another name once it is left.

        Raises:
            OSError: there is no room for it, or it cannot be written.
        """
        if self.folder is None:
            yield array
            self.kept[later] = array
        else:
            with self.making(later, array.size) as room:
                room[:] = array
                yield room
        self.drop(name)

    def put(self, name: str, array: Words) -> None:
        """Keeps an array.

        Raises:
            OSError: it cannot be written.
        """
        with self.making(name, array.size) as room:
            room[:] = array

    @property
    def bytes(self) -> int:
        """Memory that parts take, which is none where they are on disk."""
        return sum(array.nbytes for array in self.kept.values())

    def get(self, name: str) -> Words | None:
        """The array of that name, as it is on disk; None if there is none that is whole."""
        if self.folder is None:
            return self.kept.get(name)
        path = self.folder / name
        try:
            with path.open("rb") as file:
                magic, check, size = _HEAD.unpack(file.read(_HEAD.size))
            array = np.memmap(path, np.uint64, "r", _HEAD.size, (size,))
        except (OSError, ValueError, OverflowError, struct.error):
            return None
        return array if magic == _MAGIC and checksum(array) == check else None

    def drop(self, name: str) -> None:
        """Removes the array of that name, if there is one."""
        self.kept.pop(name, None)
        if self.folder is not None:
            (self.folder / name).unlink(missing_ok=True)

    def remove(self) -> None:
        """Removes all parts and their folder."""
        self.kept.clear()
        if self.folder is not None:
            shutil.rmtree(self.folder)

    def _read_plan(self) -> None:
        assert self.folder is not None
        try:
            found = json.loads((self.folder / "plan.json").read_text())
            same = found["plan"] == self.plan
            self.notes = found["notes"] if same else {}
        except (OSError, ValueError, KeyError, TypeError):
            same = False
        if not same:
            self.begin(self.plan)


def checksum(array: Words) -> int:
    """CRC-32 of an array's bytes."""
    found = 0
    for piece in pieces_of(array):
        found = zlib.crc32(piece, found)
    return found


def pieces_of(array: Words) -> list[memoryview]:
    """The bytes of an array in pieces that are written or checked at a time."""
    data = memoryview(array.view(np.uint8))  # type: ignore[arg-type]  # an array is a buffer
    return [data[at : at + _STEP] for at in range(0, len(data), _STEP)]


def take_room(file: IO[bytes], size: int) -> None:
    """Makes a new file so many bytes long, all of them taken from the disk."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for at in range(0, size, _STEP):
        file.write(bytes(min(_STEP, size - at)))
