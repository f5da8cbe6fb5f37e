"""Warnings about the source code, which `make lint` prints: `python -m docs.house`.

The numbers are not limits: a warning marks code that may be hard to read. The limits for every
change are in `tests/test_house.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from docs.rooms import FILES, SOURCES

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function

#: Functions and files with more lines get a warning.
LONG_FUNCTION = 60
LONG_FILE = 500
#: Maximum number of positional parameters of a function, and of all parameters of a kernel.
MOST_POSITIONAL = 5
MOST_OF_KERNEL = 8
#: First words of docstrings that are questions instead of names of the result.
QUESTIONS = {"What", "Whether", "How", "Who", "So"}
#: Participles as names: they name neither the action nor the result of a function.
PARTICIPLES = {"found", "told", "shown", "said", "given", "made", "kept", "taken", "known", "asked"}


class Place(NamedTuple):
    """A place in the source code; printed as `search/table.py:12 name`."""

    file: Path
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(SOURCES)}:{self.line} {self.name}"


@cache
def tree_of(file: Path) -> ast.Module:
    """Returns the syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


def functions() -> Iterator[tuple[Place, Function]]:
    """Yields all functions and methods of the package."""
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, Function):
                yield Place(file, node.lineno, node.name), node


def lines_of(node: ast.stmt) -> range:
    """Returns the line numbers of a statement."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def is_kernel(node: Function) -> bool:
    """Returns whether a function is compiled: a kernel, a helper, or a rule of an operation."""
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    return any(re.match(r"kernel|part|helper|operation|\w+\.register", mark) for mark in marks)


def parameters(node: Function) -> list[str]:
    """Returns the positional parameters."""
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    return [name for name in given if name not in ("self", "cls")]


def docstring_of(node: Documented) -> ast.Expr | None:
    """Returns the statement of the docstring; None without a docstring."""
    first = node.body[0] if node.body else None
    return first if isinstance(first, ast.Expr) and ast.get_docstring(node) else None


def code_lines(file: Path) -> int:
    """Returns the number of lines without docstrings, comments, blank lines and imports."""
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


# --- warnings


def warnings() -> Iterator[str]:
    """Yields the warnings, one line each, with their places."""
    for file in FILES:
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > LONG_FILE:
            yield f"{file.relative_to(SOURCES)}: {lines} lines"
    for place, node in functions():
        lines, given = len(lines_of(node)), len(parameters(node))
        if lines > LONG_FUNCTION and not is_kernel(node):
            yield f"{place}: {lines} lines"
        if given > (MOST_OF_KERNEL if is_kernel(node) else MOST_POSITIONAL):
            yield f"{place}: {given} parameters by position"
        if node.name.strip("_") in PARTICIPLES:
            yield f"{place}: a bare participle; name what it does or returns"
        docs = (ast.get_docstring(node) or "-").split()
        if docs[0].strip(".,:") in QUESTIONS:
            yield f"{place}: the docstring begins with a question"


def summary() -> str:
    """Returns the sizes of the package on one line."""
    code = list(map(code_lines, FILES))
    imports = sum(
        len(lines_of(node))
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    total = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES)
    lengths = median(len(lines_of(node)) for _, node in functions())
    share = 100 * imports / (sum(code) + imports)
    return (
        f"{total:,} lines in {len(FILES)} files, {mean(code):.0f} lines of code a file, "
        f"{share:.1f} % imports, functions of {lengths:.0f} lines"
    )


if __name__ == "__main__":
    for warning in warnings():
        print("warning:", warning)
    print(summary())
