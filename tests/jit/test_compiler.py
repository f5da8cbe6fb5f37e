"""Compiled code is kept on disk, found again, and never used after a source has changed."""

from pathlib import Path

import pytest

from papan.jit import code_cache, code_store
from support import run_python

HEAP = """
from typing import NamedTuple
import numpy as np
from papan.rules.operations import moves, play, final_value

class Heap(NamedTuple):
    left: int
    side: int

@moves.register(Heap)
def _(state):
    return np.uint64((1 << min(2, state.left)) - 1)

@play.register(Heap)
def _(state, move):
    return Heap(state.left - move - 1, 1 - state.side)

@final_value.register(Heap)
def _(state):
    return -1
"""

#: An operation of a file's own, which no kernel of Papan's knows.
DECLARING = """
from papan.rules.dispatch import operation

@operation
def area(state): ...

@area.register(tuple)
def _(state):
    return len(state)
"""

#: A file that puts a rule of its own in the place of one of Papan's.
PASSING = """
from papan.games.platforms.rules import PlatformsState

@moves.register(PlatformsState)
def _(state):
    return np.uint64(1)

@play.register(PlatformsState)
def _(state, move):
    return state
"""

COUNT = """
import papan
from heap import Heap
from papan.search.perft import count_leaves
from papan.search.workspace import new_workspace
workspace = new_workspace(papan.game("platforms").start())
print(count_leaves(Heap(9, 0), 3, workspace), sum(count_leaves.stats.cache_hits.values()))
"""

SEARCH = """
import papan
from papan.search.perft import count_leaves, perft
print(perft(papan.game("platforms").start(), 4), sum(count_leaves.stats.cache_hits.values()))
"""


def output(code: str, cache: Path, **variables: str) -> list[str]:
    """The output of the code, as words; the code must run without a word on stderr."""
    done = run_python(code, PAPAN_CACHE_DIR=str(cache), **variables)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder in which a search of Platforms is kept, and a home beside it."""
    folder = tmp_path_factory.mktemp("filled")
    assert output(SEARCH, folder / "cache", HOME=str(folder / "home")) == ["88", "0"]
    return folder / "cache"


def test_a_second_process_loads_what_the_first_one_compiled(filled: Path) -> None:
    assert output(SEARCH, filled) == ["88", "1"]


def test_nothing_is_written_outside_the_cache_folder(filled: Path) -> None:
    assert [path.name for path in filled.parent.iterdir()] == ["cache"]
    assert [path.name for path in filled.iterdir()] == ["compiled"]


@pytest.mark.thorough
def test_a_changed_rule_in_a_file_outside_the_package_is_compiled_anew(tmp_path: Path) -> None:
    source, cache = tmp_path / "heap.py", tmp_path / "cache"
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.dont_write_bytecode = True"
    source.write_text(HEAP)
    assert output(code + COUNT, cache) == ["8", "0"]
    assert output(code + COUNT, cache) == ["8", "1"]
    source.write_text(HEAP.replace("min(2,", "min(3,"))
    assert output(code + COUNT, cache) == ["27", "0"]


@pytest.mark.thorough
def test_a_users_file_leaves_what_is_compiled_of_papans_own_games(
    tmp_path: Path, filled: Path
) -> None:
    source = tmp_path / "heap.py"
    source.write_text(HEAP + DECLARING)
    loaded = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import heap"
    assert output(loaded + SEARCH, filled) == ["88", "1"]
    source.write_text(HEAP + PASSING)
    assert output(loaded + SEARCH, filled) == ["1", "0"]
    assert output(SEARCH, filled) == ["88", "1"]


@pytest.mark.thorough
def test_one_file_s_code_is_found_whatever_else_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "heap.py").write_text(HEAP)
    (tmp_path / "other.py").write_text(HEAP.replace("Heap", "Other"))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
    assert output(code + COUNT, tmp_path / "cache") == ["8", "0"]
    assert output(code + "import other" + COUNT, tmp_path / "cache") == ["8", "1"]


@pytest.mark.thorough
def test_rules_typed_at_a_prompt_are_compiled_anew_when_they_change(tmp_path: Path) -> None:
    code = COUNT.replace("from heap import Heap", HEAP)
    assert output(code, tmp_path) == ["8", "0"]
    assert output(code, tmp_path) == ["8", "1"]
    assert output(code.replace("min(2,", "min(3,"), tmp_path) == ["27", "0"]


@pytest.mark.parametrize("kind", ["file", pytest.param("folder", marks=pytest.mark.thorough)])
def test_a_cache_folder_that_cannot_be_written_is_worth_one_warning(
    tmp_path: Path, kind: str
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("not a folder")
    chosen = blocked if kind == "file" else blocked / "below"
    done = run_python(SEARCH, PAPAN_CACHE_DIR=str(chosen))
    assert done.returncode == 0
    assert done.stdout.split() == ["88", "0"]
    assert done.stderr.count("CacheWarning") == 1
    assert str(chosen) in done.stderr
    assert "PAPAN_CACHE_DIR" in done.stderr


def test_the_folder_is_the_users_cache_folder_unless_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PAPAN_CACHE_DIR", str(tmp_path))
    assert code_store.cache_root() == tmp_path
    monkeypatch.delenv("PAPAN_CACHE_DIR")
    assert code_store.cache_root().name == "papan"


def test_the_folder_depends_on_every_compiled_source_and_on_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "papan"
    for name in ("rules", "games", "search", "players", "cli"):
        (package / name).mkdir(parents=True)
        (package / name / "one.py").write_text("x = 1")
    monkeypatch.setattr(code_cache, "PACKAGE", package)
    folders = [code_cache.cache_folder()]
    for name in ("rules", "games", "search", "players"):
        (package / name / "one.py").write_text("x = 2")
        folders.append(code_cache.cache_folder())
    assert len(set(folders)) == len(folders)
    (package / "cli" / "one.py").write_text("x = 2")
    assert code_cache.cache_folder() == folders[-1]
    (package / "games" / "one.py").rename(package / "games" / "two.py")
    assert code_cache.cache_folder() not in folders


def test_the_folder_depends_on_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_cache.cache_folder()
    monkeypatch.setattr("numba.__version__", "0.1")
    assert code_cache.cache_folder() != before


def test_numba_is_not_imported_to_play(tmp_path: Path) -> None:
    code = """
import sys, papan
for spec in ("adjacency", "platforms", "corners"):
    position = papan.game(spec).start()
    print(position.play(position.moves()[0]).side)
print("numba" in sys.modules)
"""
    assert output(code, tmp_path) == ["o", "o", "o", "False"]


def test_a_kernel_knows_whether_it_is_compiled(filled: Path) -> None:
    code = """
import papan
from papan.jit.compiler import is_compiled
from papan.search.perft import count_leaves, perft
print(is_compiled(count_leaves))
perft(papan.game("platforms").start(), 2)
print(is_compiled(count_leaves))
"""
    assert output(code, filled) == ["False", "True"]
