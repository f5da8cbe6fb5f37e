"""Looks, sounds and game options of a browser, in a cookie that every page reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import parse_qsl, urlencode

from papan.figures.board import Style
from papan.figures.pieces import SHAPES
from papan.messages import LANGUAGES

OPTIONS_COOKIE = "papan_options"
#: The form that a browser sent last, and the game that came of it.
LAST_GAME_COOKIE = "papan_last"
OPTIONS_SECONDS = 365 * 24 * 3600

#: Characters of the cookie and of an `Accept-Language` header that are read.
LONGEST = 500

SWITCH = ("on", "off")
THEMES = ("system", "light", "dark", "contrast")
#: Colours of pieces; each theme has its own shade of them, in the style sheet.
COLOURS = ("red", "blue", "green", "gold", "purple", "ink")

#: What each preference may be; the first one is taken if a browser has none.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "theme": THEMES,
    "x_colour": COLOURS,
    "o_colour": ("blue", *(name for name in COLOURS if name != "blue")),
    "x_shape": SHAPES,
    "o_shape": ("ring", *(name for name in SHAPES if name != "ring")),
    "sound": SWITCH,
    "animation": SWITCH,
    "coordinates": SWITCH,
    "platforms_size": ("3", "4", "5", "6"),
    "platforms_level": ("1", "2", "3"),
}


@dataclass(frozen=True)
class Preferences:
    """The preferences of a browser."""

    language: str = "en"
    theme: str = "system"
    x_colour: str = "red"
    o_colour: str = "blue"
    x_shape: str = "disc"
    o_shape: str = "ring"
    sound: str = "on"
    animation: str = "on"
    coordinates: str = "on"
    platforms_size: str = "3"
    platforms_level: str = "1"

    @cached_property
    def style(self) -> Style:
        """The looks of boards."""
        return Style(
            x_shape=self.x_shape,
            o_shape=self.o_shape,
            coordinates=self.coordinates == "on",
            standalone=False,
        )

    def options_of(self, game: str) -> dict[str, str]:
        """Returns the options chosen for a game, by their names in specs."""
        start = f"{game}_"
        return {
            name.removeprefix(start): value
            for name, value in vars(self).items()
            if name.startswith(start)
        }

    def to_cookie(self) -> str:
        """The cookie's value."""
        return urlencode(dataclasses.asdict(self))


def preferences_of(values: Mapping[str, str], language: str) -> Preferences:
    """Preferences out of a form or a cookie; what is not allowed is left at its default.

    Two sides that look alike get their own looks back.
    """
    chosen = {
        name: values[name] for name, allowed in CHOICES.items() if values.get(name) in allowed
    }
    if values.get("language") in LANGUAGES:
        language = values["language"]
    wanted = Preferences(language=language, **chosen)
    if wanted.x_colour == wanted.o_colour:
        wanted = dataclasses.replace(wanted, x_colour="red", o_colour="blue")
    if wanted.x_shape == wanted.o_shape:
        wanted = dataclasses.replace(wanted, x_shape="disc", o_shape="ring")
    return wanted


# Every request brings them, most of them the same as before.
@lru_cache(256)
def read_preferences(cookie: str, accepted: str, default: str) -> Preferences:
    """The preferences in a cookie; without a language there, the browser's own."""
    values = dict(parse_qsl(cookie)) if len(cookie) <= LONGEST else {}
    return preferences_of(values, choose_language(accepted, default))


def choose_language(accepted: str, default: str) -> str:
    """The first language of an `Accept-Language` header that Papan speaks."""
    for part in accepted[:LONGEST].split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return default
