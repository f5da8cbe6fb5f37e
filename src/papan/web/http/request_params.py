"""Parameters of requests, read with care: games, positions, moves, numbers, forms.

Addresses and forms are text. Here it becomes positions, or a sentence that says what is wrong.
Nothing that is read here names a file or starts a program: games are those that are offered.
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

#: Characters of a position line, and moves of a game, that a browser may send.
LONGEST_LINE = 300
MOST_MOVES = 600
#: Characters of a record that is pasted.
LONGEST_RECORD = 20_000

#: Games that are remembered move by move.
_KEPT = 128


def service_of(connection: HTTPConnection, kind: type[T]) -> T:
    """The running server's service of a class; `papan.web.app` makes one of each."""
    services: Mapping[type[Any], Any] = connection.app.state.services
    service: T = services[kind]
    return service


def state_of(connection: HTTPConnection) -> tuple[str, Preferences]:
    """The session that asks, and its preferences."""
    return connection.state.session, connection.state.preferences


def offered_game(allowed: Allowed, text: str) -> Game:
    """The game that a spec names, if it is offered; the first one for an empty text.

    Raises:
        InvalidSpec: it is not offered, or an option is not allowed.
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
    """The moves in a text, separated by spaces or commas.

    Raises:
        UsageError: there are too many.
    """
    moves = tuple(text.replace(",", " ").split())
    if len(moves) > MOST_MOVES:
        raise UsageError("web.ask.moves", most=MOST_MOVES)
    return moves


def positions_of(game: Game, line: str, moves: tuple[str, ...] = ()) -> tuple[Position, ...]:
    """All positions of a game from a position line on, the first one included.

    Raises:
        PapanError: the line or a move is wrong.
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
    """Game, start and moves of the first game in a text of records.

    Raises:
        UsageError: it is too long, or there is none.
        RecordError: it is damaged.
    """
    if len(text) > LONGEST_RECORD:
        raise UsageError("web.ask.record", most=LONGEST_RECORD)
    # It is replayed later, by the rules of an offered game: none is loaded because a text says so.
    record = next(read(text, verify=False), None)
    if record is None:
        raise UsageError("web.ask.no-record")
    if isinstance(record, BadGame):
        raise record.error
    return record.game, record.start, record.moves


def whole(values: Mapping[str, str], name: str, low: int, high: int, default: int) -> int:
    """A whole number out of a form or an address.

    Raises:
        InvalidLimit: it is none, or out of range.
    """
    text = values.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
        raise InvalidLimit("limit.range", what=name, value=text[:20], expected=f"{low} … {high}")
    return int(text)


def number(values: Mapping[str, str], name: str, low: float, high: float, default: float) -> float:
    """A number out of a form or an address.

    Raises:
        InvalidLimit: it is none, or out of range.
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
    """The browser has gone before its answer was there."""


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is cancelled as soon as the browser has gone.

    The body of the request has been read.

    Raises:
        Left: it has gone; nothing can be answered.
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


#: What the names of a game's options begin with in forms, apart from the form's own fields.
OPTION = "option."


def options_in(form: Mapping[str, str]) -> dict[str, str]:
    """The options of a game that a form sets, by their names in specs."""
    return {
        name.removeprefix(OPTION): value for name, value in form.items() if name.startswith(OPTION)
    }


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
