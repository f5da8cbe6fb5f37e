"""The catalogue is complete: every message in every language, and every message used is there."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.errors import UsageError
from papan.messages import LANGUAGES, Messages, catalogue, preferred_language
from support import SOURCES

CATALOGUE = catalogue()
FILES = sorted(SOURCES.rglob("*.py"))

#: The first words of all message names: a string literal that begins so is meant as a name.
TOPICS = {name.partition(".")[0] for name in CATALOGUE}
#: Names of files look like names of messages.
FILES_END = (".csv", ".html", ".json", ".md", ".sqlite", ".svg", ".toml", ".txt")
_NAME = re.compile(r"@?(?P<topic>[a-z]+(-[a-z]+)*)(\.[a-z0-9]+(-[a-z0-9]+)*)+")


def fields(text: str) -> list[str]:
    """The fields to be filled in, sorted."""
    return sorted({field for _, field, _, _ in string.Formatter().parse(text) if field is not None})


def names_used(file: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a file that name messages, with their lines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = _NAME.fullmatch(node.value)
            if found and found["topic"] in TOPICS and not node.value.endswith(FILES_END):
                yield node.lineno, node.value.removeprefix("@")


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_message_says_the_same_in_every_language(name: str) -> None:
    texts = CATALOGUE[name]
    assert set(texts) == set(LANGUAGES)
    assert all(text.strip() for text in texts.values())
    assert len({tuple(fields(text)) for text in texts.values()}) == 1


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_message_has_a_proper_name_and_named_fields(name: str) -> None:
    assert _NAME.fullmatch(name)
    assert all(field.isidentifier() for text in CATALOGUE[name].values() for field in fields(text))


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(SOURCES)) for file in FILES])
def test_every_message_that_is_used_is_in_the_catalogue(file: Path) -> None:
    missing = [f"line {line}: {name}" for line, name in names_used(file) if name not in CATALOGUE]
    assert not missing


def test_values_are_filled_in_and_marked_words_translated() -> None:
    error = {"what": "@limit.depth", "value": 0, "expected": "1 … 128"}
    assert Messages("en")("limit.range", **error) == "depth 0: expected 1 … 128"
    assert Messages("id")("limit.range", **error) == "kedalaman 0: seharusnya 1 … 128"


def test_braces_in_a_value_are_left_alone() -> None:
    assert "'{depth}'" in Messages("en")("move.no-pair", text="{depth}")


def test_an_unknown_language_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match=r"'de'.*en, id"):
        Messages("de")


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("id", "id"), ("id_ID.UTF-8", "id"), ("en_GB", "en"), ("ID", "id"), ("de", "en")],
)
def test_the_language_is_that_of_papan_lang(
    chosen: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_LANG", chosen)
    assert preferred_language() == expected


@pytest.mark.parametrize(
    ("locale_name", "expected"),
    [("id_ID", "id"), ("Indonesian_Indonesia", "id"), ("de_DE", "en"), (None, "en")],
)
def test_without_papan_lang_the_language_is_that_of_the_locale(
    locale_name: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAPAN_LANG", raising=False)
    monkeypatch.setattr("locale.getlocale", lambda category: (locale_name, "UTF-8"))
    assert preferred_language() == expected
