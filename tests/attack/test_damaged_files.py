"""Files with anything changed in them are refused in one line, or read for what they are."""

import copy
import json
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

import papan
from attack.conftest import Wanted
from papan.errors import PapanError
from papan.search.database.build import build
from papan.search.database.database import Database

#: Numbers, words and shapes that a program does not expect in JSON.
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 10**12, 2**62, 2**63, 2**64, -(2**64), 10**40, 1.5, 1e308),
    *(float("inf"), float("nan"), "", "no", "x" * 9999, "\0", [], {}, [[]], [1, 2, 3], {"": {}}),
)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The bytes of a file with some bits changed, a part cut off, left out, doubled or zeroed."""
    at, size = chance.randrange(len(content)), chance.randint(1, 500)
    match chance.randrange(5):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + content[at + size :]
        case 2:
            return content[:at] + content[at : at + size] + content[at:]
        case 3:
            return content[:at] + bytes(min(size, len(content) - at)) + content[at + size :]
    changed = bytearray(content)
    for _ in range(chance.choice([1, 1, 8])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def odd_json(value: Any, chance: random.Random) -> Any:
    """A copy of a value of JSON in which one part is left out, or something odd."""
    changed = copy.deepcopy(value)
    part = changed
    while isinstance(part, dict | list) and part:
        key = chance.choice(list(part) if isinstance(part, dict) else range(len(part)))
        if not isinstance(part[key], dict | list) or not part[key] or chance.random() < 0.3:
            if chance.random() < 0.1:
                del part[key]
            else:
                part[key] = chance.choice(ODD)
            return changed
        part = part[key]
    return chance.choice(ODD)


def one_line(error: PapanError) -> bool:
    """True for what a person can be told of a file, for a terminal as for a page."""
    text = str(error)
    return bool(text) and "\n" not in text and len(text) < 1_000


# --- databases ------------------------------------------------------------------------------------

GAME = "platforms"
_HEAD = struct.Struct("<7sBII")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A database, and the values of some positions."""
    path, values = tmp_path_factory.mktemp("sound") / "game.db", {}
    database = build(papan.game(GAME).start(), out=path)
    for seed in range(20):
        for _, position in database.root.random_walk(random.Random(seed), 9):
            values[str(position)] = str(database.value(position))
    return path, values


def with_header(content: bytes, change: Any) -> bytes:
    """A database whose header was changed, with the checksum that belongs to it."""
    magic, version, length, _ = _HEAD.unpack(content[: _HEAD.size])
    header = change(json.loads(content[_HEAD.size : _HEAD.size + length]))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    head = _HEAD.pack(magic, version, len(text), zlib.crc32(text))
    return head + text + content[_HEAD.size + length :]


def test_a_database_says_what_is_true_or_that_it_is_damaged(
    sound: tuple[Path, dict[str, str]], tmp_path: Path, wanted: Wanted
) -> None:
    path, values = sound
    content, chance, refused = path.read_bytes(), random.Random(8), 0
    for number in range(count := wanted("mutated databases")):
        bent = tmp_path / f"{number}.db"
        if number % 2:
            bent.write_bytes(damaged(content, chance))
        else:
            bent.write_bytes(with_header(content, lambda header: odd_json(header, chance)))
        try:
            database = Database.open(bent)
            database.as_dict()
            asked = {line: str(database.value(line)) for line in chance.sample(list(values), 5)}
        except PapanError as error:
            refused += 1
            assert one_line(error), error
        else:
            assert asked.items() <= values.items(), number
        bent.unlink()
    assert count * 0.7 < refused <= count


def test_a_flipped_byte_in_a_block_is_found_when_the_block_is_used(
    sound: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    path, values = sound
    content, bent, found = path.read_bytes(), tmp_path / "bent.db", 0
    opened = Database.open(path)
    start = len(content) - opened.words.nbytes
    for row in opened.header["blocks"]:
        changed = bytearray(content)
        changed[start + 8 * (row["at"] + row["words"]) - 1] ^= 0x40
        bent.write_bytes(changed)
        database = Database.open(bent)
        for line, value in values.items():
            try:
                assert str(database.value(line)) == value
            except PapanError as error:
                assert f"{bent} is damaged" in str(error)
                found += 1
    assert found >= len(opened.header["blocks"])
