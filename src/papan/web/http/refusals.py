"""Errors that answer a request with a status of their own."""

from __future__ import annotations

from collections.abc import Mapping

from papan.errors import PapanError, RuleFailure, UsageError


class Refused(UsageError):
    """A visitor may not do this, or not now."""


class NotFound(PapanError):
    """Nothing has that address."""


class TooBusy(PapanError):
    """Too many tasks of the browser, of its address or of all browsers wait already."""


class EngineFailed(PapanError):
    """An engine gave no answer."""


_STATUS: Mapping[type[PapanError], int] = {
    NotFound: 404,
    TooBusy: 429,
    EngineFailed: 503,
    RuleFailure: 503,  # no other request would help
}


def status_of(error: PapanError) -> int:
    """The HTTP status of an error."""
    return _STATUS.get(type(error), 400)
