"""The WebAssembly modules of games: those that are part of the package, and those of own games.

`python -m papan.build_modules` builds the modules of the games of the package and of the gallery.
Each is valid for the types that its kernels were compiled for and for the sources that they were
compiled from; `modules.json` has both. Other games are compiled on demand, in a process of their
own, and kept in the cache folder.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import inspect
import json
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papan.browser.entries import entries_of
from papan.browser.facts import facts_of, tables_of
from papan.browser.linker import NotPortable, find_linker, link
from papan.core.game import Game
from papan.jit import code_store, wasm
from papan.jit.code_cache import PACKAGE, code_file
from papan.learn import choice
from papan.rules import operations as rules
from papan.rules.fields import field_type
from papan.workers import WorkerPool

FOLDER = Path(__file__).parent / "modules"
MANIFEST = FOLDER / "modules.json"

#: Sources of the package from which modules are compiled.
_SOURCES = (
    *("rules", "jit", "search/alphabeta", "search/mcts", "search/board_changes.py"),
    *("search/perft.py", "search/table.py", "search/workspace.py", "solve/foresight.py"),
    *(
        "solve/proof_table.py",
        "solve/prove.py",
        "learn/ntuple.py",
        "browser/entries.py",
        "browser/linker.py",
    ),
)


@dataclass(frozen=True)
class Module:
    """A game for a page.

    Attributes:
        wasm: the module.
        data: what the worker of the page must know about the game; can be written as JSON.
        weights: the tables of its trained evaluation; empty without one.
        fact_names: names of the messages of its facts.
        levels: number of levels.
    """

    wasm: bytes
    data: dict[str, Any]
    weights: bytes
    fact_names: tuple[str, ...]
    levels: int


def module_for(game: Game, on_compile: Callable[[Game], None] | None = None) -> Module:
    """Returns the module of a game: a stored one, or else a new one, which takes about 20 s.

    Args:
        game: the game.
        on_compile: called with the game before its module is compiled.

    Raises:
        NoLinker: the module must be compiled, and the linker of LLVM is not installed.
        NotPortable: the rules use something that a browser does not have.
        InvalidGame: the rules cannot be compiled.
    """
    code = stored(game)
    if code is None:
        if on_compile is not None:
            on_compile(game)
        code = compiled(game)
        _keep(game, code)
    data = _stored_facts(game) or facts_of(game)
    return Module(code, data, tables_of(game), game.fact_names, len(data["levels"]))


def compiled(game: Game) -> bytes:
    """Compiles the module of a game in a process of its own.

    Raises:
        NoLinker, NotPortable, InvalidGame: as in `module_for`.
    """
    find_linker()  # before the process starts
    try:
        with WorkerPool() as pool:
            return pool.submit(compile_here, game).result()
    except BrokenProcessPool:  # LLVM ends its process if it has no instructions for something
        raise NotPortable("export.crashed", text=game.spec) from None


def compile_here(game: Game) -> bytes:
    """Compiles the module of a game in this process."""
    entries = entries_of(game)
    return link(wasm.object_code(entries), entries)


def stored(game: Game) -> bytes | None:
    """Returns the module of a game if it is in the package or in the cache folder; else None."""
    if is_shipped(game):
        return (FOLDER / f"{game.name}.wasm").read_bytes()
    if (path := _place_of(game)) is not None:
        with contextlib.suppress(code_store.Damaged, OSError):
            return code_store.read(path)
    return None


def _stored_facts(game: Game) -> dict[str, Any] | None:
    """Returns the facts of a game of the package with its default options; else None."""
    path = FOLDER / f"{game.name}.json"
    if game != type(game)() or not is_shipped(game) or not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@functools.cache
def manifest() -> dict[str, dict[str, str]]:
    """Returns the identity of each module of the package, by the name of its game."""
    if not MANIFEST.is_file():
        return {}
    found: dict[str, dict[str, str]] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return found


def identity(game: Game) -> dict[str, str]:
    """Returns what decides whether a module fits a game: digests of its types and sources."""
    return {"types": types_digest(game), "sources": sources_digest(type(game))}


def is_ready(game: Game) -> bool:
    """Returns whether a game has a module, so that none must be compiled."""
    return is_shipped(game) or stored(game) is not None


def is_shipped(game: Game) -> bool:
    """Returns whether the package has the module of a game, from the sources of today."""
    return manifest().get(game.name) == identity(game)


def types_digest(game: Game) -> str:
    """Returns a digest of the types that the kernels of a game are compiled for."""
    start, evaluations = game.start_state(), (choice.strongest(game), game.default_evaluation)
    names = [type(one).__name__ for one in (start, *evaluations)]
    facts = [*names, *map(field_type, start), int(rules.most_moves(start))]
    return _digest(json.dumps(facts))


@functools.cache
def sources_digest(cls: type[Game]) -> str:
    """Returns a digest of the sources of a game and of the package's kernels, without comments."""
    own = Path(inspect.getsourcefile(cls) or "")
    files = [own] if own.stem != "__init__" else sorted(own.parent.glob("*.py"))
    for name in _SOURCES:
        path = PACKAGE / name
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return _digest("\n".join(map(_code_of, files)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


@functools.cache
def _code_of(path: Path) -> str:
    """Returns a source without docstrings, comments of whole lines and empty lines."""
    text = path.read_text(encoding="utf-8")
    lines: list[str | None] = [*text.splitlines()]
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or not body or not isinstance(body[0], ast.Expr):
            continue
        value = body[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            for number in range(body[0].lineno - 1, body[0].end_lineno or 0):
                lines[number] = None
    kept = (line for line in lines if line and line.strip() and not line.strip().startswith("#"))
    return "\n".join(kept)


def _place_of(game: Game) -> Path | None:
    """Returns the file in the cache folder for a game's module; None if it cannot be kept."""
    kernel, arguments = entries_of(game)["search"]
    path = code_file(kernel, arguments)
    return path and path.with_name(f"{path.stem}-wasm{path.suffix}")


def _keep(game: Game, code: bytes) -> None:
    if (path := _place_of(game)) is not None:
        with contextlib.suppress(OSError):
            code_store.write(path, code)
