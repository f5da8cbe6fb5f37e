"""Errors with their own HTTP status."""

from __future__ import annotations

from collections.abc import Mapping

from papan.errors import PapanError, RuleFailure, UsageError


class Refused(UsageError):
    """The visitor may not do this, or not now."""


class Forbidden(PapanError):
    """Only the operator of the server may do this."""


class NotFound(PapanError):
    """The address does not exist."""


class TooBusy(PapanError):
    """Too many tasks of the browser, its address or all browsers are queued."""


class EngineFailed(PapanError):
    """An engine returned no result."""


_STATUS: Mapping[type[PapanError], int] = {
    NotFound: 404,
    Forbidden: 403,
    TooBusy: 429,
    EngineFailed: 503,
    RuleFailure: 503,  # the fault is in the game's rules, not in the request
}


def status_of(error: PapanError) -> int:
    """Returns the HTTP status of an error."""
    return _STATUS.get(type(error), 400)
