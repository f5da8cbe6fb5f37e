"""The files of tablebases: finished tablebases, and the parts of unfinished ones.

The file has a header, followed by the blocks of its layers:

    bytes 0 … 7     PAPANDB and the version of the format
    bytes 8 … 15    length of the header, CRC-32 of the header
    header          JSON, then spaces to a multiple of 8 bytes
    blocks          see `papan.tablebase.keys`; words are little-endian

The header has the game, a digest of its rules' source code, the value ranges of the codec
("spans"), and counts by outcome and distance. For each block it has the depth ("rank"), offset,
length and checksum. The file is mapped into memory, so that only the looked-up pages are read.
`read_file` checks the whole header; `Tablebase` checks a block on first use.

A part is a file with 16 bytes (file type, checksum, length) and an array. It is written under
another name and renamed when it is complete, so that a killed program leaves only complete parts.
`plan.json` identifies the build; parts of another build are removed.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

from papan.core.game import Game
from papan.errors import UsageError
from papan.jit.code_cache import PACKAGE
from papan.rules import operations as rules
from papan.rules import repetition, solving
from papan.rules.dispatch import Operation
from papan.rules.wide import WORD
from papan.tablebase.codec import OUTCOMES, Words
from papan.tablebase.keys import HEAD, RESULTS_IN_WORD
from papan.whole_files import whole_file

VERSION = 1
#: The methods in headers and plans, for games without cycles and for cyclic games.
FORWARD, CYCLIC = "forward", "circles"

#: Size limit of a header in bytes; a layer takes about 100.
_LARGEST_HEADER = 1 << 24
#: Largest number of characters of a text in a header; a spec may contain a path.
_LONGEST_TEXT = 4096
#: Largest depth of a layer in plies.
_MOST_DEPTH = 1 << 20
_MAGIC, _PART_MAGIC = b"PAPANDB", b"PaPt"
#: Both heads have 16 bytes, so that the words after them are aligned.
_HEAD, _PART_HEAD = struct.Struct("<7sBII"), struct.Struct("<4sIQ")
#: Number of bytes that are written or checked at once (64 MB).
_STEP = 1 << 26
_ROW = ("rank", "at", "words", "checksum")
_FULL, _MOST_CHECKSUM = (1 << WORD) - 1, (1 << 32) - 1
#: Pattern of a distance or margin in `counts`.
_DISTANCE = re.compile(r"-?[0-9]{1,9}")


def is_tablebase(path: str | Path) -> bool:
    """True if the file at a path starts like a tablebase of any version."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False


def write_file(path: Path, header: dict[str, Any], blocks: list[Words]) -> None:
    """Writes a tablebase atomically.

    Raises:
        OSError: it cannot be written.
    """
    # Padded, so that the blocks start at a multiple of 8 bytes and can be mapped as words.
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    head = _HEAD.pack(_MAGIC, VERSION, len(text), zlib.crc32(text))
    with whole_file(path, lasting=True) as file:
        file.writelines([head, text, *chain.from_iterable(map(split_bytes, blocks))])


def read_file(path: str | Path) -> tuple[dict[str, Any], Words]:
    """Returns the header of a tablebase and its blocks, mapped into memory.

    Raises:
        UsageError: the file does not exist, is not a tablebase, is damaged, or has another version.
    """
    try:
        with open(path, "rb") as file:
            start = file.read(_HEAD.size)
            if len(start) < _HEAD.size or not start.startswith(_MAGIC):
                raise UsageError("tablebase.no-file", text=path)
            _, version, length, check = _HEAD.unpack(start)
            if version != VERSION:
                raise UsageError("tablebase.version", text=path, found=version, expected=VERSION)
            # A damaged length must not allocate gigabytes; a shorter text fails the test below.
            text = file.read(min(length, _LARGEST_HEADER))
            size, odd = divmod(Path(path).stat().st_size - _HEAD.size - length, 8)
        header = _parse_json(text) if len(text) == length and zlib.crc32(text) == check else None
        if odd or not isinstance(header, dict) or not _is_header(header, size):
            raise UsageError("tablebase.damaged", text=path)
        return header, np.memmap(path, np.uint64, "r", _HEAD.size + length, (size,))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unreadable", text=path, reason=reason) from None


