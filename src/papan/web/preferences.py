"""How a browser wants things to look and sound: kept there, in a cookie that every page reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from papan.figures.board import Style
from papan.figures.pieces import SHAPES
from papan.messages import LANGUAGES

COOKIE = "papan_options"
COOKIE_SECONDS = 365 * 24 * 3600
_LONGEST = 500

SWITCH = ("on", "off")
THEMES = ("system", "light", "dark", "contrast")
#: Colours of pieces; each theme has its own shade of them, in the style sheet.
COLOURS = ("red", "blue", "green", "gold", "purple", "ink")

#: What each preference may be; the first one is taken if a browser has none.
ALLOWED: Mapping[str, tuple[str, ...]] = {
    "theme": THEMES,
    "x_colour": COLOURS,
    "o_colour": ("blue", *(name for name in COLOURS if name != "blue")),
    "x_shape": SHAPES,
    "o_shape": ("ring", *(name for name in SHAPES if name != "ring")),
    "sound": SWITCH,
    "animation": SWITCH,
    "coordinates": SWITCH,
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

    @property
    def style(self) -> Style:
        """How boards are drawn."""
        return Style(
            x_shape=self.x_shape,
            o_shape=self.o_shape,
            coordinates=self.coordinates == "on",
            standalone=False,
        )

    def written(self) -> str:
        """The cookie's value."""
        return urlencode(dataclasses.asdict(self))


def read(values: Mapping[str, str], language: str) -> Preferences:
    """Preferences out of a form or a cookie; what is not allowed is left at its default.

    Two sides that could not be told apart get their own looks back.
    """
    chosen = {
        name: values[name] for name, allowed in ALLOWED.items() if values.get(name) in allowed
    }
    if values.get("language") in LANGUAGES:
        language = values["language"]
    wanted = Preferences(language=language, **chosen)
    if wanted.x_colour == wanted.o_colour:
        wanted = dataclasses.replace(wanted, x_colour="red", o_colour="blue")
    if wanted.x_shape == wanted.o_shape:
        wanted = dataclasses.replace(wanted, x_shape="disc", o_shape="ring")
    return wanted


def read_cookie(cookie: str, accepted: str, default: str) -> Preferences:
    """The preferences in a cookie; without a language there, the browser's own."""
    values = dict(parse_qsl(cookie)) if len(cookie) <= _LONGEST else {}
    return read(values, spoken(accepted, default))


def spoken(accepted: str, default: str) -> str:
    """The first language of an `Accept-Language` header that Papan speaks."""
    for part in accepted[:_LONGEST].split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return default
