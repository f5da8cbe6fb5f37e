"""The file of a database: a header, and the blocks of its layers one after the other.

    bytes 0 … 7     PAPANDB and the version of the format
    bytes 8 … 15    length of the header, CRC-32 of the header
    header          JSON, then spaces to a multiple of 8 bytes
    blocks          see `papan.search.database.keys`; words have their lowest byte first

The header has the game, a digest of its rules' sources, the packing of keys, counts by outcome and
distance, and of each block its rank, its place, its length and its checksum. The file is mapped
into memory: only what is looked up is read.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import struct
import zlib
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from papan.core.game import Game
from papan.errors import UsageError
from papan.kernel import operations as rules
from papan.kernel import repetition, solving
from papan.kernel.code_cache import PACKAGE
from papan.kernel.dispatch import Operation
from papan.search.database.packing import Words
from papan.search.database.parts import checksum, pieces_of
from papan.whole_files import whole_file

VERSION = 1
_MAGIC = b"PAPANDB"
_HEAD = struct.Struct("<7sBII")


def is_database(path: str | Path) -> bool:
    """True if there is a file at that path that begins as databases do, of whatever version."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False


def write_file(path: Path, header: dict[str, Any], blocks: list[Words]) -> None:
    """Writes a database; the file is there in whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    head = _HEAD.pack(_MAGIC, VERSION, len(text), zlib.crc32(text))
    with whole_file(path, lasting=True) as file:
        file.writelines([head, text, *chain.from_iterable(map(pieces_of, blocks))])


def read_file(path: str | Path) -> tuple[dict[str, Any], Words]:
    """The header of a database and its blocks, mapped into memory.

    Raises:
        UsageError: there is no such file, it is no database, or damaged, or of another version.
    """
    try:
        with open(path, "rb") as file:
            start = file.read(_HEAD.size)
            if len(start) < _HEAD.size or not start.startswith(_MAGIC):
                raise UsageError("database.no-file", text=path)
            _, version, length, check = _HEAD.unpack(start)
            if version != VERSION:
                raise UsageError("database.version", text=path, found=version, expected=VERSION)
            text = file.read(length)
        if zlib.crc32(text) != check:
            raise UsageError("database.damaged", text=path)
        header: dict[str, Any] = json.loads(text)
        size = sum(each["words"] for each in header["blocks"])
        place = _HEAD.size + length
        if Path(path).stat().st_size != place + 8 * size:
            raise UsageError("database.damaged", text=path)
        return header, np.memmap(path, np.uint64, "r", place, (size,))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unreadable", text=path, reason=reason) from None


def block_rows(ranks: list[int], blocks: list[Words]) -> list[dict[str, int]]:
    """The rows of a header about its blocks."""
    rows, place = [], 0
    for rank, block in zip(ranks, blocks, strict=True):
        check = checksum(block)
        rows.append({"rank": rank, "at": place, "words": block.size, "checksum": check})
        place += block.size
    return rows


def rules_digest(game: Game) -> str:
    """A digest of the sources of a game's rules: the files of its class and of all operations that
    are registered for its states, Papan's defaults aside."""
    files = {_source(type(game))}
    for module in (rules, repetition, solving):
        for item in vars(module).values():
            if isinstance(item, Operation):
                files.add(_source(item.find(type(game.start_state()))))
    kernel = PACKAGE / "kernel"
    own = sorted(file for file in files if file is not None and not file.is_relative_to(kernel))
    digest = hashlib.sha256()
    for file in own:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _source(item: Any) -> Path | None:
    """The file that a class or a function stands in; None if there is none."""
    try:
        path = Path(inspect.getfile(item))
    except TypeError:
        return None
    return path if path.is_file() else None
