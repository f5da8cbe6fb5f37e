"""Everything Papan says to people, in each of its languages, from one catalogue.

The catalogue is `catalogue.toml`: a table for each message, a line for each language. Values are
filled in with `str.format`. English is the language of exceptions and of whatever is missing.
"""

from __future__ import annotations

import functools
import locale
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from papan.errors import PapanError, UsageError

LANGUAGES = {"en": "English", "id": "Bahasa Indonesia"}


@functools.cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """All messages: name → language → text with `{fields}`."""
    text = resources.files("papan").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


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
        texts = catalogue().get(message)
        if texts is None:
            return message
        words = {field: self._word(field, value) for field, value in values.items()}
        return texts.get(self.language, texts["en"]).format(**words)

    def explain(self, error: PapanError) -> str:
        """What an exception says, on one line."""
        return " ".join(self(error.message, **error.values).split())

    def _word(self, field: str, value: object) -> object:
        """A value that is an error, or itself the name of a message, marked by a leading `@`, is
        translated; but not the field `text`, which holds what somebody typed."""
        if isinstance(value, PapanError):
            return self.explain(value)
        if field == "text" or not isinstance(value, str) or not value.startswith("@"):
            return value
        texts = catalogue().get(value[1:])
        return value if texts is None else texts.get(self.language, texts["en"])


ENGLISH = Messages("en")


def preferred_language() -> str:
    """`PAPAN_LANG`, else the language of the locale if Papan speaks it, else English."""
    chosen = os.environ.get("PAPAN_LANG") or locale.getlocale(locale.LC_MESSAGES)[0] or "en"
    code = chosen[:2].lower()
    if chosen.lower().startswith("indonesian"):
        code = "id"
    return code if code in LANGUAGES else "en"
