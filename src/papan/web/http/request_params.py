"""Validated parameters of requests: games, positions, moves, numbers, forms.

Addresses and forms are text. This module converts them or raises an error with a message. No
parameter can name a file or start a program: only offered games are accepted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from starlette.requests import HTTPConnection, Request

from papan.core import spec
from papan.core.game import Game, Position
from papan.errors import InvalidLimit, UsageError
from papan.records.text import BadGame, read
from papan.web.http.allowed import LONGEST_SPEC, Allowed
from papan.web.http.preferences import Preferences
from papan.web.http.refusals import Refused

T = TypeVar("T")

#: Maximum characters of a position line, and maximum moves of a game.
LONGEST_LINE = 300
MOST_MOVES = 600
#: Maximum characters of a pasted record.
LONGEST_RECORD = 20_000

#: Number of games whose positions are cached.
_KEPT = 128


def service_of(connection: HTTPConnection, kind: type[T]) -> T:
    """Returns the service of a class of the running server; `papan.web.app` creates one of each."""
    services: Mapping[type[Any], Any] = connection.app.state.services
    service: T = services[kind]
    return service


def state_of(connection: HTTPConnection) -> tuple[str, Preferences]:
    """Returns the session and the preferences of a request."""
    return connection.state.session, connection.state.preferences


def offered_game(allowed: Allowed, text: str) -> Game:
    """Returns the game of a spec, if it is offered; the first game for an empty text.

    Raises:
        InvalidSpec: The game is not offered, or an option is not allowed.
    """
    offered = allowed.games()
    if not text:
        return allowed.game(next(iter(offered)), {})
    for name, known in allowed.all_games().items():
        if text in (name, known):
            return allowed.game(name, {})
    name, rest = spec.split(text[:LONGEST_SPEC])
    given = (part.partition("=") for part in rest.split(",") if part)
    options = {key.strip(): value for key, _, value in given}
    game = allowed.game(name, options)
    strange = set(options) - set(spec.options_of(type(game)))
    if strange:
        known_options = spec.options_of(type(game))
        raise spec.unknown("spec.unknown-option", min(strange), known_options, name=name)
    return game


def read_moves(text: str) -> tuple[str, ...]:
    """Returns the moves in a text, separated by spaces or commas.

    Raises:
        UsageError: There are too many moves.
    """
    moves = tuple(text.replace(",", " ").split())
    if len(moves) > MOST_MOVES:
        raise UsageError("web.ask.moves", most=MOST_MOVES)
    return moves


def positions_of(game: Game, line: str, moves: tuple[str, ...] = ()) -> tuple[Position, ...]:
    """Returns all positions of a game from a position line on, including the first.

    Raises:
        PapanError: The line or a move is invalid.
    """
    if len(line) > LONGEST_LINE:
        raise UsageError("web.ask.line", most=LONGEST_LINE)
    return _walk(game, line, moves)


@lru_cache(_KEPT)
def _walk(game: Game, line: str, moves: tuple[str, ...]) -> tuple[Position, ...]:
    positions = [game.position(line)]
    for move in moves:
        positions.append(positions[-1].play(move))
    return tuple(positions)


def read_record(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Returns game, start and moves of the first game in a text of records.

    Raises:
        UsageError: The text is too long or has no game.
        RecordError: The record is damaged.
    """
    if len(text) > LONGEST_RECORD:
        raise UsageError("web.ask.record", most=LONGEST_RECORD)
    # The record is replayed with the rules of an offered game; a text cannot load a game.
    record = next(read(text, verify=False), None)
    if record is None:
        raise UsageError("web.ask.no-record")
    if isinstance(record, BadGame):
        raise record.error
    return record.game, record.start, record.moves


def whole(values: Mapping[str, str], name: str, low: int, high: int, default: int) -> int:
    """Returns an integer of a form or address.

    Raises:
        InvalidLimit: The text is not an integer, or it is out of range.
    """
    text = values.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
        raise InvalidLimit("limit.range", what=name, value=text[:20], expected=f"{low} … {high}")
    return int(text)


def number(values: Mapping[str, str], name: str, low: float, high: float, default: float) -> float:
    """Returns a number of a form or address.

    Raises:
        InvalidLimit: The text is not a number, or it is out of range.
    """
    text = values.get(name, "").strip()
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise InvalidLimit(
            "limit.range", what=name, value=text[:20], expected=f"{low:g} … {high:g}"
        )
    return value


class Left(Exception):
    """The browser closed the connection before the response."""


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Returns the result of a task, which is cancelled if the browser closes the connection.

    Call it after reading the body of the request.

    Raises:
        Left: The browser closed the connection.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Left
        return working.result()
    finally:
        leaving.cancel()
        working.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


#: Prefix of game options in forms.
OPTION = "option."


def options_in(form: Mapping[str, str]) -> dict[str, str]:
    """Returns the options of a game in a form, by their names in specs."""
    return {
        name.removeprefix(OPTION): value for name, value in form.items() if name.startswith(OPTION)
    }


#: Maximum fields of a form, and maximum characters of a value.
MOST_FIELDS = 40
LONGEST_VALUE = 2000


async def read_form(request: Request, longest: int = LONGEST_VALUE) -> dict[str, str]:
    """Returns the fields of a form; of repeated fields the last one.

    Args:
        request: the request.
        longest: maximum number of characters of a value.

    Raises:
        Refused: The body is not a form or is too large.
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
