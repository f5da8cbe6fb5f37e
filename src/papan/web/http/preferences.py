"""Looks, sounds and game options of a browser, in a cookie."""

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
#: Keys of the last submitted form and of the last game.
LAST_GAME_COOKIE = "papan_last"
OPTIONS_SECONDS = 365 * 24 * 3600

#: Maximum length of the cookie and of an `Accept-Language` header.
LONGEST = 500

SWITCH = ("on", "off")
THEMES = ("system", "light", "dark", "contrast")
#: Colours of pieces; the style sheet has a shade for each theme.
COLOURS = ("red", "blue", "green", "gold", "purple", "ink")

#: Allowed values of each preference, default first.
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
        """Returns the value of the cookie."""
        return urlencode(dataclasses.asdict(self))


def preferences_of(values: Mapping[str, str], language: str) -> Preferences:
    """Returns the preferences of a form or cookie; invalid values become defaults.

    If both sides look the same, they get their default looks.
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


# Every request has a cookie, most often the same one.
@lru_cache(256)
def read_preferences(cookie: str, accepted: str, default: str) -> Preferences:
    """Returns the preferences of a cookie; the default language is that of the browser."""
    values = dict(parse_qsl(cookie)) if len(cookie) <= LONGEST else {}
    return preferences_of(values, choose_language(accepted, default))


def choose_language(accepted: str, default: str) -> str:
    """Returns the first supported language of an `Accept-Language` header."""
    for part in accepted[:LONGEST].split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return default
