"""Imports go one way: rules ← jit ← core ← usercode ← search ← … ← arena ← cli, web."""

import ast
import re

import pytest

from docs.rooms import FILES, SOURCES, imported, imported_rooms, room_of

FILES_BELOW = {"data_files", "errors", "whole_files", "workers"}
RULES = FILES_BELOW | {"rules"}
JIT = RULES | {"jit"}
CORE = JIT | {"core"}
USERCODE = CORE | {"usercode"}
SEARCH = USERCODE | {"search"}
SOLVE = SEARCH | {"tablebase", "solve", "engine"}
CAMPAIGN = SOLVE | {"campaign", "stats"}
LEARN = CAMPAIGN | {"learn"}
PLAYERS = LEARN | {"players", "protocol"}
GAMES = PLAYERS | {"games"}
ARENA = PLAYERS | {"play", "arena", "records", "stats", "figures", "messages"}
EDGES = ARENA | {"tree_figure", "report", "notebook", "browser"}

#: The rooms that each room may import, itself aside. `papan` is the public surface.
MAY_IMPORT = {
    "errors": {"messages"},
    "messages": {"errors"},
    "data_files": {"errors"},
    "whole_files": set(),
    "workers": set(),
    "campaign": {"errors", "workers"},
    "rules": {"errors"},
    "jit": RULES,
    "core": JIT,
    "usercode": CORE,
    "gamekit": CORE,
    "search": USERCODE,
    "tablebase": SEARCH,
    "solve": SEARCH | {"tablebase"},
    "engine": SEARCH | {"solve"},
    "learn": CAMPAIGN,
    "players": LEARN | {"protocol"},
    "games": PLAYERS,
    "play": PLAYERS,
    "arena": ARENA,  # reports have charts, in the reader's language
    "browser": ARENA,
    "build_modules": ARENA | {"browser"},
    "build_code": ARENA | {"browser", "build_modules"},
    "protocol": USERCODE,
    "records": USERCODE,
    "figures": CORE,
    "tree_figure": PLAYERS | {"figures", "messages"},
    "stats": set(),
    "adapters": PLAYERS | {"figures"},
    "testing": PLAYERS,
    "report": SOLVE | {"messages"},
    "notebook": ARENA | {"report"},
    "session": EDGES,
    "papan": EDGES | {"session", "testing", "web"},
    "web": EDGES,
    "bench": SOLVE,
    "cli": EDGES | {"web", "bench", "testing"},
    "__main__": {"cli"},
}


def test_every_room_says_what_it_may_import() -> None:
    unknown = {room_of(file) for file in FILES} - set(MAY_IMPORT)
    assert not unknown, f"add to MAY_IMPORT what {', '.join(sorted(unknown))} may import"


@pytest.mark.parametrize("room", sorted({room_of(file) for file in FILES}))
def test_a_room_imports_only_what_is_below_it(room: str) -> None:
    allowed = MAY_IMPORT.get(room, set()) | {room}
    wrong = [
        f"{file.relative_to(SOURCES)}:{line} imports papan.{other}"
        for file in FILES
        if room_of(file) == room
        for line, other in imported_rooms(file)
        if other not in allowed
    ]
    below = ", ".join(sorted(allowed - {room})) or "nothing of Papan"
    assert not wrong, f"{room} may import {below}; but " + "; ".join(wrong)


#: The folders of web below its features, and what each may import of web.
WEB_BELOW = {
    "http": set[str](),
    "engines": {"http"},
    "board": {"http", "engines"},
    "export": {"http", "engines", "board", "play"},  # the page of a game, without a server
}


def folder_of_web(path: str) -> str:
    """The folder of web that `http/render.py` or `papan.web.http.render` belongs to."""
    return re.split(r"[./]", path.removeprefix("papan.web."))[0]


WEB = {
    file.relative_to(SOURCES / "web").as_posix(): file for file in FILES if room_of(file) == "web"
}


@pytest.mark.parametrize("folder", sorted({folder_of_web(name) for name in WEB}))
def test_a_folder_of_web_imports_only_what_is_below_it(folder: str) -> None:
    """A feature imports neither another feature nor the application, which imports them all."""
    everything = {folder_of_web(name) for name in WEB}
    below = set(WEB_BELOW) - {"export"}
    allowed = everything if folder == "app" else WEB_BELOW.get(folder, below) | {folder}
    wrong = [
        f"web/{name}:{line} imports {module}"
        for name, file in WEB.items()
        if folder_of_web(name) == folder
        for line, module in imported(file)
        if module.startswith("papan.web.") and folder_of_web(module) not in allowed
    ]
    assert not wrong


def test_no_two_rooms_import_each_other() -> None:
    both = {
        (one, two)
        for one, below in MAY_IMPORT.items()
        for two in below
        if one != two and one in MAY_IMPORT[two]
    }
    assert both == {("errors", "messages"), ("messages", "errors")}


def test_only_jit_imports_the_compiler() -> None:
    knowing = {
        file.relative_to(SOURCES).as_posix()
        for file in FILES
        for _, module in imported(file)
        if module.split(".")[0] in ("numba", "llvmlite")
    }
    assert {file.partition("/")[0] for file in knowing} == {"jit"}


@pytest.mark.parametrize(
    "room", ["rules", "jit", "core", "games", "search", "tablebase", "solve", "learn"]
)
def test_rules_and_search_neither_draw_nor_read_files_nor_talk(room: str) -> None:
    loud = {
        "rich",
        "click",
        "socket",
        "sqlite3",
        "subprocess",
        "urllib",
        "http",
        "asyncio",
    }
    wrong = [
        f"{file.relative_to(SOURCES)}:{line} imports {module}"
        for file in FILES
        if room_of(file) == room
        for line, module in imported(file)
        if module.split(".")[0] in loud
    ]
    assert not wrong


def test_imports_inside_functions_are_seen() -> None:
    assert {part for _, part in imported_rooms(SOURCES / "errors.py")} == {"messages"}


@pytest.mark.parametrize(
    "room",
    [
        "rules",
        "jit",
        "core",
        "usercode",
        "search",
        "tablebase",
        "solve",
        "learn",
        "players",
        "play",
    ],
)
def test_what_is_below_the_games_names_none_of_them_but_in_examples(room: str) -> None:
    games = ("adjacency", "corners", "platforms")
    wrong = []
    for file in FILES:
        if room_of(file) == room:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            texts = {id(docs) for docs in map(_docstring, ast.walk(tree)) if docs is not None}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and id(node) not in texts:
                    named = [game for game in games if game in str(node.value)]
                    wrong += [f"{file.relative_to(SOURCES)}:{node.lineno} {game}" for game in named]
    assert not wrong


def _docstring(node: ast.AST) -> ast.AST | None:
    """The constant that is the docstring of a module, class or function."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first.value if isinstance(first, ast.Expr) else None
