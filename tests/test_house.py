"""The rules of the house, counted in the sources: sizes, parameters, names, docstrings."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean, median, quantiles
from typing import NamedTuple

import pytest

from docs.rooms import FILES, SOURCES, room_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function

#: Lines of a function, of one that is compiled, and of a file.
LONGEST = 60
LONGEST_KERNEL = 80
LONGEST_FILE = 600
#: Parameters: those that can be given by position, and all of a kernel.
MOST_POSITIONAL = 5
MOST_OF_KERNEL = 8
#: Lines of code in the mean file: neither docstrings, comments, blank lines nor imports.
LEAST_MEAN = 90
#: Words that begin a question, not the name of what is returned.
QUESTIONS = {"What", "Whether", "How", "Who", "So"}
#: Doors for those outside: all that they import stands there under one name.
DOORS = {"__init__.py", "gamekit.py", "testing.py"}
GAMES = re.compile("adjacency|corners|platforms", re.IGNORECASE)


class Place(NamedTuple):
    """Where something stands; shown as `search/table.py:12 name`."""

    file: Path
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(SOURCES)}:{self.line} {self.name}"


@cache
def tree_of(file: Path) -> ast.Module:
    """The syntax of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


def functions() -> Iterator[tuple[Place, Function]]:
    """All functions and methods of the package."""
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, Function):
                yield Place(file, node.lineno, node.name), node


def lines_of(node: ast.stmt) -> range:
    """The lines that a statement takes."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def is_kernel(node: Function) -> bool:
    """True for a function that is compiled: a kernel, a helper, or a rule of an operation."""
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    return any(re.match(r"kernel|part|helper|operation|\w+\.register", mark) for mark in marks)


def parameters(node: Function) -> list[str]:
    """The parameters that can be given by position."""
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    return [name for name in given if name not in ("self", "cls")]


def docstring_of(node: Documented) -> ast.Expr | None:
    """The statement that is the docstring."""
    first = node.body[0] if node.body else None
    return first if isinstance(first, ast.Expr) and ast.get_docstring(node) else None


def code_lines(file: Path) -> int:
    """Lines of code: without docstrings, comments, blank lines and imports."""
    left_out: set[int] = set()
    for node in ast.walk(tree_of(file)):
        if isinstance(node, Documented) and (text := docstring_of(node)):
            left_out |= set(lines_of(text))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            left_out |= set(lines_of(node))
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in left_out
        for number, line in lines
    )


# --- sizes


def test_no_function_has_more_than_60_lines_and_no_kernel_more_than_80() -> None:
    wrong = [
        f"{place}: {len(lines_of(node))}"
        for place, node in functions()
        if len(lines_of(node)) > (LONGEST_KERNEL if is_kernel(node) else LONGEST)
    ]
    assert not wrong


def test_most_functions_are_short() -> None:
    lengths = [len(lines_of(node)) for _, node in functions()]
    assert median(lengths) <= 8
    assert quantiles(lengths, n=10)[-1] <= 30


def test_no_file_has_more_than_600_lines() -> None:
    long = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert not [f"{file.name}: {count}" for file, count in long.items() if count > LONGEST_FILE]


def test_the_mean_file_has_90_lines_of_code() -> None:
    assert mean(map(code_lines, FILES)) >= LEAST_MEAN


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


# --- parameters


def test_no_kernel_has_more_than_eight_parameters() -> None:
    wrong = [
        f"{place}: {len(parameters(node))}"
        for place, node in functions()
        if is_kernel(node) and len(parameters(node)) > MOST_OF_KERNEL
    ]
    assert not wrong


def test_no_function_has_more_than_five_parameters_by_position() -> None:
    wrong = [
        f"{place}: {len(parameters(node))}"
        for place, node in functions()
        if not is_kernel(node) and len(parameters(node)) > MOST_POSITIONAL
    ]
    assert not wrong


# --- names


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


# --- docstrings


def test_no_docstring_begins_with_a_question() -> None:
    wrong = [
        str(Place(file, getattr(node, "lineno", 1), text.splitlines()[0]))
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, Documented)
        and (text := ast.get_docstring(node))
        and text.split()[0].strip(".,:") in QUESTIONS
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
    "web/server/security.py": "a key that is made once; half of one is made anew",
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