def _parse_json(text: bytes) -> Any:
    """Returns the value of a JSON text; None if it is not valid."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_header(header: dict[str, Any], size: int) -> bool:
    """True if the header is complete, and consistent with `size` words in blocks.

    Compiled code reads the blocks without further checks.
    """
    texts = [header.get(name) for name in ("game", "rules", "root", "method")]
    flags = [header.get(name, False) for name in ("numbered", "pruned")]
    # The order matters: later tests rely on types that earlier ones checked.
    return (
        all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in texts)
        and all(isinstance(flag, bool) for flag in flags)
        and header["method"] in (FORWARD, CYCLIC)
        and _is_whole(header.get("positions"), RESULTS_IN_WORD * size)
        and _is_whole(header.get("images"), _FULL)
        and _are_counts(header.get("counts"), header["positions"])
        and _are_ranges(header.get("spans"))
        and _are_rows(header.get("blocks"), size)
    )


def _is_whole(value: object, most: int) -> bool:
    # Not `isinstance`, because `bool` is an `int`.
    return type(value) is int and 0 <= value <= most


def _are_counts(counts: object, positions: int) -> bool:
    """True if the counts by outcome and distance add up to all positions."""
    if not isinstance(counts, dict) or not set(counts) <= set(OUTCOMES):
        return False
    if not all(isinstance(each, dict) for each in counts.values()):
        return False
    pairs = [pair for each in counts.values() for pair in each.items()]
    return (
        all(_DISTANCE.fullmatch(number) for number, _ in pairs)
        and all(_is_whole(count, positions) for _, count in pairs)
        and sum(count for _, count in pairs) == positions
    )


def _are_ranges(ranges: object) -> bool:
    """True for value ranges of words of 64 bits."""
    return isinstance(ranges, list) and all(
        isinstance(each, list)
        and [type(part) for part in each] == [int, int, bool]
        and (-_FULL <= each[0] <= each[1] <= each[0] + _FULL)
        and (each[2] or (each[0] >= 0 and each[1] <= _FULL and not each[0] & ~each[1]))
        for each in ranges
    )


def _are_rows(rows: object, size: int) -> bool:
    """True for rows of blocks that are sorted by depth and fill a file without gaps."""
    if not isinstance(rows, list) or not rows:
        return False
    place, last = 0, -1
    for row in rows:
        fields = [row.get(name) for name in _ROW] if isinstance(row, dict) else []
        if not fields or not all(map(_is_whole, fields, (_MOST_DEPTH, size, size, _MOST_CHECKSUM))):
            return False
        if row["rank"] <= last or row["at"] != place or row["words"] < HEAD:
            return False
        place, last = place + row["words"], row["rank"]
    return place == size


def block_rows(depths: list[int], blocks: list[Words]) -> list[dict[str, int]]:
    """Returns the header's rows about its blocks."""
    rows, place = [], 0
    for depth, block in zip(depths, blocks, strict=True):
        check = checksum(block)
        rows.append({"rank": depth, "at": place, "words": block.size, "checksum": check})
        place += block.size
    return rows


def rules_digest(game: Game) -> str:
    """Returns a digest of the source code of a game's rules, without Papan's defaults.

    It covers the files of the game's class and of all operations registered for its states.
    """
    files = {_source(type(game))}
    # A game file can register operations anywhere, so all operations are asked for their source.
    for module in (rules, repetition, solving):
        for item in vars(module).values():
            if isinstance(item, Operation):
                files.add(_source(item.find(type(game.start_state()))))
    rules_folder = PACKAGE / "rules"
    # A change of Papan's defaults leaves files valid. Sorted, because sets have no fixed order.
    own = sorted(
        file for file in files if file is not None and not file.is_relative_to(rules_folder)
    )
    digest = hashlib.sha256()
    for file in own:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _source(item: Any) -> Path | None:
    """Returns the source file of a class or a function; None if it has none."""
    try:
        path = Path(inspect.getfile(item))
    except TypeError:
        return None
    return path if path.is_file() else None


# --- parts ----------------------------------------------------------------------------------------


