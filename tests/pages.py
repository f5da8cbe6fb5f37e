"""The blocks of code on a page of Markdown, and what becomes of them when they are run.

console         `$ papan …` is run; the lines below it must be printed, in this order. `…` alone
                stands for any lines, inside of a line for any text. A command that shows
                `papan: …` is one that must fail
python          is run, as a doctest where it has `>>>`; all blocks of a page share their names
python, toml, … with title="mybot.py" is written to that file, for the commands that follow
toml, json      must be sound
text            is not run
"""

import contextlib
import doctest
import io
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from papan.cli import main

ROOT = Path(__file__).parent.parent

_FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_INCLUDED = re.compile(r'^--8<-- "([^"]+)"\n', flags=re.MULTILINE)
_TITLE = re.compile(r'title="([^"]+)"')


class Block(NamedTuple):
    """A block of code.

    Attributes:
        title: the name of the file that it is, or nothing.
        place: page and line, to find it by.
    """

    language: str
    title: str
    text: str
    place: str


class Command(NamedTuple):
    """A command, and the lines that are shown below it."""

    words: str
    shown: list[str]


def assert_tests_are_there(text: str) -> None:
    """Requires that a text names tests, `folder/file.py::test`, and that there are such."""
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", text)
    assert named, text
    for file, name in named:
        assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), name


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in their order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, rest, code = match.groups()
        code = _INCLUDED.sub(lambda file: (ROOT / file[1]).read_text(encoding="utf-8"), code)
        titled = _TITLE.search(rest)
        line = text.count("\n", 0, match.start()) + 1
        title = titled[1] if titled else ""
        found.append(Block(language, title, code, f"{page.relative_to(ROOT)}:{line}"))
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], []))
        else:
            found[-1].shown.append(line)
    return found


def missing(shown: list[str], printed: str) -> list[str]:
    """The lines shown that are not printed behind the ones before them."""
    lines = iter(line.rstrip() for line in printed.splitlines())
    patterns = [".*".join(map(re.escape, line.split("…"))) for line in shown if line != "…"]
    return [
        pattern for pattern in patterns if not any(re.fullmatch(pattern, line) for line in lines)
    ]


@dataclass
class Runner:
    """Runs the blocks of one page in a folder of its own.

    Attributes:
        folder: where commands run and files are written.
        captured: what has been printed since it was last asked: stdout, stderr.
        names: what the Python of the page has defined.
    """

    folder: Path
    captured: Callable[[], tuple[str, str]]
    names: dict[str, object] = field(default_factory=dict)

    def run(self, block: Block) -> None:
        """Runs a block, and fails if it does not do what it shows."""
        kinds = {"console": self.console, "python": self.python}
        sound = {"toml": tomllib.loads, "json": json.loads, "text": str}
        if block.title:
            (self.folder / block.title).write_text(block.text, encoding="utf-8")
        if block.language in kinds and not block.title:
            kinds[block.language](block)
        elif block.language == "python":
            compile(block.text, block.place, "exec")
        else:
            assert block.language in sound, f"{block.place}: is {block.language!r} run or text?"
            sound[block.language](block.text)

    def console(self, block: Block) -> None:
        """Runs the commands one after the other."""
        for command in commands(block):
            place = f"{block.place}: {command.words}"
            program, *words = shlex.split(command.words)
            assert program == "papan", place
            fails = any(line.startswith("papan: ") for line in command.shown)
            status, out, err = self.papan(words)
            assert (status != 0) == fails, f"{place}\n{err}"
            printed = err if fails else out
            assert missing(command.shown, printed) == [], f"{place}\n{printed}"

    def papan(self, words: list[str]) -> tuple[int, str, str]:
        """Runs `papan` with these words; somebody types `quit` at it."""
        self.captured()
        status = main(words)
        return (status, *self.captured())

    def python(self, block: Block) -> None:
        """Runs Python, or compares what is typed at it with what it answers."""
        if ">>>" not in block.text:
            exec(compile(block.text, block.place, "exec"), self.names)
            return
        test = doctest.DocTestParser().get_doctest(block.text, {}, block.place, block.place, 0)
        test.globs = self.names
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=report.append, clear_globs=False)
        assert report == [], "".join(report)


@contextlib.contextmanager
def runner(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Runner]:
    """A runner with the surroundings that pages assume: English, and the examples at hand."""
    monkeypatch.setenv("PAPAN_LANG", "en")
    monkeypatch.setenv("COLUMNS", "88")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n" * 99))
    (folder / "examples").symlink_to(ROOT / "examples")
    yield Runner(folder, capsys.readouterr)


def run_page(
    page: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> list[Block]:
    """Runs all blocks of a page, which are returned."""
    found = blocks(page)
    with runner(folder, capsys, monkeypatch) as running:
        for block in found:
            running.run(block)
    return found
