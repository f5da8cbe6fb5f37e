"""The two cookies of a browser: its signed session, and its looks and sounds.

Nothing of either is kept on the server.
"""

from __future__ import annotations

import dataclasses
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from itsdangerous import BadSignature, TimestampSigner

from papan.figures.board import SHAPES, Style
from papan.messages import LANGUAGES

SESSION_COOKIE = "papan_session"
_KEY_FILE = "web-secret"
_ID_BYTES = 12


def secret_key(folder: Path) -> str:
    """The key that cookies are signed with: made once, and readable by its owner only."""
    path = folder / _KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_text(encoding="ascii").strip()
        if key:
            return key
        handle = os.open(path, os.O_WRONLY)  # a server was killed just when it made the file
    key = secrets.token_hex(32)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    return key


@dataclass
class Sessions:
    """Signs and reads the cookie.

    Attributes:
        signer: what signs.
        seconds: how long a cookie is good.
    """

    signer: TimestampSigner
    seconds: int

    @classmethod
    def of(cls, key: str, seconds: int) -> Sessions:
        """Sessions under a key."""
        return cls(TimestampSigner(key, salt="papan-session"), seconds)

    def new(self) -> str:
        """The id of a browser that has none."""
        return secrets.token_hex(_ID_BYTES)

    def write(self, session: str) -> str:
        """The cookie's value, good from now on."""
        return self.signer.sign(session).decode("ascii")

    def read(self, cookie: str) -> tuple[str, float]:
        """The id in a cookie, and its age in seconds; an empty id if it is forged or too old."""
        try:
            value, signed = self.signer.unsign(cookie, max_age=self.seconds, return_timestamp=True)
        except (BadSignature, ValueError, OverflowError):
            return "", 0.0
        age = self.signer.get_timestamp() - signed.timestamp()
        return value.decode("ascii", "replace"), age


OPTIONS_COOKIE = "papan_options"
OPTIONS_SECONDS = 365 * 24 * 3600
_LONGEST = 500

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
        """The looks of boards."""
        return Style(
            x_shape=self.x_shape,
            o_shape=self.o_shape,
            coordinates=self.coordinates == "on",
            standalone=False,
        )

    def written(self) -> str:
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


def read_preferences(cookie: str, accepted: str, default: str) -> Preferences:
    """The preferences in a cookie; without a language there, the browser's own."""
    values = dict(parse_qsl(cookie)) if len(cookie) <= _LONGEST else {}
    return preferences_of(values, spoken(accepted, default))


def spoken(accepted: str, default: str) -> str:
    """The first language of an `Accept-Language` header that Papan speaks."""
    for part in accepted[:_LONGEST].split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return default
