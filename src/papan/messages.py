"""Everything Papan says to people, in each of its languages, from one catalogue.

The catalogue is the folder `locale`: for each language a folder, with a file for each part of the
package. A line is a message: its name, and its text with `{fields}` for `str.format`. A file is
read when the first of its messages is needed. English is the language of exceptions.

    locale/en/core.toml    all that is not in one of the others
    locale/en/cli.toml     messages of the command line alone
    locale/en/web.toml     messages of the pages in the browser alone
"""

from __future__ import annotations

import functools
import locale
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from papan.errors import PapanError, UsageError

LANGUAGES = {"en": "English", "id": "Bahasa Indonesia"}

#: The parts of the catalogue: the first words of the names of their messages. `core` has the rest.
PARTS = {
    "core": frozenset[str](),
    "cli": frozenset(
        {
            "cache",
            "cli",
            "match",
            "perft",
            "play",
            "reproduce",
            "search",
            "tournament",
            "train",
            "tune",
        }
    ),
    "web": frozenset({"web"}),
}
_PART_OF = {topic: part for part, topics in PARTS.items() for topic in topics}

# Not `importlib.resources`: importing it costs more time than reading the file.
_FOLDER = os.path.join(os.path.dirname(__file__), "locale")


@functools.cache
def texts(language: str, part: str) -> Mapping[str, str]:
    """The messages of one part in one language: name → text with `{fields}`."""
    with open(os.path.join(_FOLDER, language, f"{part}.toml"), "rb") as file:
        return tomllib.load(file)


def part_of(message: str) -> str:
    """The part of the catalogue that a message belongs to, by its name."""
    return _PART_OF.get(message.partition(".")[0], "core")


def catalogue() -> Mapping[str, Mapping[str, str]]:
    """All messages of all parts: name → language → text with `{fields}`."""
    merged: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        for part in PARTS:
            for name, text in texts(language, part).items():
                merged.setdefault(name, {})[language] = text
    return merged


@dataclass(frozen=True)
class Messages:
    """The messages in one language.

    Raises:
        UsageError: the language is not one of `LANGUAGES`.
    """

    language: str = "en"

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise UsageError("usage.unknown-language", text=self.language, known=known)

    def __call__(self, message: str, /, **values: object) -> str:
        """The message of that name, filled in; a text that is no name stands for itself."""
        text = self._text(message)
        if text is None:
            return message
        words = {field: self._word(field, value) for field, value in values.items()}
        return text.format(**words)

    def explain(self, error: PapanError) -> str:
        """The sentence of an exception, on one line."""
        return " ".join(self(error.message, **error.values).split())

    def _text(self, message: str) -> str | None:
        """The text of a message, in English if this language lacks it; None if there is none."""
        part = part_of(message)
        text = texts(self.language, part).get(message)
        return text if text is not None else texts("en", part).get(message)

    def _word(self, field: str, value: object) -> object:
        """A value that is an error, or itself the name of a message, marked by a leading `@`, is
        translated; but not the field `text`, which holds typed words."""
        if isinstance(value, PapanError):
            return self.explain(value)
        if field == "text" or not isinstance(value, str) or not value.startswith("@"):
            return value
        text = self._text(value[1:])
        return value if text is None else text


ENGLISH = Messages("en")


def preferred_language() -> str:
    """`PAPAN_LANG`, else the language of the locale if Papan speaks it, else English."""
    chosen = os.environ.get("PAPAN_LANG") or locale.getlocale(locale.LC_MESSAGES)[0] or "en"
    code = chosen[:2].lower()
    if chosen.lower().startswith("indonesian"):
        code = "id"
    return code if code in LANGUAGES else "en"
