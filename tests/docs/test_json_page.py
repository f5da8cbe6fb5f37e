"""The page on JSON names every key that the commands print, and no other."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pages import ROOT, runner

PAGE = ROOT / "docs" / "how-to" / "json.md"

_CASE = re.compile(r"```console\n(.*?)```\n\n(\| key .*?)\n\n", flags=re.DOTALL)
_KEY = re.compile(r"`([^`]+)`(\??)")


def cases() -> list[tuple[str, dict[str, bool]]]:
    """Each console block with the keys of the table below it: whether a key may be missing."""
    found = []
    for console, table in _CASE.findall(PAGE.read_text(encoding="utf-8")):
        cells = [row.split("|")[1] for row in table.splitlines()[2:]]
        keys = {}
        for cell in cells:
            keys |= {key: bool(cell.strip().endswith("?")) for key, _ in _KEY.findall(cell)}
        found.append((console, keys))
    return found


def command(console: str) -> str:
    """The command of a block whose report the page describes."""
    return console.splitlines()[-2]


def marks_of(asked: str) -> list[pytest.MarkDecorator]:
    """Those of a case: games that are learnt or measured take long."""
    return (
        [pytest.mark.thorough] if asked.split()[2] in ("train", "levels", "check", "tune") else []
    )


def paths(value: Any, path: str = "") -> Iterator[str]:
    """All keys of a report, as the page writes them, an object of any keys being `*`, too."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, f"{path}.{key}".lstrip("."))
            yield from paths(inner, f"{path}.*".lstrip("."))
    elif isinstance(value, list):
        yield f"{path}[]"
        for inner in value:
            yield from paths(inner, f"{path}[]")


def parts(path: str) -> list[str]:
    """The keys of a path, lists left out."""
    return path.replace("[]", "").split(".")


def covered(path: str, keys: dict[str, bool]) -> bool:
    """Whether a key is documented, or leads to one, or lies within one that is as a whole."""
    pairs = (zip(parts(path), parts(key), strict=False) for key in keys)
    return any(all(known in ("*", part) for part, known in pair) for pair in pairs)


def report_of(
    console: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    """What the last command of a block reports; earlier blocks may have made files for it."""
    with runner(folder, capsys, monkeypatch) as running:
        if "games.sqlite" in console and "match" not in console:
            running.papan(
                shlex.split("match platforms random first --games 2 --store games.sqlite")
            )
        for line in console.splitlines():
            if line.startswith("$ papan "):
                status, out, err = running.papan(shlex.split(line)[2:])
                assert status == 0, err
    assert out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize(
    ("console", "keys"),
    [
        pytest.param(*case, id=command(case[0]), marks=marks_of(command(case[0])))
        for case in cases()
    ],
)
def test_the_keys_on_the_page_are_those_of_the_report(
    console: str,
    keys: dict[str, bool],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = report_of(console, tmp_path, capsys, monkeypatch)
    printed = set(paths(report))
    exact = {path for path in printed if "*" not in path and path}
    assert {path for path in exact if not covered(path, keys)} == set()
    empty = {path for path in exact if not _at(report, path)}
    absent = {key for key, optional in keys.items() if key not in printed and not optional}
    assert {key for key in absent if not any(key.startswith(path) for path in empty)} == set()


def _at(report: Any, path: str) -> Any:
    """The first value at a path; None if there is none."""
    for part in re.findall(r"[^.\[\]]+|\[\]", path):
        if part == "[]":
            report = report[0] if report else None
        else:
            report = report.get(part) if isinstance(report, dict) else None
    return report


def test_the_page_covers_every_command_that_has_json() -> None:
    from papan.cli.app import application

    named = {
        words.split()[0]
        for words in re.findall(r"^## `papan (.*?)`", PAGE.read_text(), re.MULTILINE)
    }
    wanted = {
        name
        for name, each in application().subcommands().items()
        if any("--json" in option.opts for option in each.params)
    }
    assert wanted <= named
