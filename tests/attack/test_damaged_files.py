"""Files with anything changed in them are refused in one line, or read for what they are."""

import copy
import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import papan
from attack.conftest import Wanted
from attack.test_mutated_records import mutated
from papan.arena import openings
from papan.cli.tournament import read_config
from papan.errors import PapanError, UsageError
from papan.learn import weights
from papan.learn.survey import survey
from papan.learn.weights import Weights, network_of
from papan.players import level_file
from papan.players.level_file import Comparison, GameLevels, MeasuredLevel, Strength
from papan.solve.puzzle_files import read_puzzles
from papan.tablebase.build import build
from papan.tablebase.lookup import Tablebase

#: Numbers, words and shapes that a program does not expect in JSON.
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 10**12, 2**62, 2**63, 2**64, -(2**64), 10**40, 1.5, 1e308),
    *(float("inf"), float("nan"), "", "no", "a\nb", "x" * 9999, "\0", [], {}, [[]], [1, 2, 3]),
    {"": {}},
)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The bytes of a file with some bits changed, a part cut off, left out, doubled or zeroed."""
    at, size = chance.randrange(len(content)), chance.randint(1, min(500, 1 + len(content) // 9))
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


def is_refused(use: Callable[[], object]) -> bool:
    """True if a file is refused, in one line; False if it can be used."""
    try:
        use()
    except PapanError as error:
        text, kind = str(error), type(error)
    else:
        return False
    assert issubclass(kind, UsageError)
    assert text.count("\n") == 0 < len(text)
    return True


# --- tablebases -----------------------------------------------------------------------------------

GAME = "platforms"
_HEAD = struct.Struct("<7sBII")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A tablebase, and the values of some positions."""
    path, values = tmp_path_factory.mktemp("sound") / "game.db", {}
    tablebase = build(papan.game(GAME).start(), out=path)
    for seed in range(20):
        for _, position in tablebase.root.random_walk(random.Random(seed), 9):
            values[str(position)] = str(tablebase.value(position))
    return path, values


def with_header(content: bytes, change: Any) -> bytes:
    """A tablebase whose header was changed, with the checksum that belongs to it."""
    magic, version, length, _ = _HEAD.unpack(content[: _HEAD.size])
    header = change(json.loads(content[_HEAD.size : _HEAD.size + length]))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    head = _HEAD.pack(magic, version, len(text), zlib.crc32(text))
    return head + text + content[_HEAD.size + length :]


def true_values(path: Path, values: dict[str, str], chance: random.Random) -> None:
    """Asks a tablebase for some positions, each of which must have its true value."""
    tablebase = Tablebase.open(path)
    tablebase.as_dict()
    for line in chance.sample(list(values), 5):
        assert str(tablebase.value(line)) == values[line]


def test_a_tablebase_says_what_is_true_or_that_it_is_damaged(
    sound: tuple[Path, dict[str, str]], tmp_path: Path, wanted: Wanted
) -> None:
    path, values = sound
    content, chance, refused = path.read_bytes(), random.Random(8), 0
    for number in range(count := wanted("mutated tablebases")):
        bent = tmp_path / f"{number}.db"
        if number % 2:
            bent.write_bytes(damaged(content, chance))
        else:
            bent.write_bytes(with_header(content, lambda header: odd_json(header, chance)))
        refused += is_refused(partial(true_values, bent, values, chance))
        bent.unlink()
    assert count * 0.7 < refused <= count


