"""What the README shows is what happens."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def blocks(language: str) -> list[str]:
    """The blocks of code in one language."""
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, list[str]]]:
    """Each command with the lines of output that are shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line != "…":
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize(("command", "shown"), commands())
def test_each_command_of_the_readme_works_as_shown(
    command: str, shown: list[str], tmp_path: Path
) -> None:
    program, *words = shlex.split(command)
    assert program == "papan"
    done = subprocess.run(
        [sys.executable, "-m", "papan", *words],
        input="quit\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "PAPAN_LANG": "en", "PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    assert [line for line in shown if line not in printed] == []


def test_the_python_of_the_readme_answers_as_shown() -> None:
    names: dict[str, object] = {}
    [session] = blocks("python")
    test = doctest.DocTestParser().get_doctest(session, names, "README", str(README), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).attempted >= 8
    assert report == []


def test_the_tour_shows_every_command_that_it_names() -> None:
    shown = {command.split()[1] for command, _ in commands()}
    assert shown >= {"games", "rules", "play", "search", "perft", "match"}
