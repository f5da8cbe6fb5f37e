"""Live games in the database of the record store, which survive a restart of the server.

Saved games survive a kill: `save` returns after the transaction. One thread writes; changes during
a write go together into the next transaction. While the database cannot be written, games continue
in memory, and are written as soon as possible.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy as sa

from papan.core.game import Outcome
from papan.errors import PapanError
from papan.play.clock import Clock
from papan.play.table import Cause, GameInPlay, Termination
from papan.records.database import default_location, explain_errors, open_database, writing
from papan.records.model import Record
from papan.records.schema import live as live_table
from papan.records.store import Store
from papan.usercode import registry
from papan.web.play.live_game import LiveGame, Seat

#: Time after the last change at which live games are deleted, in seconds.
FORGOTTEN = 180 * 24 * 3600

#: Interval between attempts to write games that are in memory only, in seconds.
RETRY = 5.0

#: Maximum number of games in memory only (about 20 MB); beyond it, new games are rejected.
MOST_UNSAVED = 5_000

T = TypeVar("T")

_LOG = logging.getLogger("papan.web")


#: Different names in the database: stored name → attribute.
_RENAMED = {"worth": "values", "wish": "request", "wisher": "requested_by"}


def to_text(live: LiveGame) -> str:
    """Returns a live game as JSON."""
    table, clock = live.table, live.table.clock
    fields = {
        "id": live.id,
        "kind": live.kind,
        "game": live.game,
        "owner": live.owner,
        "seats": {side: dataclasses.asdict(seat) for side, seat in live.seats.items()},
        "start": live.start,
        "moves": table.moves,
        "seconds": table.seconds,
        "clock": {
            "initial": clock.initial,
            "increment": clock.increment,
            "left": clock.left,
            "since": clock.since,
        },
        "result": table.result,
        # Empty for unfinished games, unlike in records, as written by older servers.
        "termination": table.termination.value if table.is_over else "",
        "offer": table.offer,
        "declined": table.declined,
        "hint": live.hint,
        "worth": live.values,
        "token": live.token,
        "seed": live.seed,
        "next": live.next,
        "wish": live.request,
        "wisher": live.requested_by,
        "hints": live.hints,
        "pace": live.pace,
        "began": table.began,
        "version": live.version,
    }
    return json.dumps(fields, ensure_ascii=False)


def from_text(text: str) -> LiveGame:
    """Returns the live game of a JSON text."""
    fields: dict[str, Any] = json.loads(text)
    result, termination = fields.pop("result"), fields.pop("termination")
    table = GameInPlay(
        registry.known_game(fields["game"]).position(fields["start"]),
        clock=Clock(**fields.pop("clock")),
        outcome=Outcome(result) if result else None,
        cause=Cause(Termination(termination)) if termination else None,
        **{name: fields.pop(name) for name in ("moves", "seconds", "offer", "declined", "began")},
    )
    for stored, name in _RENAMED.items():
        if stored in fields:
            fields[name] = fields.pop(stored)
    seats = {side: Seat(**seat) for side, seat in fields.pop("seats").items()}
    return LiveGame(table=table, seats=seats, **fields)


class LiveStore:
    """Reads and writes live games, and records of finished ones.

    Args:
        where: a path or URL; None for the default store of the command line.

    Raises:
        UsageError: The store does not exist and cannot be created.
    """

    def __init__(self, where: str | None) -> None:
        place = where or default_location()
        self.store = Store(place)
        self._engine = open_database(place, create=True)
        self._writer = writing(self._engine)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="papan-live-store")
        self._dirty: dict[str, str] = {}
        self._writing: asyncio.Task[None] | None = None
        self._unsaved: dict[str, str] = {}
        self._unrecorded: dict[str, tuple[Record, Mapping[str, str]]] = {}
        self._retrying: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        """True if no more games can be kept in memory only."""
        return len(self._unsaved) >= MOST_UNSAVED

    def in_memory_only(self, id: str) -> bool:
        """True if the current state of a game is not in the database."""
        return id in self._unsaved or id in self._unrecorded

    async def save(self, live: LiveGame) -> None:
        """Writes a live game; returns when it is saved, or kept in memory only."""
        self._dirty[live.id] = to_text(live)
        if self._writing is not None:
            # The current write may be older than this change, so wait for the next one.
            await asyncio.shield(self._writing)
        if live.id in self._dirty:
            if self._writing is None:
                self._writing = asyncio.create_task(self._flush())
            await asyncio.shield(self._writing)

    async def load(self, id: str) -> LiveGame | None:
        """Returns the live game of an id; None if there is none."""
        text = self._unsaved.get(id) or await self._do(lambda: self._read(id))
        return None if text is None else from_text(text)

    async def record(self, live: LiveGame) -> None:
        """Stores the record of a finished game, if necessary in memory only."""
        sessions = {side: seat.session for side, seat in live.seats.items() if seat.session}
        await self.add_record(live.record(), sessions)

    async def add_record(self, record: Record, sessions: Mapping[str, str]) -> None:
        """Stores a record under its id, if necessary in memory only; `sessions` are the browsers
        that played the sides."""
        self._unrecorded[record.id] = record, sessions
        try:
            await self._do(self._write_records)
        except PapanError as error:
            self._try_again_later(error)

    async def forget_old(self) -> None:
        """Deletes live games without changes for `FORGOTTEN` seconds, if possible."""
        try:
            await self._do(self._forget)
        except PapanError as error:
            _LOG.warning("%s", error)

    def close(self) -> None:
        """Waits for pending writes and closes the database."""
        if self._retrying is not None:
            self._retrying.cancel()
        self._thread.shutdown()
        try:
            self._write(self._unsaved)
            self._write_records()
        except PapanError as error:
            _LOG.error("%d games are lost: %s", len(self._unsaved), error)
        self._engine.dispose()
        self.store.close()

    async def _flush(self) -> None:
        batch, self._dirty = {**self._unsaved, **self._dirty}, {}
        try:
            await self._do(lambda: self._write(batch))
            self._unsaved = {}
        except PapanError as error:
            self._unsaved = batch
            self._try_again_later(error)
        finally:
            self._writing = None

    def _try_again_later(self, error: PapanError) -> None:
        """Starts retrying in the background, with a line in the log."""
        if self._retrying is None:
            _LOG.warning("games are kept in memory only: %s", error)
            self._retrying = asyncio.create_task(self._retry())

    async def _retry(self) -> None:
        while self._unsaved or self._unrecorded:
            await asyncio.sleep(RETRY)
            with contextlib.suppress(PapanError):
                if self._unsaved and self._writing is None:
                    self._writing = asyncio.create_task(self._flush())
                    await asyncio.shield(self._writing)
                await self._do(self._write_records)
        self._retrying = None
        _LOG.warning("games are kept in the database again")

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _read(self, id: str) -> str | None:
        query = sa.select(live_table.c.state).where(live_table.c.id == id)
        with explain_errors(self.store.name), self._engine.connect() as connection:
            text: str | None = connection.scalar(query)
            return text

    def _write(self, batch: dict[str, str]) -> None:
        if not batch:
            return
        rows = [
            {"id": id, "state": state, "changed": int(time.time())} for id, state in batch.items()
        ]
        with explain_errors(self.store.name), self._writer.begin() as connection:
            connection.execute(sa.delete(live_table).where(live_table.c.id.in_(list(batch))))
            connection.execute(sa.insert(live_table), rows)

    def _write_records(self) -> None:
        for id, (game, sessions) in list(self._unrecorded.items()):
            self.store.save(id, game, sessions)
            self._unrecorded.pop(id, None)

    def _forget(self) -> None:
        with explain_errors(self.store.name), self._writer.begin() as connection:
            connection.execute(
                sa.delete(live_table).where(live_table.c.changed < time.time() - FORGOTTEN)
            )
