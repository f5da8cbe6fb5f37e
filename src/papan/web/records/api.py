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
from papan.web.records.page import PAGE, RecordFilters, record_as_json

router = APIRouter(tags=["records"])

Id = Annotated[str, Path(max_length=64)]


class RecordsQuery(BaseModel):
    """A page of the list of recorded games."""

    game: Annotated[str, Field(max_length=400)] = ""
    player: Annotated[str, Field(max_length=400)] = ""
    event: Annotated[str, Field(max_length=400)] = ""
    result: Annotated[str, Field(max_length=400)] = ""
    since: Annotated[str, Field(max_length=400)] = ""
    page: Annotated[int, Field(ge=1, le=4000)] = 1


@router.get("/records")
async def list_records(request: Request, query: Annotated[RecordsQuery, Query()]) -> dict[str, Any]:
    """Recorded games, newest first, one page at a time."""
    allowed, store = service_of(request, Allowed), service_of(request, Store)
    page = query.page
    wanted = RecordFilters.read({**query.model_dump(), "page": str(page)})

    def look_up() -> tuple[list[dict[str, Any]], int]:
        filters, offset = wanted.as_kept(allowed, store), PAGE * (page - 1)
        records = store.find(limit=PAGE, offset=offset, newest_first=True, **filters)
        games = [record_as_json(allowed.public.record(record)) for record in records]
        return games, store.count(**filters)

    records, count = await asyncio.to_thread(look_up)
    return {"count": count, "page": page, "pages": max(1, -(-count // PAGE)), "games": records}


@router.get("/records/{id}")
async def get_record(request: Request, id: Id) -> dict[str, Any]:
    """One recorded game."""
    record = await asyncio.to_thread(service_of(request, Store).get, id)
    if record is None:
        raise HTTPException(404)
    return record_as_json(service_of(request, Allowed).public.record(record))
