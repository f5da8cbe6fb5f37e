"""Killed at any moment, a command that writes leaves what it had, or the whole of what it was to
write, and never half: the same command then does its work."""

import json
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
from papan.learn import weights
from papan.players import level_file
from papan.records import text
from papan.records.model import Record
from papan.records.store import Store
from papan.solve.puzzle_files import read_puzzles
from papan.tablebase.lookup import Tablebase
from records.samples import played
from support import environment

GAME = "platforms:size=4"

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
    assert openings.load(papan.game(GAME), str(path))


def _python(path: Path) -> None:
    compile(path.read_text(encoding="utf-8"), str(path), "exec")


def _weights(path: Path) -> None:
    weights.read(path, papan.game(GAME))


def _levels(path: Path) -> None:
    level_file.read_levels(path, papan.game(GAME))


def _values(path: Path) -> None:
    start = papan.game(GAME).start()
    assert Tablebase.open(path).value(start) is not None


def _tuning(path: Path) -> None:
    json.loads(path.read_text(encoding="utf-8"))


def _page(path: Path) -> None:
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")


def _puzzles(path: Path) -> None:
    assert read_puzzles(path)


def _tables(path: Path) -> None:
    for file in path.glob("*.json"):
        json.loads(file.read_text(encoding="utf-8"))
    if (path / "games.sqlite").exists():
        _rows(path / "games.sqlite")


#: The file that each command writes, its words, and what a whole one is. FILE is that file,
#: GAMES a text of games, KEPT a store of them.
COMMANDS: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "match": ("a.sqlite", "match GAME first random --games 40 --store FILE", _rows),
    "match --records": (
        "a.txt",
        "match GAME first random --games 4 --records FILE",
        _games,
    ),
    "tournament": ("b.sqlite", "tournament GAME first random --store FILE", _rows),
    "records import": ("c.sqlite", "records import GAMES --store FILE", _rows),
    "records export": ("d.txt", "records export FILE --store KEPT", _games),
    "openings": ("e.txt", "openings GAME --count 3 -o FILE", _openings),
    "tree": ("f.svg", "tree GAME --depth 2 --algorithm minimax -o FILE", _picture),
    "values": ("m.svg", "values GAME --out FILE", _picture),
    "new game": ("mine.py", "new game mine", _python),
    "train": ("g.weights", "train GAME --games 400 --seed 1 -o FILE", _weights),
    "tablebase": ("h.db", "tablebase GAME --out FILE", _values),
    "levels": ("i.levels", "levels GAME --games 4 --seed 1 -o FILE", _levels),
    "tune": (
        "j.json",
        "tune GAME mcts --parameters exploration --games 8 --final 2 --nodes 50 -o FILE",
        _tuning,
    ),
    "grade": ("k.html", "grade GAME random --pairs 1 --positions 5 --html FILE", _page),
    "puzzles": ("l.txt", "puzzles GAME --count 2 -o FILE", _puzzles),
    "reproduce": ("tables", "reproduce --only platforms --quick --out FILE", _tables),
}
#: Those that are killed while they compile, and so before they write, if they have not run before.
COMPILING = ("train", "tablebase", "levels", "tune", "grade", "puzzles", "reproduce")


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, timeout=300)


def test_what_is_killed_while_it_writes_leaves_nothing_half(tmp_path: Path, wanted: Wanted) -> None:
    count, chance, killed = wanted("kills while writing"), random.Random(7), 0
    games, kept = tmp_path / "games.txt", tmp_path / "kept.sqlite"
    known = [played("corners", seed) for seed in range(1, 5)]
    games.write_text("\n".join(map(text.write, known)))
    with Store(kept) as store:
        store.add_all(known)

    def command(name: str, folder: Path) -> tuple[list[str], Path]:
        file, words, _ = COMMANDS[name]
        folder.mkdir()
        places = {"FILE": folder / file, "GAMES": games, "KEPT": kept, "GAME": GAME}
        filled = [str(places.get(word, word)) for word in words.split()]
        return [sys.executable, "-m", "papan", *filled], folder / file

    names, tries = list(COMMANDS), 0
    ready = set(names) - set(COMPILING)
    while killed < count:
        tries += 1
        assert tries < 20 * count + 20
        name = names[tries % len(names)]
        if name not in ready:
            ready.add(name)
            whole, path = command(name, tmp_path / name)
            assert _run(whole, path.parent).returncode == 0, name
            COMMANDS[name][2](path)
        words, path = command(name, tmp_path / str(tries))
        process = subprocess.Popen(
            words,
            cwd=path.parent,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0, _LONGEST))
        process.kill()
        if process.wait() != -9:
            continue  # it had ended by itself
        killed += 1
        check = COMMANDS[name][2]
        if path.exists() and (path.suffix != ".sqlite" or path.stat().st_size):
            check(path)
        if killed % 5 == 1:
            again = _run(words, path.parent)
            assert again.returncode == 0 or b"already" in again.stderr, (name, again.stderr)
            check(path)
    assert killed == count
