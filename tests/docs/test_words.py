"""Texts for people do not use roundabout words."""

import re
from pathlib import Path

import pytest

from pages import ROOT

#: Roundabout words; each has a common one: predict, the player who, this many, at most, end …
AVOIDED = re.compile(
    r"\b(foretell\w*|foretold|whoever|so many|at the most|at the least|c[oa]me about|told of"
    r"|hears? of|ha(ve|s|d) to do with|of use\b|g[ia]ves? way|c[oa]mes? to an end|none that)\b",
    re.IGNORECASE,
)
FOLDERS = ("src/papan", "docs", "benchmarks", "examples", ".ci")
SUFFIXES = {".py", ".toml", ".md", ".js", ".css", ".html", ""}
#: Texts in another language, and a history that is not rewritten.
OTHERS = ("/locale/id/", "/docs/id/", "/docs/made/", "rules.id.md", "/build/")


def texts() -> list[Path]:
    """The files with code, messages and pages."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    files += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [
        file
        for file in files
        if file.suffix in SUFFIXES and not any(part in str(file) for part in OTHERS)
    ]


def test_roundabout_words_are_not_used() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in texts()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if AVOIDED.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["as far as foretold", "Whoever wins", "it comes to an end"])
def test_a_roundabout_word_is_found(text: str) -> None:
    assert AVOIDED.search(text)
