"""Records and stores with anything changed in them are read as far as they can be, and refused in
words where they cannot."""

import random
import shutil
import sqlite3
import warnings
from datetime import UTC, datetime
from pathlib import Path

import pytest

from attack.conftest import Wanted
from papan.cli import main
from papan.errors import PapanError
from papan.jit import code_store
from papan.records import text
from papan.records.model import Record
from papan.records.queries import Filters
from papan.records.store import Store
from records.samples import SPECS, played

_JUNK = (
    *("\0", "\ud800", "é", '"', "]", "[", "\\", "\r", "\n\n", "\t", "{", "0.", "1-0", "*", "𝔵" * 9),
    *('[Game "../x.py"]', '[Game "~nosuchuser/x.py"]', '[Round "-1"]', '[Exit "1e999"]'),
    *("9" * 5000, '[Seconds "nan inf -1"]', '[Id "/"]', '[Format "99"]', "a1 " * 999),
)


def mutated(source: str, chance: random.Random) -> str:
    """A text with one to three changes: of characters, words, lines, or where they stand."""
    for _ in range(chance.randint(1, 3)):
        lines = source.splitlines(keepends=True) or [""]
        at, place = chance.randrange(len(lines)), chance.randrange(len(source) + 1)
        source = chance.choice(
            [
                source[:place] + chance.choice(_JUNK) + source[place:],
                source[:place] + source[place + chance.randint(1, 40) :],
                source[:place],
                "".join(lines[:at] + lines[at + 1 :]),
                "".join(lines[:at] + [lines[at]] * chance.choice([2, 2, 300]) + lines[at:]),
                "".join(chance.sample(lines, len(lines))),
                source[:place] + chr(chance.randrange(0x110000)) + source[place + 1 :],
            ]
        )
    return source


@pytest.fixture(scope="module")
def sample_text() -> str:
    return "\n".join(text.write(played(spec, 3)) for spec in SPECS)


def test_a_changed_record_is_read_or_named(sample_text: str, wanted: Wanted) -> None:
    count, chance, found = wanted("mutated records"), random.Random(1), {True: 0, False: 0}
    for _ in range(count):
        source = mutated(sample_text, chance)
        for one in text.read(source):
            found[isinstance(one, Record)] += 1
            if isinstance(one, text.BadGame):
                assert "\n" not in one.reason, source
            else:
                assert list(text.read(text.write(one))) == [one], source
    assert found[True] > count
    assert found[False] > count / 10


def test_records_import_ends_with_a_status_and_no_traceback(
    sample_text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance, tried = random.Random(2), 0
    for number in range(5):
        path = tmp_path / "games.txt"
        path.write_bytes(mutated(sample_text, chance).encode("utf-8", "surrogatepass"))
        store = str(tmp_path / f"{number}.sqlite")
        assert main(["records", "import", str(path), "--store", store]) in (0, 2)
        assert "Traceback" not in capsys.readouterr().err
        tried += 1
    assert tried == 5


def bent(path: Path, chance: random.Random) -> None:
    """Changes a database: bytes of its file, or what its rows say."""
    content = bytearray(path.read_bytes())
    kind = chance.randrange(4)
    if kind == 0:
        for _ in range(chance.choice([1, 8, 200])):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
    elif kind == 1:
        path.write_bytes(content[: chance.randrange(len(content))])
    elif kind == 2:
        start = chance.randrange(len(content))
        content[start : start + 500] = bytes(500)
        path.write_bytes(content)
    else:
        with sqlite3.connect(path) as database:
            tables = [
                row[0]
                for row in database.execute("select name from sqlite_master where type = 'table'")
            ]
            table = chance.choice(tables)
            columns = [row[1] for row in database.execute(f"pragma table_info({table})")]
            value = chance.choice([None, -1, 2**62, 1.5, "", "no", b"\xff\0", "x" * 9999])
            try:
                database.execute(f"update {table} set {chance.choice(columns)} = ?", (value,))
            except sqlite3.Error:
                database.execute(f"drop table {table}")
        database.close()


FILTERS: list[Filters] = [
    {},
    {"game": "corners", "player": "random"},
    {"event": "cup", "result": "x"},
    {"since": datetime(2025, 1, 1, tzinfo=UTC)},
    {"session": "one"},
]


def test_a_changed_store_is_read_as_far_as_it_can_be(tmp_path: Path, wanted: Wanted) -> None:
    whole, count, chance = tmp_path / "whole.sqlite", wanted("mutated stores"), random.Random(3)
    with Store(whole) as store:
        store.add_all([played(spec, seed) for spec in SPECS for seed in range(3)])
        store.save("mine", played("corners", 4, event="cup"), {"x": "one"})
    tried = refused = 0
    for _ in range(count):
        path = tmp_path / "bent.sqlite"
        for old in tmp_path.glob("bent*"):
            old.unlink()
        shutil.copy(whole, path)
        bent(path, chance)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Store(path) as store:
                    for record in store.find():
                        text.write(record)
                    store.events(), store.games(), store.rounds("cup"), store.results_of("one")
                    for filters in FILTERS:
                        store.count(**filters), store.stats(**filters)
                        list(store.find(**filters, newest_first=True, offset=1))
                    store.add(played("corners", 9))
        except PapanError as error:
            refused += "\n" not in str(error)
        tried += 1
    assert tried == count
    assert 0 < refused < tried


def test_changed_files_of_compiled_code_are_known(tmp_path: Path, wanted: Wanted) -> None:
    """Not one bit, cut or addition passes the checksum, so that no such code is ever run."""
    path, chance, count = (
        tmp_path / "one.code",
        random.Random(4),
        wanted("mutated files of compiled code"),
    )
    known = 0
    for _ in range(count):
        content = chance.randbytes(chance.randint(1, 3000))
        code_store.write(path, content)
        raw = bytearray(path.read_bytes())
        at = chance.randrange(len(raw))
        kind = chance.randrange(4)
        if kind == 0:
            raw[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del raw[at:]
        elif kind == 2:
            raw[at:at] = chance.randbytes(chance.randint(1, 9))
        else:
            del raw[at : at + chance.randint(1, 9)]
        path.write_bytes(raw)
        with pytest.raises(code_store.Damaged):
            code_store.read(path)
        known += 1
    assert known == count
