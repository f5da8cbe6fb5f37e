"""Live games in the database of the record store, so that they survive a restart of the server.

What was saved survives a kill of the process: `save` returns after the transaction. One thread
writes; games that change while it does so are written together, in the next transaction.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy as sa

from papan.records.database import default_location, explained, open_database, writing
from papan.records.model import Record
from papan.records.schema import live as live_table
from papan.records.store import Store
from papan.web.live.live_game import Clock, LiveGame, Seat

#: Live games that nobody has touched for so long are forgotten, in seconds.
FORGOTTEN = 180 * 24 * 3600

_NOT_KEPT = ("positions",)
T = TypeVar("T")


def to_text(live: LiveGame) -> str:
    """A live game as JSON."""
    fields = {
        field.name: getattr(live, field.name)
        for field in dataclasses.fields(live)
        if field.name not in _NOT_KEPT
    }
    fields["seats"] = {side: dataclasses.asdict(seat) for side, seat in live.seats.items()}
    fields["clock"] = dataclasses.asdict(live.clock)
    return json.dumps(fields, ensure_ascii=False)


def from_text(text: str) -> LiveGame:
    """The live game that was written so."""
    fields: dict[str, Any] = json.loads(text)
    fields["seats"] = {side: Seat(**seat) for side, seat in fields["seats"].items()}
    fields["clock"] = Clock(**fields["clock"])
    return LiveGame(**fields)


class LiveStore:
    """Reads and writes live games, and records of finished ones.

    Args:
        where: a path or URL; None for the store of the command line.

    Raises:
        UsageError: there is no store and none can be made.
    """

    def __init__(self, where: str | None) -> None:
        place = where or default_location()
        self.store = Store(place)
        self._engine = open_database(place, create=True)
        self._writer = writing(self._engine)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="papan-live-store")
        self._dirty: dict[str, str] = {}
        self._writing: asyncio.Task[None] | None = None

    async def save(self, live: LiveGame) -> None:
        """Writes a live game; returns when it is safe."""
        self._dirty[live.id] = to_text(live)
        if self._writing is not None:
            # What is being written may be older than this change: wait for the next round.
            await asyncio.shield(self._writing)
        if live.id in self._dirty:
            if self._writing is None:
                self._writing = asyncio.create_task(self._flush())
            await asyncio.shield(self._writing)

    async def load(self, id: str) -> LiveGame | None:
        """The live game of that id; None if there is none."""
        text = await self._do(lambda: self._read(id))
        return None if text is None else from_text(text)

    async def record(self, game: Record) -> None:
        """Keeps a finished game."""
        await self._do(lambda: self.store.save(game.id, game))

    async def forget_old(self) -> None:
        """Deletes live games that nobody has touched for `FORGOTTEN` seconds."""
        await self._do(self._forget)

    def close(self) -> None:
        """Waits for what is being written, and closes the database."""
        self._thread.shutdown()
        self._engine.dispose()
        self.store.close()

    async def _flush(self) -> None:
        batch, self._dirty = self._dirty, {}
        try:
            await self._do(lambda: self._write(batch))
        finally:
            self._writing = None

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _read(self, id: str) -> str | None:
        query = sa.select(live_table.c.state).where(live_table.c.id == id)
        with explained(self.store.name), self._engine.connect() as connection:
            text: str | None = connection.scalar(query)
            return text

    def _write(self, batch: dict[str, str]) -> None:
        rows = [
            {"id": id, "state": state, "changed": int(time.time())} for id, state in batch.items()
        ]
        with explained(self.store.name), self._writer.begin() as connection:
            connection.execute(sa.delete(live_table).where(live_table.c.id.in_(list(batch))))
            connection.execute(sa.insert(live_table), rows)

    def _forget(self) -> None:
        with explained(self.store.name), self._writer.begin() as connection:
            connection.execute(
                sa.delete(live_table).where(live_table.c.changed < time.time() - FORGOTTEN)
            )
