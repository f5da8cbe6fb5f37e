"""Recorded games in the API."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request

from papan.records.store import Store
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import service_of
from papan.web.records.filters import LAST_PAGE, PAGE, RecordFilters, RecordsPage, find_page
from papan.web.records.page import record_as_json

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
