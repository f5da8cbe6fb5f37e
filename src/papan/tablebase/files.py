"""The file of a database: a header, and the blocks of its layers one after the other.

    bytes 0 … 7     PAPANDB and the version of the format
    bytes 8 … 15    length of the header, CRC-32 of the header
    header          JSON, then spaces to a multiple of 8 bytes
    blocks          see `papan.tablebase.keys`; words have their lowest byte first

The header has the game, a digest of its rules' sources, the packing of keys, counts by outcome and
distance, and of each block its rank, its place, its length and its checksum. The file is mapped
into memory: only what is looked up is read. `read_file` checks the whole header; `Database` checks
a block when it is first used.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import struct
import zlib
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from papan.core.game import Game
from papan.errors import UsageError
from papan.jit.code_cache import PACKAGE
from papan.rules import operations as rules
from papan.rules import repetition, solving
from papan.rules.dispatch import Operation
from papan.rules.wide import WORD
from papan.tablebase.keys import HEAD, RESULTS_IN_WORD
from papan.tablebase.packing import Words
from papan.tablebase.parts import checksum, pieces_of
from papan.tablebase.results import OUTCOMES
from papan.whole_files import whole_file

VERSION = 1
#: How databases are made, as headers and plans have it.
FORWARD, CIRCLES = "forward", "circles"

#: Largest header, in bytes: a layer takes about 100.
_LARGEST_HEADER = 1 << 24
#: Characters of a text in a header: a spec may hold a path.
_LONGEST_TEXT = 4096
#: Results fit into 14 bits, and a rank is a number of plies.
_MOST_RANK = 1 << 20
_MAGIC = b"PAPANDB"
_HEAD = struct.Struct("<7sBII")
_ROW = ("rank", "at", "words", "checksum")
_FULL, _MOST_CHECKSUM = (1 << WORD) - 1, (1 << 32) - 1
#: The number of plies, or the margin, that positions are counted by.
_DISTANCE = re.compile(r"-?[0-9]{1,9}")


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
            text = file.read(min(length, _LARGEST_HEADER))
            size, odd = divmod(Path(path).stat().st_size - _HEAD.size - length, 8)
        header = _json(text) if len(text) == length and zlib.crc32(text) == check else None
        if odd or not isinstance(header, dict) or not _is_header(header, size):
            raise UsageError("database.damaged", text=path)
        return header, np.memmap(path, np.uint64, "r", _HEAD.size + length, (size,))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unreadable", text=path, reason=reason) from None


def _json(text: bytes) -> Any:
    """The value of a JSON text; None for any other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_header(header: dict[str, Any], size: int) -> bool:
    """True if the header of a file with so many words in blocks is complete and consistent.

    Compiled code reads the blocks and checks nothing.
    """
    texts = [header.get(name) for name in ("game", "rules", "root", "method")]
    flags = [header.get(name, False) for name in ("numbered", "pruned")]
    return (
        all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in texts)
        and all(isinstance(flag, bool) for flag in flags)
        and header["method"] in (FORWARD, CIRCLES)
        and _is_whole(header.get("positions"), RESULTS_IN_WORD * size)
        and _is_whole(header.get("images"), _FULL)
        and _are_counts(header.get("counts"), header["positions"])
        and _are_spans(header.get("spans"))
        and _are_rows(header.get("blocks"), size)
    )


def _is_whole(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _are_counts(counts: object, positions: int) -> bool:
    """True if the numbers of positions by outcome and distance are those of all positions."""
    if not isinstance(counts, dict) or not set(counts) <= set(OUTCOMES):
        return False
    if not all(isinstance(each, dict) for each in counts.values()):
        return False
    found = [pair for each in counts.values() for pair in each.items()]
    return (
        all(_DISTANCE.fullmatch(number) for number, _ in found)
        and all(_is_whole(count, positions) for _, count in found)
        and sum(count for _, count in found) == positions
    )


def _are_spans(spans: object) -> bool:
    """True for spans of words of 64 bits."""
    return isinstance(spans, list) and all(
        isinstance(span, list)
        and [type(part) for part in span] == [int, int, bool]
        and (-_FULL <= span[0] <= span[1] <= span[0] + _FULL)
        and (span[2] or (span[0] >= 0 and span[1] <= _FULL and not span[0] & ~span[1]))
        for span in spans
    )


def _are_rows(rows: object, size: int) -> bool:
    """True for rows of blocks that follow each other by rank and fill a file."""
    if not isinstance(rows, list) or not rows:
        return False
    place, last = 0, -1
    for row in rows:
        fields = [row.get(name) for name in _ROW] if isinstance(row, dict) else []
        if not fields or not all(map(_is_whole, fields, (_MOST_RANK, size, size, _MOST_CHECKSUM))):
            return False
        if row["rank"] <= last or row["at"] != place or row["words"] < HEAD:
            return False
        place, last = place + row["words"], row["rank"]
    return place == size


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
    rules_folder = PACKAGE / "rules"
    own = sorted(
        file for file in files if file is not None and not file.is_relative_to(rules_folder)
    )
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
