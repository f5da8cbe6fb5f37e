"""Imports go one way: kernel ← core ← search ← players ← games ← play ← arena ← web, cli."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import SOURCES

BASE = {"errors", "messages", "kernel"}
CORE = BASE | {"core"}
SEARCH = CORE | {"search"}
PLAYERS = SEARCH | {"players", "protocol"}
GAMES = PLAYERS | {"games"}
ARENA = PLAYERS | {"play", "arena", "records", "stats"}
EVERYTHING = ARENA | GAMES | {"figures", "tree_figure", "adapters", "testing", "gamekit"}
TOP = {"papan", "notebook", "session"}

#: What each part of the package may import, itself aside. `papan` is the public surface.
MAY_IMPORT = {
    "errors": {"messages"},
    "messages": {"errors"},
    "kernel": BASE,
    "core": BASE,
    "gamekit": CORE,
    "search": CORE,
    "players": SEARCH | {"protocol"},
    "games": PLAYERS,
    "play": PLAYERS,
    "arena": PLAYERS | {"play", "records", "stats", "figures"},  # reports have charts
    "protocol": CORE,
    "records": CORE,
    "figures": CORE,
    "tree_figure": SEARCH | {"figures"},
    "stats": set(),
    "adapters": ARENA | {"figures"},
    "testing": PLAYERS,
    "notebook": ARENA | {"figures"},
    "session": EVERYTHING | {"notebook"},
    "papan": EVERYTHING | {"session"},
    "web": EVERYTHING | TOP,
    "cli": EVERYTHING | TOP | {"web"},
    "__main__": {"cli"},
}

FILES = sorted(SOURCES.rglob("*.py"))


def part_of(file: Path) -> str:
    """The part of the package that a file belongs to."""
    first = file.relative_to(SOURCES).parts[0].removesuffix(".py")
    return "papan" if first == "__init__" else first


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Each module that a file imports, inside functions too, with the line it does so."""
    package = ["papan", *file.relative_to(SOURCES).parent.parts]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def imported_parts(file: Path) -> Iterator[tuple[int, str]]:
    """The parts of Papan that a file imports, with the line it does so."""
    for line, module in imported(file):
        first, *rest = module.split(".")
        if first == "papan":
            known = rest and ((SOURCES / rest[0]).is_dir() or (SOURCES / f"{rest[0]}.py").exists())
            yield line, rest[0] if known else "papan"


def test_every_part_of_the_package_says_what_it_may_import() -> None:
    unknown = {part_of(file) for file in FILES} - set(MAY_IMPORT)
    assert not unknown, f"add to MAY_IMPORT what {', '.join(sorted(unknown))} may import"


@pytest.mark.parametrize("part", sorted({part_of(file) for file in FILES}))
def test_a_part_imports_only_what_is_below_it(part: str) -> None:
    allowed = MAY_IMPORT.get(part, set()) | {part}
    wrong = [
        f"{file.relative_to(SOURCES)}:{line} imports papan.{other}"
        for file in FILES
        if part_of(file) == part
        for line, other in imported_parts(file)
        if other not in allowed
    ]
    below = ", ".join(sorted(allowed - {part})) or "nothing of Papan"
    assert not wrong, f"{part} may import {below}; but " + "; ".join(wrong)


def test_nobody_imports_what_imports_it() -> None:
    both = {
        (one, two)
        for one, below in MAY_IMPORT.items()
        for two in below
        if one != two and one in MAY_IMPORT[two]
    }
    assert both == {("errors", "messages"), ("messages", "errors")}


def test_one_module_alone_knows_the_compiler() -> None:
    knowing = {
        file.relative_to(SOURCES).as_posix()
        for file in FILES
        for _, module in imported(file)
        if module.split(".")[0] in ("numba", "llvmlite")
    }
    assert knowing == {"kernel/compiler.py"}


@pytest.mark.parametrize("part", ["core", "games", "search", "kernel"])
def test_rules_and_search_neither_draw_nor_read_files_nor_talk(part: str) -> None:
    loud = {"rich", "typer", "socket", "sqlite3", "subprocess", "urllib", "http", "asyncio"}
    wrong = [
        f"{file.relative_to(SOURCES)}:{line} imports {module}"
        for file in FILES
        if part_of(file) == part
        for line, module in imported(file)
        if module.split(".")[0] in loud
    ]
    assert not wrong


def test_imports_inside_functions_are_seen() -> None:
    assert {part for _, part in imported_parts(SOURCES / "errors.py")} == {"messages"}