class Parts:
    """Arrays by name, in a folder or in memory.

    Args:
        folder: the folder; None for memory.
        plan: identifies the build to which the arrays belong; any JSON value.
    """

    def __init__(self, folder: Path | None, plan: dict[str, Any]) -> None:
        self.folder = folder
        self.arrays: dict[str, Words] = {}
        self.notes: dict[str, Any] = {}
        # As it is after a round trip through the file: tuples become lists.
        self.plan = json.loads(json.dumps(plan))
        if folder is not None:
            folder.mkdir(exist_ok=True)
            self._read_plan()

    def restart(self, plan: dict[str, Any]) -> None:
        """Removes all parts, because the plan has changed."""
        self.plan, self.notes = json.loads(json.dumps(plan)), {}
        self.arrays.clear()
        if self.folder is not None:
            for path in self.folder.iterdir():
                path.unlink()
            self.note()

    def note(self, **notes: Any) -> None:
        """Stores facts by name, in addition to the parts."""
        self.notes.update(notes)
        if self.folder is not None:
            # Replaced by a rename, so that a killed program leaves the old notes or the new ones.
            text = json.dumps({"plan": self.plan, "notes": self.notes})
            with whole_file(self.folder / "plan.json", lasting=True) as file:
                file.write(text.encode())

    @contextmanager
    def making(self, name: str, size: int) -> Iterator[Words]:
        """Yields an array of zeros to fill; stores it at the end of the `with` block.

        On disk the array is mapped, so that the system can reclaim its memory. Its disk space is
        allocated first, so that a full disk raises an error here, and not a signal later.

        Raises:
            OSError: the disk is full, or the file cannot be written.
        """
        if self.folder is None:
            self.arrays[name] = np.zeros(size, np.uint64)
            yield self.arrays[name]
            return
        with whole_file(self.folder / name, lasting=True) as file:
            allocate(file, _PART_HEAD.size + 8 * size)
            mapped = np.memmap(file, np.uint64, "r+", _PART_HEAD.size, (size,))
            yield mapped.view(np.ndarray)
            # The head comes last: the checksum covers the finished array.
            mapped.flush()
            file.seek(0)
            file.write(_PART_HEAD.pack(_PART_MAGIC, checksum(mapped), size))

    @contextmanager
    def revising(self, name: str, array: Words, later: str) -> Iterator[Words]:
        """Yields a copy of the array `name` to change.

        At the end of the `with` block, the copy is stored as `later` and the old array is removed.

        Raises:
            OSError: the disk is full, or the file cannot be written.
        """
        if self.folder is None:
            yield array
            self.arrays[later] = array
        else:
            with self.making(later, array.size) as room:
                room[:] = array
                yield room
        # Removed only now: an interrupted change leaves the old array.
        self.drop(name)

    def put(self, name: str, array: Words) -> None:
        """Stores an array.

        Raises:
            OSError: it cannot be written.
        """
        with self.making(name, array.size) as room:
            room[:] = array

    @property
    def bytes(self) -> int:
        """Memory of the parts in bytes; 0 if they are on disk."""
        return sum(array.nbytes for array in self.arrays.values())

    def get(self, name: str) -> Words | None:
        """Returns the array with that name; None if it does not exist or its file is damaged."""
        if self.folder is None:
            return self.arrays.get(name)
        path = self.folder / name
        try:
            with path.open("rb") as file:
                magic, check, size = _PART_HEAD.unpack(file.read(_PART_HEAD.size))
            array = np.memmap(path, np.uint64, "r", _PART_HEAD.size, (size,))
        except (OSError, ValueError, OverflowError, struct.error):
            return None
        # A damaged part counts as missing.
        return array if magic == _PART_MAGIC and checksum(array) == check else None

    def drop(self, name: str) -> None:
        """Removes the array with that name, if it exists."""
        self.arrays.pop(name, None)
        if self.folder is not None:
            (self.folder / name).unlink(missing_ok=True)

    def remove(self) -> None:
        """Removes all parts and their folder."""
        self.arrays.clear()
        if self.folder is not None:
            shutil.rmtree(self.folder)

    def _read_plan(self) -> None:
        assert self.folder is not None
        try:
            stored = json.loads((self.folder / "plan.json").read_text())
            same = stored["plan"] == self.plan
            self.notes = stored["notes"] if same else {}
        except (OSError, ValueError, KeyError, TypeError):
            same = False
        if not same:
            self.restart(self.plan)


def checksum(array: Words) -> int:
    """Returns the CRC-32 of an array's bytes."""
    check = 0
    for piece in split_bytes(array):
        check = zlib.crc32(piece, check)
    return check


def split_bytes(array: Words) -> list[memoryview]:
    """Returns the bytes of an array, in pieces for writing and checking."""
    data = memoryview(array.view(np.uint8))  # type: ignore[arg-type]  # an array is a buffer
    return [data[at : at + _STEP] for at in range(0, len(data), _STEP)]


def allocate(file: IO[bytes], size: int) -> None:
    """Allocates disk space for all bytes of a new file."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for at in range(0, size, _STEP):
        file.write(bytes(min(_STEP, size - at)))
