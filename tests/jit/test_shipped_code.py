"""Compiled code from the package `papan-code`: used where it fits, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from papan.jit import shipped_code
from papan.jit.code_cache import sources_digest
from papan.jit.shipped_code import PACKAGE, shipped_folder, version_digest

SOURCES = b"sources"

fits_here = pytest.mark.skipif(not shipped_code._fits(), reason="needs Linux on x86-64-v3")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / PACKAGE / version_digest(SOURCES)
    folder.mkdir(parents=True)
    (tmp_path / PACKAGE / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


@fits_here
def test_code_of_the_same_sources_is_used(package: Path) -> None:
    assert shipped_folder(SOURCES) == package


@fits_here
def test_code_of_other_sources_is_not_used(package: Path) -> None:
    assert shipped_folder(b"others") is None


def test_a_processor_without_the_instructions_does_not_use_it(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped_code._fits.cache_clear()
    monkeypatch.setattr(llvm, "get_host_cpu_features", dict)
    assert shipped_folder(SOURCES) is None
    shipped_code._fits.cache_clear()


@pytest.mark.thorough
@fits_here
def test_a_game_of_the_package_is_searched_without_compiling(tmp_path: Path) -> None:
    built, cache = tmp_path / "built", tmp_path / "cache"
    python = [sys.executable, "-m"]
    subprocess.run([*python, "papan.build_code", str(built), "tictactoe"], check=True)
    assert (built / PACKAGE / version_digest(sources_digest())).is_dir()
    path = os.pathsep.join(filter(None, (str(built), os.environ.get("PYTHONPATH"))))
    where = {**os.environ, "PYTHONPATH": path, "PAPAN_CACHE_DIR": str(cache)}
    search = [*python, "papan", "search", "tictactoe", "--nodes", "20000"]
    subprocess.run(search, check=True, env=where)
    assert list(cache.rglob("*.code")) == []
