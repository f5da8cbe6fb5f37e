"""The catalogue of all texts for people, in each language.

The catalogue is the folder `locale`, with a folder for each language and a file for each part of
the package. A line is a message: its name, and its text with `{fields}` for `str.format`. A file is
read when its first message is needed. Exceptions are in English.

    locale/en/core.toml    all other messages
    locale/en/cli.toml     messages of the command line only
    locale/en/web.toml     messages of the pages only
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

#: Part of the catalogue → first words of its messages' names. `core` has all other messages.
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

# Not `importlib.resources`, whose import takes longer than reading the file.
_FOLDER = os.path.join(os.path.dirname(__file__), "locale")


@functools.cache
def texts(language: str, part: str) -> Mapping[str, str]:
    """Returns the messages of a part in a language: name → text with `{fields}`."""
    with open(os.path.join(_FOLDER, language, f"{part}.toml"), "rb") as file:
        return tomllib.load(file)


def part_of(message: str) -> str:
    """Returns the part of the catalogue that contains a message, from the message's name."""
    return _PART_OF.get(message.partition(".")[0], "core")


def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Returns all messages of all parts: name → language → text with `{fields}`."""
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
        UsageError: The language is not one of `LANGUAGES`.
    """

    language: str = "en"

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise UsageError("usage.unknown-language", text=self.language, known=known)

    def __call__(self, message: str, /, **values: object) -> str:
        """Returns a message with its fields filled in; unchanged if `message` is not in the
        catalogue.
        """
        text = self._text(message)
        if text is None:
            return message
        words = {field: self._word(field, value) for field, value in values.items()}
        return text.format(**words)

    def explain(self, error: PapanError) -> str:
        """Returns the message of an exception on one line."""
        return " ".join(self(error.message, **error.values).split())

    def ending(self, termination: str) -> str:
        """Returns the termination of a game in words; an unknown one as it is."""
        text = self._text(f"termination.{termination.replace(' ', '-')}")
        return termination if text is None else text

    def _text(self, message: str) -> str | None:
        """Returns the text of a message, in English if this language lacks it; None if it is
        missing.
        """
        part = part_of(message)
        text = texts(self.language, part).get(message)
        return text if text is not None else texts("en", part).get(message)

    def _word(self, field: str, value: object) -> object:
        """Translates a value that is an error or a message name with the prefix `@`.

        The field `text` is not translated, because it contains user input.
        """
        if isinstance(value, PapanError):
            return self.explain(value)
        if field == "text" or not isinstance(value, str) or not value.startswith("@"):
            return value
        text = self._text(value[1:])
        return value if text is None else text


ENGLISH = Messages("en")


def preferred_language() -> str:
    """Returns `PAPAN_LANG`, otherwise the locale's language if it is supported, otherwise
    English.
    """
    chosen = os.environ.get("PAPAN_LANG") or locale.getlocale(locale.LC_MESSAGES)[0] or "en"
    code = chosen[:2].lower()
    if chosen.lower().startswith("indonesian"):
        code = "id"
    return code if code in LANGUAGES else "en"
