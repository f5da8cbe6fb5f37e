"""Compiled code on disk is believed only where it is whole, and where no other user could write."""

import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from numba.core.registry import cpu_target

from papan.jit import code_cache, code_store
from support import at_length, run_python, thoroughly

SEARCH = """
import papan
from papan.search.perft import count_leaves, perft
print(perft(papan.game("platforms").start(), 4), sum(count_leaves.stats.cache_hits.values()))
"""


def changed(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Writes what the change makes of a file."""
    path.write_bytes(change(path.read_bytes()))


def replaced_by(path: Path, make: Callable[[Path], object]) -> None:
    """Puts something else in the place of a file."""
    path.unlink()
    make(path)


def flipped(content: bytes, at: float) -> bytes:
    """The content with one bit changed."""
    place = int(at * (len(content) - 1))
    return content[:place] + bytes([content[place] ^ 16]) + content[place + 1 :]


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "one byte": lambda path: path.write_bytes(b"\x80"),
    "half": lambda path: changed(path, lambda old: old[: len(old) // 2]),
    "all but the last byte": lambda path: changed(path, lambda old: old[:-1]),
    "a byte more": lambda path: changed(path, lambda old: old + b"."),
    "a bit at the start": lambda path: changed(path, lambda old: flipped(old, 0.0)),
    "a bit in the head": lambda path: changed(path, lambda old: flipped(old, 0.005)),
    "a bit in the middle": lambda path: changed(path, lambda old: flipped(old, 0.5)),
    "a bit at the end": lambda path: changed(path, lambda old: flipped(old, 1.0)),
    "zeros": lambda path: changed(path, lambda old: bytes(len(old))),
    "text": lambda path: path.write_text("not compiled code\n" * 99),
    "another pickle": lambda path: path.write_bytes(b"\x80\x04N."),
    "twice": lambda path: changed(path, lambda old: old * 2),
    "backwards": lambda path: changed(path, lambda old: old[::-1]),
    "a folder": lambda path: replaced_by(path, lambda at: (at / "below").mkdir(parents=True)),
    "a pipe": lambda path: replaced_by(path, os.mkfifo),
    "a link to itself": lambda path: replaced_by(path, lambda at: at.symlink_to(at)),
    "a link to nothing": lambda path: replaced_by(path, lambda at: at.symlink_to("/nonexistent")),
    "a link to zeros": lambda path: replaced_by(path, lambda at: at.symlink_to("/dev/zero")),
    "for all to write": lambda path: path.chmod(0o666),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("kind", [kind for kind in DAMAGES if kind != "gone"])
def test_a_damaged_file_is_known_and_can_be_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "one.code"
    code_store.write(path, b"machine code" * 100)
    assert code_store.read(path) == b"machine code" * 100
    DAMAGES[kind](path)
    with pytest.raises(code_store.Damaged):
        code_store.read(path)
    code_store.remove(path)
    assert code_store.read(path) is None
    code_store.write(path, b"anew")
    assert code_store.read(path) == b"anew"
    assert [each.name for each in tmp_path.iterdir()] == ["one.code"]


@pytest.mark.parametrize("kind", ["half", *at_length("a bit in the middle", "a pipe")])
def test_a_damaged_cache_is_compiled_anew_with_one_line(tmp_path: Path, kind: str) -> None:
    assert run_python(SEARCH, PAPAN_CACHE_DIR=str(tmp_path)).stdout.split() == ["88", "0"]
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    for path in files:
        DAMAGES[kind](path)
    done = run_python(SEARCH, PAPAN_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout.split()) == (0, ["88", "0"]), done.stderr
    assert done.stderr.count("CacheWarning") == 1, done.stderr
    assert "Traceback" not in done.stderr
    again = run_python(SEARCH, PAPAN_CACHE_DIR=str(tmp_path))
    assert (again.stdout.split(), again.stderr) == (["88", "1"], "")


@pytest.mark.parametrize(
    ("place", "mode"), [*thoroughly(("", 0o777)), *at_length(("compiled/*", 0o775))]
)
def test_a_cache_that_others_can_write_is_neither_read_nor_written(
    tmp_path: Path, place: str, mode: int
) -> None:
    cache = tmp_path / "cache"
    run_python(SEARCH, PAPAN_CACHE_DIR=str(cache))
    folders = list(cache.glob(place)) if place else [cache]
    for file in cache.rglob("*.*"):
        if file.is_file():
            file.write_bytes(b"cos\nsystem\n(S'echo broken into'\ntR.")
    for folder in folders:
        folder.chmod(mode)
    before = sorted(cache.rglob("*"))
    done = run_python(SEARCH, PAPAN_CACHE_DIR=str(cache))
    assert done.stdout.split() == ["88", "0"]
    assert done.stderr.count("CacheWarning") == 1
    assert any(str(folder) in done.stderr for folder in folders)
    assert "PAPAN_CACHE_DIR" in done.stderr
    assert sorted(cache.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can give files away")
@pytest.mark.parametrize("place", [".", "cache"])
def test_a_cache_of_another_user_is_not_used(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "home" / "cache"
    folder.mkdir(parents=True)
    os.chown(folder.parent / place, 12345, 12345)
    with pytest.raises(code_store.Untrusted, match="another user"):
        code_store.own_folder(folder)


def test_new_folders_are_for_their_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = code_store.own_folder(tmp_path / "a" / "b")
        code_store.write(made / "one.code", b"code")
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o077 for path in (made, made.parent)} == {0}
    assert code_store.read(made / "one.code") == b"code"


def test_a_link_on_the_way_is_followed_once_and_its_end_is_checked(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    theirs.chmod(0o777)
    (tmp_path / "link").symlink_to(theirs)
    with pytest.raises(code_store.Untrusted, match="theirs"):
        code_store.own_folder(tmp_path / "link" / "cache")
    theirs.chmod(0o700)
    assert code_store.own_folder(tmp_path / "link" / "cache") == theirs / "cache"


@pytest.mark.thorough
def test_without_room_for_compiled_code_one_goes_on(tmp_path: Path) -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
    ignored = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    done = run_python(limited + ignored + SEARCH, PAPAN_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout.split()) == (0, ["88", "0"]), done.stderr
    assert done.stderr.count("CacheWarning") == 1
    assert str(tmp_path) in done.stderr
    shutil.rmtree(tmp_path / "compiled")


def test_files_that_were_not_read_for_long_or_are_too_many_are_removed_once_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(code_store, "_MOST_BYTES", 250)
    day, now = 86_400.0, 100 * 86_400.0
    ages = {"old/stale": 40, "new/first": 3, "new/second": 2, "new/third": 1}
    for name, days in ages.items():
        path = tmp_path / "compiled" / f"{name}.code"
        code_store.write(path, bytes(100 - code_store._HEAD_BYTES))
        os.utime(path, (now - days * day,) * 2)
    code_store.prune(now)
    assert [file.path.stem for file in code_store.kept_files()] == ["second", "third"]
    assert not (tmp_path / "compiled" / "old").exists()
    monkeypatch.setattr(code_store, "_MOST_BYTES", 0)
    code_store.prune(now + day / 2)
    assert len(code_store.kept_files()) == 2
    code_store.prune(now + day)
    assert code_store.kept_files() == []


def test_a_file_that_is_read_is_kept_for_longer(tmp_path: Path) -> None:
    path = tmp_path / "one.code"
    code_store.write(path, b"code")
    os.utime(path, (0, 0))
    assert code_store.read(path) == b"code"
    assert path.stat().st_mtime > 0


def test_a_file_that_memory_has_no_room_for_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_memory(path: Path) -> bytes:
        raise MemoryError

    path = tmp_path / "one.code"
    code_store.write(path, b"code")
    kept = code_cache._KernelCache(without_memory, code_cache.CodeCache([]))
    monkeypatch.setattr(kept, "path", lambda sig, codegen: path)
    monkeypatch.setattr(code_store, "read", without_memory)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kept.load_overload((), cpu_target.target_context) is None
    assert path.is_file()
