"""Records: the list of recorded games, the replay of a game, downloads, and a position to share."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core import spec
from papan.core.game import Position
from papan.errors import PapanError
from papan.figures.board import board_picture
from papan.figures.highlights import last_marks
from papan.messages import Messages
from papan.records.model import RESULTS, Record
from papan.records.store import Store
from papan.records.text import write, write_pgn
from papan.web.board import board_sheet, pictures
from papan.web.board.judgement import ValueHistory
from papan.web.board.line import GameLine, fields_of, query_of, read_line
from papan.web.board.snapshot import snapshot
from papan.web.board.view import BoardView
from papan.web.board.words import KINDS, RecordRow, encodable, pair_moves
from papan.web.engines.analysis_jobs import AnalysisJobs
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import OPTION, offered_game, service_of, state_of
from papan.web.http.subscriptions import push
from papan.web.records.filters import LAST_PAGE, PAGE, RecordFilters, RecordsPage, find_page

#: Maximum number of games in a file.
MOST_DOWNLOADED = 1000

_FORMS = {"txt": "text/plain; charset=utf-8", "json": "application/json"}
_PGN = "application/vnd.chess-pgn"


def name_event(name: str) -> str:
    """Returns the name of an event without the digest at its end."""
    return _DIGEST.sub("", encodable(name))


#: The digest at the end of an event name, which means nothing to people.
_DIGEST = re.compile(r" [0-9a-f]{12}$")


async def show(request: Request) -> Response:
    """The list."""
    say = render.messages(request)
    wanted, problem = RecordFilters(), ""
    try:
        wanted = RecordFilters.read(request.query_params)
    except PapanError as error:
        problem = render.explain(request, error)
    allowed, store = service_of(request, Allowed), service_of(request, Store)
    present = await asyncio.to_thread(_games_without_offer, allowed, store)
    if (game := wanted.fields.get("game", "")) not in ("", *(name for name, _ in present)):
        offered_game(allowed, game)
    page, total, events = await asyncio.to_thread(
        _look_up, allowed, store, wanted, state_of(request)[0]
    )
    ids = [encodable(record.id) for record in page.records]
    return render.page(
        request,
        "records/records.html",
        status=400 if problem else 200,
        wanted=wanted,
        rows=[_row(allowed, record, say) for record in page.records],
        total=total,
        pages=max(wanted.page, -(-total // PAGE)),
        newer=wanted.at(wanted.page - 1, before=ids[0] if wanted.page > 2 else "") if ids else None,
        older=wanted.at(wanted.page + 1, after=ids[-1]) if page.has_more else None,
        present=[("", say("web.records.any-game")), *present],
        looks=pictures.looks(request),
        results=RESULTS,
        events=events,
        event_name=name_event,
        problem=problem,
    )


def _row(allowed: Allowed, record: Record, say: Messages) -> tuple[RecordRow, str, bool]:
    """Returns the row of a game in the list, the title of its game, and whether that is offered."""
    shown = allowed.public.record(record)
    name, options = spec.split(shown.game)
    offered = name in allowed.all_games()
    title = allowed.game(name, {}).title if offered else name
    whole = encodable(f"{title} ({options})" if options else title)
    return RecordRow.of(shown, say), whole, offered


def _games_without_offer(allowed: Allowed, store: Store) -> list[tuple[str, str]]:
    """Returns the games in the store that are not offered here, by their public names."""
    names = {spec.split(allowed.public.text(game))[0] for game in store.games()}
    return [
        (name, name) for name in sorted(map(encodable, names)) if name not in allowed.all_games()
    ]


#: Number of the newest events in the filter.
_EVENTS = 30


def _look_up(
    allowed: Allowed, store: Store, wanted: RecordFilters, session: str
) -> tuple[RecordsPage, int, list[str]]:
    """Returns a page of games, their total number, and the newest events."""
    filters = wanted.as_kept(allowed, store, session)
    page = find_page(store, wanted, filters)
    events = [allowed.public.text(event.name) for event in store.events()[-_EVENTS:]]
    return page, store.count(**filters), [encodable(name) for name in events[::-1]]


# --- one game -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Replay:
    """A game at one ply.

    Attributes:
        id: its id in the store.
        record: the game.
        positions: all positions; empty if the game is not offered here or the record is damaged.
        ply: the shown ply.
        problem: the reason for missing positions.
    """

    id: str
    record: Record
    positions: tuple[Position, ...] = ()
    ply: int = 0
    problem: PapanError | None = None

    def query(self, ply: int) -> str:
        """Returns the query of the address at another ply."""
        return urlencode({"ply": ply})


def replay_of(allowed: Allowed, id: str, record: Record, values: Mapping[str, str]) -> Replay:
    """Returns the replay of an address.

    Raises:
        UsageError: The ply is invalid.
    """
    last = len(record.moves)
    try:
        game = request_params.offered_game(allowed, record.game)
        positions = request_params.positions_of(game, record.start, record.moves)
    except PapanError as error:
        return Replay(id, record, problem=error)
    return Replay(id, record, positions, request_params.whole(values, "ply", 0, last, last))


async def _find_record(connection: HTTPConnection) -> Record:
    """Returns the record of an address.

    Raises:
        HTTPException: The record does not exist.
    """
    id = connection.path_params["id"]
    record = await asyncio.to_thread(service_of(connection, Store).get, id)
    if record is None:
        raise HTTPException(404)
    return service_of(connection, Allowed).public.record(record)


async def game(request: Request) -> Response:
    """The replay of a game."""
    return render.page(request, "records/record.html", **await _context_of(request))


async def prove(request: Request) -> Response:
    """Starts or stops the proofs of the results of a game."""
    form = await request_params.read_form(request)
    session, _ = state_of(request)
    record = await _find_record(request)
    line = _line(service_of(request, Allowed), record)
    if line is None:
        raise HTTPException(404)
    if "stop" in form:
        service_of(request, AnalysisJobs).stop(session)
    else:
        sides = tuple(position.side for position in line.positions)
        service_of(request, AnalysisJobs).begin_review(session, line.whole_game, sides)
    if render.is_fragment(request):
        return await game(request)
    return render.see(request, "record", request.url.query, id=request.path_params["id"])


async def follow(socket: WebSocket) -> None:
    """Sends the page of a game after each new proof."""
    session, _ = state_of(socket)
    record = await asyncio.to_thread(service_of(socket, Store).get, socket.path_params["id"])

    async def text() -> str:
        context = await _context_of(socket)
        return render.html(socket, "records/record.html", fragment=True, **context)

    await push(socket, service_of(socket, AnalysisJobs).topic(session), text if record else None)


async def _context_of(connection: HTTPConnection) -> dict[str, Any]:
    """Returns the values for the template of a game."""
    record = await _find_record(connection)
    allowed, say = service_of(connection, Allowed), render.messages(connection)
    replay = replay_of(allowed, connection.path_params["id"], record, connection.query_params)
    return {
        "replay": replay,
        "record": record,
        "row": RecordRow.of(record, say),
        "facts": _facts(record, say),
        "problem": render.explain(connection, replay.problem),
        "given": encodable(record.given),
        "pairs": pair_moves(replay.positions, record.moves),
        "plain_moves": [] if replay.positions else [encodable(move) for move in record.moves],
        "analysis": query_of(allowed, record, replay.ply) if replay.positions else "",
        "has_pgn": bool(replay.positions) and replay.positions[0].game.has_book_notation,
        "mistakes": fields_of(allowed, record) if len(replay.positions) > 1 else {},
        **_proofs(connection, record, say),
        **_board(connection, replay, say),
    }


def _line(allowed: Allowed, record: Record) -> GameLine | None:
    """Returns the line of a record; None if it cannot be replayed here or has no moves."""
    fields = fields_of(allowed, record)
    try:
        line = read_line(allowed, fields) if fields else None
    except PapanError:
        return None
    return line if line and line.moves else None


def _proofs(connection: HTTPConnection, record: Record, say: Messages) -> dict[str, Any]:
    """Returns this browser's review of the game with its proofs."""
    session, _ = state_of(connection)
    line = _line(service_of(connection, Allowed), record)
    jobs = service_of(connection, AnalysisJobs)
    review = jobs.find_review(session, line.whole_game) if line else None
    return {"review": review, "proofs": ValueHistory.of(line, review, say) if line else None}


