"""Killed at any moment, a command that writes leaves what it had, or the whole of what it was to
write, and never half: the same command then does its work."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import papan
from attack.conftest import Wanted
from papan.arena import openings
from papan.records import text
from papan.records.model import Record
from papan.records.store import Store
from records.samples import played
from support import environment

#: The longest life of a command that is to be killed, in seconds: most have ended by then.
_LONGEST = 1.5


def _rows(path: Path) -> None:
    with Store(path) as store:
        for record in store.find():
            record.replay()


def _games(path: Path) -> None:
    assert all(isinstance(one, Record) for one in text.read(path.read_text(encoding="utf-8")))


def _picture(path: Path) -> None:
    ElementTree.parse(path)


def _openings(path: Path) -> None:
    assert openings.load(papan.game("platforms:size=4"), str(path))


def _python(path: Path) -> None:
    compile(path.read_text(encoding="utf-8"), str(path), "exec")


def _report(path: Path) -> None:
    assert path.stat().st_size > 0


#: The file that each command writes, its words, and what a whole one is. FILE is that file,
#: GAMES a text of games, KEPT a store of them.
COMMANDS: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "match": ("a.sqlite", "match platforms:size=4 first random --games 40 --store FILE", _rows),
    "match --records": (
        "a.txt",
        "match platforms:size=4 first random --games 4 --records FILE",
        _games,
    ),
    "tournament": ("b.sqlite", "tournament platforms:size=4 first random --store FILE", _rows),
    "records import": ("c.sqlite", "records import GAMES --store FILE", _rows),
    "records export": ("d.txt", "records export FILE --store KEPT", _games),
    "openings": ("e.txt", "openings platforms:size=4 --count 3 -o FILE", _openings),
    "tree": ("f.svg", "tree platforms:size=4 --depth 2 --algorithm minimax -o FILE", _picture),
    "new game": ("mine.py", "new game mine", _python),
}


def test_what_is_killed_while_it_writes_leaves_nothing_half(tmp_path: Path, wanted: Wanted) -> None:
    count, chance, killed = wanted("kills while writing"), random.Random(7), 0
    games, kept = tmp_path / "games.txt", tmp_path / "kept.sqlite"
    known = [played("corners", seed) for seed in range(1, 5)]
    games.write_text("\n".join(map(text.write, known)))
    with Store(kept) as store:
        store.add_all(known)
    names = list(COMMANDS)
    tries = 0
    while killed < count:
        tries += 1
        assert tries < 20 * count + 20
        name = names[tries % len(names)]
        file, words, check = COMMANDS[name]
        folder = tmp_path / str(tries)
        folder.mkdir()
        path = folder / file
        for mark, place in (("FILE", path), ("GAMES", games), ("KEPT", kept)):
            words = words.replace(mark, str(place))
        command = [sys.executable, "-m", "papan", *words.split()]
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0, _LONGEST))
        process.kill()
        if process.wait() != -9:
            continue  # it had ended by itself
        killed += 1
        if path.exists() and (path.suffix != ".sqlite" or path.stat().st_size):
            check(path)
        if killed % 5 == 1:
            again = subprocess.run(
                command, cwd=folder, env=environment(), capture_output=True, timeout=300
            )
            assert again.returncode == 0 or b"already" in again.stderr, (name, again.stderr)
            check(path)
    assert killed == count
