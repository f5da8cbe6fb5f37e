"""The rules of the house that every change is held to; counts are warnings (`docs.house`)."""

import ast
import re
from collections import defaultdict

import pytest

from docs.house import Documented, Place, code_lines, docstring_of, functions, lines_of, tree_of
from docs.rooms import FILES, SOURCES, room_of

#: Lines of the longest function; a kernel with numbered steps may take them all.
LONGEST = 80
#: Doors for those outside: all that they import stands there under one name.
DOORS = {"__init__.py", "gamekit.py", "testing.py"}
GAMES = re.compile("adjacency|corners|platforms", re.IGNORECASE)


def test_no_function_has_more_than_80_lines() -> None:
    wrong = [
        f"{place}: {len(lines_of(node))}"
        for place, node in functions()
        if len(lines_of(node)) > LONGEST
    ]
    assert not wrong


def test_no_file_only_imports_from_others() -> None:
    wrong = [
        str(file.relative_to(SOURCES))
        for file in FILES
        if str(file.relative_to(SOURCES)) not in DOORS and _only_imports(tree_of(file))
    ]
    assert not wrong


def _only_imports(tree: ast.Module) -> bool:
    """True if there is nothing but imports of Papan's own, and perhaps `__all__`."""
    body = tree.body[1:] if docstring_of(tree) else tree.body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    others = [
        node
        for node in body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    ]
    return any((node.module or "").startswith("papan") for node in imports) and not others


def test_each_class_name_has_one_meaning() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(Place(file, node.lineno, node.name)))
    assert not [places for places in homes.values() if len(places) > 1]


@pytest.mark.parametrize(
    "room", ["rules", "jit", "core", "usercode", "search", "tablebase", "solve", "play"]
)
def test_rooms_below_the_games_name_none_of_them(room: str) -> None:
    wrong = []
    for file in FILES:
        if room_of(file) != room:
            continue
        told: set[int] = set()
        for node in ast.walk(tree_of(file)):
            if isinstance(node, Documented) and (text := docstring_of(node)):
                told |= set(lines_of(text))
        lines = enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        wrong += [
            str(Place(file, number, line.strip()))
            for number, line in lines
            if GAMES.search(line) and number not in told
        ]
    assert not wrong


def test_every_file_that_holds_code_says_what_it_is() -> None:
    wrong = [
        str(file.relative_to(SOURCES))
        for file in FILES
        if code_lines(file) and not ast.get_docstring(tree_of(file))
    ]
    assert not wrong


# --- files ---------------------------------------------------------------------------------------

#: Where files are written otherwise than by `papan.whole_files`, which they need not be.
WRITTEN_OTHERWISE = {
    "whole_files.py": "the place for it",
    "cli/app.py": "the null device",
    "cli/command.py": "pages of help",
    "usercode/sandbox_worker.py": "the null device",
    "cli/events.py": "records as they come, of which a reader leaves out half a one",
    "players/python_bot.py": "a pipe",
    "tablebase/retrograde.py": "parts, known to be whole by what is written after them",
    "tablebase/key_sets.py": "parts, known to be whole by what is written after them",
    "web/http/security.py": "a key that is made once; half of one is made anew",
}


def test_files_are_written_in_one_step() -> None:
    found = {
        str(file.relative_to(SOURCES))
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call) and _writes(node)
    }
    assert found == set(WRITTEN_OTHERWISE)


def _writes(call: ast.Call) -> bool:
    """True if a call writes a file: `write_text`, or `open` with such a mode."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    texts = [word.value for word in call.args[:2] if isinstance(word, ast.Constant)]
    modes = [text for text in texts if isinstance(text, str) and re.fullmatch("[rwxab+t]+", text)]
    opens = name in ("open", "fdopen") and any(set(mode) & set("wxa+") for mode in modes)
    return opens or name in ("write_text", "write_bytes", "touch")