def _board(connection: HTTPConnection, replay: Replay, say: Messages) -> dict[str, Any]:
    """Returns the board, and the boards of all plies for the script."""
    positions, moves = replay.positions, replay.record.moves
    if not positions:
        return {"board": None, "sheet": ""}
    style = state_of(connection)[1].style
    board = BoardView.of(positions, moves, replay.ply, say=say, style=style)
    return {
        "sheet": board_sheet.address(connection, positions[0].game),
        "board": board,
        "snapshot": snapshot(positions, moves, board),
    }


def _facts(record: Record, say: Messages) -> list[tuple[str, str]]:
    """Returns the other facts of a game: label, value."""
    how = f"termination.{record.termination.replace(' ', '-')}"
    known = {
        "records.game": record.game,
        "records.played": record.played[:16].replace("T", " "),
        "web.records.how": say(how) if say(how) != how else record.termination,
        "records.plies": str(len(record.moves)),
        "records.event": name_event(record.event),
        "records.round": str(record.round) if record.round else "",
        "records.time-control": _describe_conditions(record.time_control, say),
        "records.start": record.start,
        "web.records.detail": record.detail,
    }
    return [(say(label), encodable(value)) for label, value in known.items() if value]


#: Names of conditions in records, written by `TimeControl` of the arena.
_CONDITIONS = ("clock", "time", "depth", "nodes", "margin")


