"""Reading of data files, with size limits and one error message for damaged files.

with reading(path, "levels.damaged"):
    levels = read_json(path, most=1 << 22)
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from papan.errors import InvalidSpec, UsageError

#: Exceptions that a damaged file may cause. Not `MemoryError`: then the file may be valid.
_DAMAGE = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, RuntimeError),
    *(TypeError, ValueError, struct.error, zipfile.BadZipFile, zlib.error),
)


@contextmanager
def reading(
    path: str | Path, message: str, kind: type[UsageError] = InvalidSpec, **values: object
) -> Iterator[None]:
    """Turns every exception from reading a file into one error that names the file.

    Args:
        path: the file; `text` in the message.
        message: the message for a damaged file.
        kind: the class of the error.
        values: more values of the message.

    Raises:
        UsageError: the file cannot be read or is damaged; the error's class is `kind`.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise kind("usage.unreadable", text=path, reason=reason) from None
    except _DAMAGE:
        raise kind(message, text=path, **values) from None


def read_limited(path: str | Path, most: int) -> bytes:
    """Returns the bytes of a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file has more than `most` bytes.
    """
    with open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(path)
    return content


def read_json(path: str | Path, most: int) -> Any:
    """Returns the value of a JSON file of at most `most` bytes.

    Raises:
        OSError: the file cannot be read.
        ValueError, RecursionError: the file is too large, is not JSON, or has NaN or an infinite
            number.
    """
    return parse_json(read_limited(path, most))


def parse_json(text: bytes) -> Any:
    """Returns the value of a JSON text.

    Raises:
        ValueError, RecursionError: the text is not JSON, or has NaN or an infinite number.
    """
    return json.loads(text.decode(), parse_float=_finite, parse_constant=_refuse)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)
