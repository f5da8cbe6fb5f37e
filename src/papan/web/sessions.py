"""Who a browser is: a random id in a signed cookie. Nothing is kept on the server."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from itsdangerous import BadSignature, TimestampSigner

COOKIE = "papan_session"
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