def _describe_conditions(conditions: str, say: Messages) -> str:
    """Returns conditions such as `time=0.1 margin=5` in words; unknown ones are unchanged."""
    return ", ".join(_describe_condition(part, say) for part in conditions.split())


def _describe_condition(part: str, say: Messages) -> str:
    name, equals, value = part.partition("=")
    if not equals or name not in _CONDITIONS:
        return part
    total, plus, increment = value.partition("+")
    if plus and name == "clock":
        return say("web.condition.increment", total=total, increment=increment)
    return say(f"web.condition.{name}", value=value)


# --- files ----------------------------------------------------------------------------------------


def record_as_json(record: Record) -> dict[str, Any]:
    """Returns a record with the fields of `papan records show --json`."""
    return {
        name: encodable(value) if isinstance(value, str) else value
        for name, value in asdict(record).items()
    }


async def download(request: Request) -> Response:
    """A game as a file; as `svg`, its final position."""
    record, form = await _find_record(request), request.path_params["form"]
    if form == "svg":
        return await asyncio.to_thread(_final_position, request, record)
    if form == "pgn":
        return await asyncio.to_thread(_pgn, request, record)
    return _file(request, [record], f"papan-{request.path_params['id']}")


def _final_position(request: Request, record: Record) -> Response:
    """Returns the picture of the final position of a game.

    Raises:
        HTTPException: The game is not offered here, or the record is damaged.
    """
    replay = replay_of(service_of(request, Allowed), "", record, {})
    if not replay.positions:
        raise HTTPException(404)
    marks = last_marks(replay.positions, record.moves, replay.ply)
    return pictures.response(request, replay.positions[-1], marks)


def _pgn(request: Request, record: Record) -> Response:
    """Returns a game as PGN.

    Raises:
        HTTPException: The game has no notation of books, or its record cannot be replayed here.
    """
    positions = replay_of(service_of(request, Allowed), "", record, {}).positions
    if not positions or not positions[0].game.has_book_notation:
        raise HTTPException(404)
    text = write_pgn(record, positions[0])
    return _attachment(text, _PGN, f"papan-{request.path_params['id']}", "pgn")


async def download_all(request: Request) -> Response:
    """The games of a list as a file, up to `MOST_DOWNLOADED`."""
    wanted, store = RecordFilters.read(request.query_params), service_of(request, Store)

    allowed = service_of(request, Allowed)

    def find() -> list[Record]:
        filters = wanted.as_kept(allowed, store, state_of(request)[0])
        return list(store.find(limit=MOST_DOWNLOADED, newest_first=True, **filters))

    records = await asyncio.to_thread(find)
    return _file(request, [allowed.public.record(record) for record in records], "papan-games")


def _file(request: Request, records: list[Record], name: str) -> Response:
    form = request.path_params["form"]
    if form not in _FORMS:
        raise HTTPException(404)
    if form == "txt":
        text = "".join(map(write, records))
    else:
        text = json.dumps(
            {"games": [record_as_json(record) for record in records]}, ensure_ascii=False
        )
    return _attachment(text, _FORMS[form], name, form)


def _attachment(text: str, media_type: str, name: str, form: str) -> Response:
    """Returns a text as a file to download."""
    safe = "".join(c for c in name if c.isascii() and (c.isalnum() or c in "-_"))[:80]
    return render.attachment(text, media_type, f"{safe}.{form}")


