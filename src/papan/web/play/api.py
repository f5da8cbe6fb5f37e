"""Live games in the API."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from papan.core.game import Position
from papan.core.notation import SIDES
from papan.figures.highlights import flips
from papan.web.board.line import position_as_json
from papan.web.board.players import KINDS
from papan.web.http import request_params
from papan.web.http.allowed import LONGEST_SPEC, Allowed
from papan.web.http.request_params import OPTION, service_of, state_of
from papan.web.play.live_game import LiveGame
from papan.web.play.live_games import LiveGames
from papan.web.play.live_store import LiveStore
from papan.web.play.setup import live_game_of

router = APIRouter(tags=["live games"])

Id = Annotated[str, Path(max_length=64)]

#: Number of positions with cached previews.
_KEPT = 512
#: Maximum number of legal moves for previews; more would take longer than a move.
_MOST_FORETOLD = 300


class GameRequest(BaseModel):
    """The body of a request for a new live game, with the fields of the form."""

    model_config = ConfigDict(extra="forbid")

    kind: Annotated[str, Field(examples=["solo"], pattern=f"^({'|'.join(KINDS)})$")] = "solo"
    game: str = Field(max_length=LONGEST_SPEC, examples=["adjacency"])
    options: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=40)]] = (
        Field({}, max_length=10)
    )
    name: str = Field("", max_length=200)
    other: str = Field("", max_length=200)
    side: str = Field("x", max_length=10)
    opponent: str = Field("medium", max_length=LONGEST_SPEC)
    x: str = Field("medium", max_length=LONGEST_SPEC)
    o: str = Field("medium", max_length=LONGEST_SPEC)
    clock: str = Field("none", max_length=10)


class MoveRequest(BaseModel):
    """A move in a live game."""

    model_config = ConfigDict(extra="forbid")

    move: str = Field(max_length=20, examples=["c4"])


@lru_cache(_KEPT)
def previews(position: Position) -> dict[str, list[str]]:
    """Returns the squares that each legal move turns: move → squares."""
    moves = position.moves()
    return {move: flips(position, move) for move in moves if len(moves) <= _MOST_FORETOLD}


@router.post("/live", status_code=201)
async def begin_live(request: Request, wanted: Annotated[GameRequest, Body()]) -> dict[str, Any]:
    """Creates a live game; the cookie of the response identifies the player."""
    options = {f"{OPTION}{name}": value for name, value in wanted.options.items()}
    form = {**options, **wanted.model_dump(exclude={"kind", "options"})}
    live = live_game_of(request, wanted.kind, form)
    await service_of(request, LiveGames).add(live)
    return _live(request, live)


@router.get("/live/{id}")
async def get_live(request: Request, id: Id) -> dict[str, Any]:
    """The state of a live game."""
    return _live(request, await service_of(request, LiveGames).find(id))


@router.post("/live/{id}/moves")
async def play_live(
    request: Request, id: Id, wanted: Annotated[MoveRequest, Body()]
) -> dict[str, Any]:
    """Makes a move in a live game for the player of the cookie."""
    session, _ = state_of(request)
    live = await service_of(request, LiveGames).change(
        id, lambda live: live.play(session, wanted.move, time.time())
    )
    return _live(request, live)


@router.get("/live/{id}/turns")
async def get_turns(request: Request, id: Id) -> dict[str, Any]:
    """The squares that each move turns, for the player to move: move → squares."""
    live, (session, _) = await service_of(request, LiveGames).find(id), state_of(request)
    mine = live.going and live.turn in live.sides_of(session)
    return {"ply": len(live.moves), "moves": previews(live.position) if mine else {}}


@router.get("/live/{id}/values")
async def get_live_values(request: Request, id: Id) -> dict[str, Any]:
    """The proven values of moves in a live game, for the player to move, if hints are allowed; the
    keys are those of `papan values --json`."""
    session, _ = state_of(request)
    proving = service_of(request, LiveGames).values(id, session)
    result = await request_params.unless_left(request, proving)
    return {**result, "game": service_of(request, Allowed).public.text(result["game"])}


def _live(request: Request, live: LiveGame) -> dict[str, Any]:
    (session, _), allowed = state_of(request), service_of(request, Allowed)
    now, table = time.time(), live.table
    return {
        "id": live.id,
        "kind": live.kind,
        "start": live.start,
        "played": list(live.moves),
        "players": {side: allowed.public.text(seat.public) for side, seat in live.seats.items()},
        "yours": live.sides_of(session),
        "saved": not service_of(request, LiveStore).in_memory_only(live.id),
        "waiting": live.waiting,
        "result": table.result or None,
        "termination": table.termination.value if table.is_over else None,
        "clock": {side: round(table.clock.now_left(side, live.turn, now), 1) for side in SIDES}
        if table.clock.initial
        else None,
        **position_as_json(allowed, live.position),
    }
