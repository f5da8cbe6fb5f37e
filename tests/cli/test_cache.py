"""`papan cache` shows and clears compiled code."""

from pathlib import Path

import pytest

from papan.jit import code_store


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAPAN_CACHE_DIR", str(tmp_path))
    for version in ("one", "two"):
        code_store.write(tmp_path / "compiled" / version / "kernel.code", b"x" * 50_000)
    return tmp_path / "compiled"


def test_the_size_is_shown_and_nothing_removed(papan, filled):
    assert papan("cache").out == f"{filled}: 2 files, 0.1 MB\n"
    report = papan("cache --json").report
    assert (report["versions"], report["files"], report["cleared"]) == (2, 2, False)
    assert report["bytes"] == sum(file.size for file in code_store.kept_files())


def test_clearing_removes_compiled_code_alone(papan, filled):
    other = filled.parent / "kept"
    other.write_text("something else")
    assert papan("cache --clear").out == f"{filled}: 2 files removed, 0.1 MB\n"
    assert not filled.exists()
    assert other.exists()
    assert papan("cache").out == f"{filled}: 0 files, 0.0 MB\n"