# --- sharing a position ---------------------------------------------------------------------------

#: Width of a saved picture in pixels.
_WIDTH = 720


async def share(request: Request) -> Response:
    """A position to share: its moves, line, link and picture, and games that continue from it.

    The address has the fields of the analysis: `game`, `position`, `moves` and `ply`.
    """
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    line = read_line(allowed, request.query_params)
    assert line.position is not None
    query, analysis = _share_query(request, line), render.path(request, "analysis")
    say, over = render.messages(request), line.position.outcome() is not None
    return render.page(
        request,
        "records/share.html",
        line=line,
        query=query,
        link=f"{request.url.scheme}://{request.url.netloc}{analysis}?{query}",
        moves=" ".join(line.moves[: line.ply]),
        continued=[] if over else [kind for kind in KINDS if kind != "watch"],
        start=_new_game_query(line),
        board=BoardView.of(line.positions, line.moves, line.ply, say=say, style=wanted.style),
    )


async def share_picture(request: Request) -> Response:
    """The board as a separate picture."""
    line = read_line(service_of(request, Allowed), request.query_params)
    assert line.position is not None
    drawn = board_picture(
        line.position,
        marks=last_marks(line.positions, line.moves, line.ply),
        size=_WIDTH,
    )
    return render.attachment(drawn, "image/svg+xml", "papan-board.svg")


def _share_query(request: Request, line: GameLine) -> str:
    """Returns the analysis query of a line with its variations and name."""
    fields = {name: request.query_params.get(name, "") for name in ("others", "title")}
    return urlencode(line.fields() | {name: text for name, text in fields.items() if text})


def _new_game_query(line: GameLine) -> str:
    """Returns the query of the form for a new game from the shown position."""
    name, options = spec.split(line.name)
    given = (part.partition("=") for part in options.split(",") if part)
    fields = {"game": name} | {f"{OPTION}{key}": value for key, _, value in given}
    return urlencode(fields | {"position": line.text})


# --- in the API -----------------------------------------------------------------------------------

router = APIRouter(tags=["records"])

Id = Annotated[str, Path(max_length=64)]


class RecordsQuery(BaseModel):
    """A page of the list of recorded games."""

    game: Annotated[str, Field(max_length=400)] = ""
    player: Annotated[str, Field(max_length=400)] = ""
    event: Annotated[str, Field(max_length=400)] = ""
    result: Annotated[str, Field(max_length=400)] = ""
    since: Annotated[str, Field(max_length=400)] = ""
    page: Annotated[int, Field(ge=1, le=LAST_PAGE)] = 1
    after: Annotated[str, Field(max_length=64)] = ""


@router.get("/records")
async def list_records(request: Request, query: Annotated[RecordsQuery, Query()]) -> dict[str, Any]:
    """Recorded games, newest first, one page at a time.

    Fastest is the page that begins after the game with the id `next` of the page before.
    """
    allowed, store = service_of(request, Allowed), service_of(request, Store)
    wanted = RecordFilters.read({**query.model_dump(), "page": str(query.page)})

    def look_up() -> tuple[RecordsPage, int]:
        filters = wanted.as_kept(allowed, store)
        return find_page(store, wanted, filters), store.count(**filters)

    page, count = await asyncio.to_thread(look_up)
    return {
        "count": count,
        "page": query.page,
        "pages": max(1, -(-count // PAGE)),
        "next": page.records[-1].id if page.has_more else None,
        "games": [record_as_json(allowed.public.record(record)) for record in page.records],
    }


@router.get("/records/{id}")
async def get_record(request: Request, id: Id) -> dict[str, Any]:
    """One recorded game."""
    record = await asyncio.to_thread(service_of(request, Store).get, id)
    if record is None:
        raise HTTPException(404)
    return record_as_json(service_of(request, Allowed).public.record(record))


ROUTES: list[BaseRoute] = [
    Route("/records", show, name="records"),
    Route("/records.{form}", download_all, name="records-download"),
    Route("/records/{id}.{form}", download, name="record-download"),
    Route("/records/{id}", game, name="record"),
    Route("/records/{id}/values", prove, name="record-values", methods=["POST"]),
    WebSocketRoute("/records/{id}/live", follow, name="record-live"),
    Route("/share", share, name="share"),
    Route("/share/board.svg", share_picture, name="share-picture"),
]
