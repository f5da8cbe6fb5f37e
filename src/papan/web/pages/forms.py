"""Forms: small, flat, read by hand so that nothing but names and values comes through."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

from papan.web.rooms import Refused

#: Fields of a form, and characters of a value.
MOST_FIELDS = 40
LONGEST_VALUE = 2000


async def read_form(request: Request, longest: int = LONGEST_VALUE) -> dict[str, str]:
    """The fields of a form; of a field given twice, the last one.

    Args:
        request: what was sent.
        longest: characters of a value.

    Raises:
        Refused: it is no form, or too large.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if body and kind != "application/x-www-form-urlencoded":
        raise Refused("web.refused.form")
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            max_num_fields=MOST_FIELDS,
            errors="strict",
        )
    except ValueError:
        raise Refused("web.refused.form") from None
    if any(len(value) > longest for _, value in pairs):
        raise Refused("web.refused.form")
    return dict(pairs)