def test_a_flipped_byte_in_a_block_is_found_when_the_block_is_used(
    sound: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    path, values = sound
    content, bent, found = path.read_bytes(), tmp_path / "bent.db", 0
    opened = Tablebase.open(path)
    start = len(content) - opened.words.nbytes
    for row in opened.header["blocks"]:
        changed = bytearray(content)
        changed[start + 8 * (row["at"] + row["words"]) - 1] ^= 0x40
        bent.write_bytes(changed)
        tablebase = Tablebase.open(bent)
        for line, value in values.items():
            if is_refused(partial(tablebase.value, line)):
                found += 1
            else:
                assert str(tablebase.value(line)) == value
    assert found >= len(opened.header["blocks"])


# --- weights and levels ---------------------------------------------------------------------------

LEARNT = "tictactoe"


@pytest.fixture(scope="module")
def sound_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of weights."""
    game, path = papan.game(LEARNT), tmp_path_factory.mktemp("weights") / "a.weights"
    facts = survey(game)
    network = network_of(game, facts)
    shape = (network.rows, network.features.weights)
    values = np.random.default_rng(1).integers(-99, 99, shape).astype(np.int16)
    Weights(game, facts, values, 2, {"games": 3}, {"score": 0.5}).write(path)
    return path


def with_weights_header(content: bytes, change: Callable[[Any], Any]) -> bytes:
    """Weights whose header was changed."""
    found = np.load(io.BytesIO(content))
    header = change(json.loads(found["header"].tobytes()))
    text, room = np.frombuffer(json.dumps(header).encode(), np.uint8), io.BytesIO()
    np.savez_compressed(room, header=text, weights=found["weights"])
    return room.getvalue()


def test_weights_are_read_or_refused(sound_weights: Path, tmp_path: Path, wanted: Wanted) -> None:
    game, chance = papan.game(LEARNT), random.Random(9)
    content, bent = sound_weights.read_bytes(), tmp_path / "bent.weights"
    values = weights.read(sound_weights, game)[0].values

    def use() -> None:
        found = weights.read(bent, game)[0]
        assert np.array_equal(found.values, values)
        assert found.is_stronger in (True, False)

    refused, tried = 0, wanted("mutated weights")
    for number in range(tried):
        change = lambda header: odd_json(header, chance)  # noqa: E731
        odd = with_weights_header(content, change) if number % 3 == 0 else damaged(content, chance)
        bent.write_bytes(odd)
        refused += is_refused(use)
    assert tried / 2 < refused <= tried


def _zipped(method: int = zipfile.ZIP_DEFLATED, **entries: bytes) -> bytes:
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)
    return room.getvalue()


def _array_of(shape: str, kind: str = "<i2", data: bytes = b"") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + data


HOSTILE_WEIGHTS = {
    "another compression": _zipped(zipfile.ZIP_LZMA, header=_array_of("(0,)")),
    "no compression": _zipped(zipfile.ZIP_STORED, header=_array_of("(0,)")),
    "a bomb": _zipped(header=bytes(1 << 27)),
    "many entries": _zipped(**{f"a{number}": b"" for number in range(5_000)}),
    "an array of any size": _zipped(header=_array_of("(999999999, 999999999)")),
    "an array of negative size": _zipped(header=_array_of("(-1,)")),
    "deep brackets": _zipped(header=_array_of("(" * 5_000)),
    "an object": _zipped(header=_array_of("(1,)", "|O")),
    "deep JSON": _zipped(header=_array_of("(99999,)", "|u1", b"[" * 99_999)),
    "a comment": _zipped(header=b"").replace(b"\0\0", b"\1\0")[:-2] + b"\1\0x",
    "nothing": b"",
}


@pytest.mark.parametrize("kind", HOSTILE_WEIGHTS)
def test_weights_of_another_layout_are_refused_before_they_are_unpacked(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.weights"
    path.write_bytes(HOSTILE_WEIGHTS[kind])
    assert is_refused(lambda: weights.read(path, papan.game(LEARNT)))


def test_levels_are_read_or_refused(tmp_path: Path, wanted: Wanted) -> None:
    game, chance, path = papan.game(LEARNT), random.Random(10), tmp_path / "a.levels"
    strengths = [Strength("mcts", 2**number, 0.3) for number in range(1, 4)]
    found = [MeasuredLevel(strength, 1500.0, 20.0, 96, 0.7, 0.1) for strength in strengths]
    best = (Comparison(0.1, 8, 0.5, 0.2, "0"),)
    results = {"mcts 0-1": "0112"}
    GameLevels(tuple(found), True, {"seed": 1, "rungs": [0]}, results, best).write(path, game)
    told, refused, tried = json.loads(path.read_text()), 0, wanted("mutated levels")
    for number in range(tried):
        if number % 2:
            path.write_text(json.dumps(odd_json(told, chance)))
        else:
            path.write_bytes(damaged(json.dumps(told).encode(), chance))
        refused += is_refused(lambda: level_file.read_levels(path, game))
    assert tried / 4 < refused <= tried
    for text in ("[" * 99_999, '{"a":' * 9_999, "1e999", "9" * 5_000, "{}", " " * (1 << 23)):
        path.write_text(text)
        assert is_refused(lambda: level_file.read_levels(path, game))


# --- texts ----------------------------------------------------------------------------------------

PUZZLES = """# platforms:size=4,level=2
2222/2202/2212/2222 x b1 d3; b2; win 5; 3; 1
2222/2202/2212/2222 x b1 d3; b2; win 5; –; 0
"""
CONFIG = """game = "platforms"  # a tournament
players = ["first", "random"]
pairs = 3
time = 0.5
openings = 'suite.txt'
env = []
"""
OPENINGS = "b2 c3\nb3 c2 # another\n\nb2\n"

TEXTS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "mutated puzzles": (PUZZLES, read_puzzles),
    "mutated tournament files": (CONFIG, lambda path: read_config(str(path))),
    "mutated openings": (
        OPENINGS,
        lambda path: openings.load(papan.game("platforms"), str(path)),
    ),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_is_read_or_refused(kind: str, tmp_path: Path, wanted: Wanted) -> None:
    text, read = TEXTS[kind]
    chance, path, refused, tried = random.Random(kind), tmp_path / "a.txt", 0, wanted(kind)
    for number in range(tried):
        if number % 2:
            path.write_bytes(mutated(text, chance).encode("utf-8", "surrogatepass"))
        else:
            path.write_bytes(damaged(text.encode(), chance))
        refused += is_refused(lambda: read(path))
    assert tried / 4 < refused <= tried


DEEP = {
    "brackets": "a = " + "[" * 30_000,
    "tables": "a = " + "{a = " * 10_000,
    "a dotted key": ".".join("a" * 30_000) + " = 1",
    "a dotted key with spaces": " . ".join("a" * 15_000) + " = 1",
    "a dotted table": "[" + ".".join("a" * 30_000) + "]",
    "behind an escape": 'a = """\\""" """\n' + ".".join("b" * 20_000) + " = 1",
    "behind five quotes": 'a = ["""b""""", "", ' + "[" * 20_000,
    "bytes": "a = 1\n" * 100_000,
}


@pytest.mark.parametrize("kind", DEEP)
def test_a_tournament_file_that_is_too_deep_is_not_parsed(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(DEEP[kind])
    with pytest.raises(UsageError, match="not a tournament file"):
        read_config(str(path))


def test_brackets_and_dots_in_texts_are_not_deep(tmp_path: Path) -> None:
    path = tmp_path / "flat.toml"
    path.write_text(CONFIG + 'store = """[[[[[[[[[[ a.b.c.d.e.f.g.h.i.j"""\n# [[[[[[[[[[[[\n')
    assert str(read_config(str(path))["store"]).startswith("[[[[[[[[[[")
