"""The catalogue is complete: every message in every language, and every message used is there."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from papan import messages
from papan.errors import UsageError
from papan.messages import (
    LANGUAGES,
    PARTS,
    Messages,
    catalogue,
    part_of,
    preferred_language,
    texts,
)
from support import SOURCES

CATALOGUE = catalogue()
FILES = sorted(SOURCES.rglob("*.py"))
TEMPLATES = sorted((SOURCES / "web").rglob("*.html"))

#: The first words of all message names: a string literal that begins so is meant as a name.
TOPICS = {name.partition(".")[0] for name in CATALOGUE}
#: Names of files look like names of messages.
FILES_END = (".csv", ".html", ".json", ".md", ".sqlite", ".svg", ".toml", ".txt")
_NAME = re.compile(r"@?(?P<topic>[a-z]+(-[a-z]+)*)(\.[a-z0-9]+(-[a-z0-9]+)*)+")


def fields(text: str) -> list[str]:
    """The fields to be filled in, sorted."""
    return sorted({field for _, field, _, _ in string.Formatter().parse(text) if field is not None})


def literals(file: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a file with their lines, and the pieces of those that are put
    together."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value.removeprefix("@")


def names_used(file: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a file that name messages, with their lines."""
    for line, text in literals(file):
        found = _NAME.fullmatch(text)
        if found and found["topic"] in TOPICS and not text.endswith(FILES_END):
            yield line, text


def words_of(part: str) -> set[str]:
    """Each string literal in the rooms that may use a part's messages, its templates' too."""
    rooms = {"core": "", "cli": "cli", "web": "web"}
    folder = SOURCES / rooms[part]
    # Tables of results are the command line's, and shown in notebooks, too.
    also = SOURCES / "report.py" if part == "cli" else folder
    found = {
        text
        for file in FILES
        if file.is_relative_to(folder) or file == also
        for _, text in literals(file)
    }
    if part != "cli":
        for template in TEMPLATES:
            found |= set(re.findall(r"'@?([a-z0-9.-]+)'", template.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("part", PARTS)
def test_each_part_has_the_same_messages_in_the_same_order_in_every_language(part: str) -> None:
    [first, *others] = [list(texts(language, part)) for language in LANGUAGES]
    assert all(names == first for names in others)
    assert [name for name in first if part_of(name) != part] == []


@pytest.mark.parametrize("part", PARTS)
def test_each_message_of_a_part_is_used_by_it(part: str) -> None:
    words = words_of(part)
    begun = {word for word in words if re.fullmatch(r"[a-z-]+\.([a-z0-9.-]+[.-])?", word)}
    starts = tuple(begun)
    unused = [
        name for name in texts("en", part) if name not in words and not name.startswith(starts)
    ]
    assert not unused


@pytest.mark.parametrize("part", ["cli", "web"])
def test_the_messages_of_an_edge_are_used_by_nobody_else(part: str) -> None:
    # Notebooks show the tables that the command line prints.
    edge = {"cli": ("cli", "report.py", "notebook.py"), "web": ("web",)}[part]
    wrong = [
        f"{file.relative_to(SOURCES)}:{line} {name}"
        for file in FILES
        if not any(file.is_relative_to(SOURCES / place) for place in edge)
        for line, name in names_used(file)
        if part_of(name) == part
    ]
    assert not wrong


def test_only_the_parts_and_languages_that_are_needed_are_read() -> None:
    texts.cache_clear()
    assert Messages("id")("game.corners") != Messages("id")("game.platforms")
    assert texts.cache_info().currsize == 1


def test_a_message_that_a_language_lacks_is_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"en": {"cli.new": "new {field}"}, "id": {}}
    monkeypatch.setattr(messages, "texts", lambda language, part: both[language])
    assert Messages("id")("cli.new", field="!") == "new !"
    assert Messages("id")("cli.old", field="!") == "cli.old"


def test_every_message_is_in_every_language() -> None:
    complete = [
        name
        for name, texts in CATALOGUE.items()
        if set(texts) == set(LANGUAGES) and all(text.strip() for text in texts.values())
    ]
    assert complete == list(CATALOGUE)


def test_a_message_has_the_same_fields_in_every_language() -> None:
    different = {
        name: texts
        for name, texts in CATALOGUE.items()
        if len({tuple(fields(text)) for text in texts.values()}) != 1
    }
    assert different == {}


def test_a_message_has_a_proper_name_and_named_fields() -> None:
    assert [name for name in CATALOGUE if not _NAME.fullmatch(name)] == []
    unnamed = [
        (name, field)
        for name, texts in CATALOGUE.items()
        for text in texts.values()
        for field in fields(text)
        if not field.isidentifier()
    ]
    assert unnamed == []


def test_every_message_that_is_used_is_in_the_catalogue() -> None:
    missing = [
        f"{file.relative_to(SOURCES)}:{line}: {name}"
        for file in FILES
        for line, name in names_used(file)
        if name not in CATALOGUE
    ]
    assert missing == []


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
