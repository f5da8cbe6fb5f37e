"""Builds the package `papan-code`: `python -m papan.build_code FOLDER [GAME…]`.

It contains the compiled code of the engine, of Monte Carlo tree search and of the solver for each
game of the package and of the gallery (see `papan.jit.shipped_code`). The folder becomes a project,
from which `python -m build FOLDER` makes a wheel.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from concurrent.futures import as_completed
from importlib import metadata
from pathlib import Path

_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "papan-code"
version = "{version}"
description = "Compiled code of Papan's games for x86-64-v3 on Linux"
requires-python = "=={python}.*"
dependencies = ["papan=={version}", "numba=={numba}"]

[tool.hatch.build.targets.wheel]
packages = ["papan_code"]
"""


def main(words: list[str]) -> int:
    """Builds the project; returns the exit status."""
    if not words:
        print("usage: python -m papan.build_code FOLDER [GAME…]", file=sys.stderr)
        return 2
    from papan.build_modules import games
    from papan.errors import PapanError
    from papan.jit.code_cache import sources_digest
    from papan.jit.shipped_code import PACKAGE, PROCESSOR, version_digest
    from papan.usercode import registry
    from papan.whole_files import write_whole
    from papan.workers import WorkerPool

    names = words[1:] or [game.name for game in games()]
    try:
        for name in names:
            registry.game(name)
    except PapanError as error:
        print(f"papan: {error}", file=sys.stderr)
        return 2
    folder = Path(words[0])
    code = folder / PACKAGE / version_digest(sources_digest())
    code.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="papan-") as cache:
        os.environ |= {
            "PAPAN_CACHE_DIR": cache, "NUMBA_CPU_NAME": PROCESSOR, "NUMBA_CPU_FEATURES": ""
        }  # fmt: skip
        with WorkerPool(count=2) as pool:
            tasks = {pool.submit(compile_game, name): name for name in names}
            for task in as_completed(tasks):
                task.result()
                print(tasks[task], flush=True)
        for file in Path(cache).rglob("*.code"):
            shutil.copy(file, code)
    write_whole(folder / PACKAGE / "__init__.py", '"""Compiled code for Papan."""\n')
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    versions = {name: metadata.version(name) for name in ("papan", "numba")}
    project = _PROJECT.format(version=versions["papan"], numba=versions["numba"], python=python)
    write_whole(folder / "pyproject.toml", project)
    size = sum(file.stat().st_size for file in code.iterdir())
    print(f"{folder}: {len(list(code.iterdir()))} files, {size / 1e6:.1f} MB")
    return 0


def compile_game(name: str) -> None:
    """Compiles what searches, players and solvers of a game use; numba must be new to the process,
    which reads its processor from the environment."""
    from papan.learn import choice
    from papan.players.registry import player
    from papan.search import registry as algorithms
    from papan.search.limits import Limit
    from papan.solve.solve import solver_of
    from papan.usercode import registry as games

    game = games.game(name)
    for spec in ("engine", "mcts"):
        algorithm = algorithms.algorithm(spec)
        algorithm.prepare(game.start(), algorithm.evaluation_for(game, Limit(seconds=1.0)))
    algorithms.algorithm("engine").prepare(game.start(), choice.strongest(game))
    for spec in ("level:1", "level:8", "best"):
        player(spec).new_game(game, 0)
    if (solver := solver_of(game.start())) is not None:
        solver.prepare(game.start())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
