"""All live games: found in memory or in the database, changed one action at a time, saved before
anybody hears of the change, pushed to whoever looks on, and played on by their programs.

Memory is bounded: games that nobody looks at are dropped from it; the database has them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from papan.errors import PapanError
from papan.search.clock import seconds_for_move
from papan.web.persistence import Keeper
from papan.web.push import Hub
from papan.web.rooms import Refused, Room, other
from papan.web.thinking import Pool, ThinkingFailed, TooBusy
from papan.web.worker import Task

#: What a program's move may take where its own options do not say less, in seconds.
LONGEST_MOVE = 10.0
#: What a hint may take, and the thought about a draw, in seconds.
HINT_SECONDS = 0.8
DRAW_SECONDS = 0.4
#: A program's move is not shown sooner than this after the one before, in seconds.
SOLO_PACE = 0.45
WATCH_PACE = 0.9
#: Programs play on among themselves for so long after somebody has looked, in seconds.
ATTENTION = 15.0
#: How often a program that failed is asked for the same move.
TRIES = 2
#: A program does not take a draw before so many plies have been played.
DRAW_PLIES = 8


class NoRoom(PapanError):
    """There is no live game of that address."""


@dataclass
class Entry:
    """A live game in memory, and what goes on about it."""

    room: Room
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: float = 0.0
    thinking: asyncio.Task[None] | None = None
    about: tuple[str, ...] | None = None  # the moves after which the program thinks
    timer: asyncio.TimerHandle | None = None

    def rest(self) -> None:
        """Ends what goes on."""
        if self.thinking is not None:
            self.thinking.cancel()
        if self.timer is not None:
            self.timer.cancel()
        self.thinking = self.timer = self.about = None


class Lobby:
    """All live games.

    Args:
        keeper: where they are kept.
        pool: where their programs think.
        hub: who looks on.
        most: how many are held in memory.
    """

    def __init__(self, keeper: Keeper, pool: Pool, hub: Hub, most: int) -> None:
        self.keeper, self.pool, self.hub, self.most = keeper, pool, hub, most
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._background: set[asyncio.Task[None]] = set()

    @property
    def held(self) -> int:
        """How many games are in memory."""
        return len(self._entries)

    async def add(self, room: Room) -> None:
        """Opens a new game."""
        entry = self._entries[room.id] = Entry(room, seen=time.monotonic())
        await self._publish(entry)
        self._make_room()

    async def find(self, id: str) -> Room:
        """The live game of that id, which somebody looks at now.

        Raises:
            NoRoom: there is none.
        """
        entry = await self._entry(id)
        entry.seen = time.monotonic()
        self._drive(entry)
        return entry.room

    async def change(self, id: str, action: Callable[[Room], None]) -> Room:
        """Does something to a game, all or nothing; returns it when the change is safe.

        Raises:
            NoRoom: there is no such game.
            UsageError: the action was refused; nothing has changed.
        """
        entry = await self._entry(id)
        entry.seen = time.monotonic()
        async with entry.lock:
            before = entry.room.version
            try:
                if not entry.room.tell_time(time.time()):
                    action(entry.room)
            finally:
                if entry.room.version != before:
                    await self._publish(entry)
        return entry.room

    async def hint(self, id: str, session: str) -> Room:
        """Shows a good move to the browser whose turn it is.

        Raises:
            Refused: it is not its turn.
        """
        room = await self.find(id)
        if not room.going or room.turn not in room.sides_of(session):
            raise Refused("web.refused.turn")
        moves = list(room.moves)
        found = await self.pool.run(_task("search", room, seconds=HINT_SECONDS), session)

        def show(room: Room) -> None:
            if room.moves == moves and found["move"]:
                room.show_hint(found["move"])

        return await self.change(id, show)

    async def close(self) -> None:
        """Ends what goes on; all games are safe already."""
        for entry in self._entries.values():
            entry.rest()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    # --- memory

    async def _entry(self, id: str) -> Entry:
        entry = self._entries.get(id)
        if entry is None:
            room = await self.keeper.load(id)
            if room is None:
                raise NoRoom("web.no-room")
            # Somebody else may have loaded it in the meantime.
            entry = self._entries.setdefault(id, Entry(room))
            self._make_room()
        self._entries.move_to_end(id)
        return entry

    def _make_room(self) -> None:
        """Drops the games that nobody has looked at for longest."""
        for id, entry in list(self._entries.items()):
            if len(self._entries) <= self.most:
                return
            if not entry.lock.locked() and not self.hub.watched(id) and not entry.timer:
                entry.rest()
                del self._entries[id]

    # --- what follows a change

    async def _publish(self, entry: Entry) -> None:
        """Saves a game, shows it to all, and lets its program or its clock go on."""
        await self.keeper.save(entry.room)
        if entry.room.over and entry.room.moves:
            await self.keeper.record(entry.room.record())
        self.hub.tell(entry.room.id)
        self._drive(entry)

    def _drive(self, entry: Entry) -> None:
        """Starts what has to go on: the clock, a program's thought."""
        room = entry.room
        self._set_timer(entry)
        moves = tuple(room.moves)
        if entry.thinking is not None and (entry.about != moves or room.over):
            entry.thinking.cancel()
            entry.thinking = None
        if entry.thinking is None and self._wants_thought(entry):
            entry.about = moves
            entry.thinking = self._spawn(self._think(entry, moves))
            entry.thinking.add_done_callback(lambda done: self._thought(entry, done))

    def _thought(self, entry: Entry, done: asyncio.Task[None]) -> None:
        if entry.thinking is done:
            entry.thinking = None
            if not done.cancelled() and entry.room.moves != list(entry.about or ()):
                self._drive(entry)

    def _wants_thought(self, entry: Entry) -> bool:
        room = entry.room
        if _asked_about_draw(room):
            return True
        if room.thinker is None:
            return False
        looked_at = self.hub.watched(room.id) or time.monotonic() - entry.seen < ATTENTION
        return room.kind != "watch" or looked_at

    def _set_timer(self, entry: Entry) -> None:
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        falls = entry.room.flag_falls()
        if falls is not None:
            wait = max(0.0, falls - time.time()) + 0.01
            loop = asyncio.get_running_loop()
            entry.timer = loop.call_later(wait, lambda: self._spawn(self._time_up(entry.room.id)))

    async def _time_up(self, id: str) -> None:
        with contextlib.suppress(PapanError):
            await self.change(id, lambda room: None)

    def _spawn(self, work: asyncio._CoroutineLike[None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    # --- programs

    async def _think(self, entry: Entry, moves: tuple[str, ...]) -> None:
        """Lets a program answer an offer, or make its move."""
        room = entry.room
        if _asked_about_draw(room):
            await self._consider_draw(room)
            if room.over or room.thinker is None:
                return
        pace = asyncio.create_task(asyncio.sleep(WATCH_PACE if room.kind == "watch" else SOLO_PACE))
        move = await self._chosen(room)
        await pace

        def play(room: Room) -> None:
            if tuple(room.moves) == moves and room.going:
                room.fail() if move is None else room.make(move, time.time())

        await self.change(room.id, play)

    async def _chosen(self, room: Room) -> str | None:
        """The move of the program whose turn it is; None if it gives none."""
        seat = room.thinker
        assert seat is not None
        seconds = LONGEST_MOVE
        if room.clock.initial:
            left = room.clock.now_left(room.turn, room.turn, time.time())
            seconds = min(seconds, seconds_for_move(room.position, left, room.clock.increment))
        task = _task("move", room, player=seat.player, seconds=seconds)
        tries = 0
        while tries < TRIES:
            try:
                found = await self.pool.run(task, room.owner)
                move = str(found["move"])
                room.position.play(move)
                return move
            except TooBusy:
                await asyncio.sleep(1)
            except ThinkingFailed:
                tries += 1
            except PapanError:
                return None
        return None

    async def _consider_draw(self, room: Room) -> None:
        """A program takes a draw where it does not stand better."""
        accept = False
        if len(room.moves) >= DRAW_PLIES:
            with contextlib.suppress(TooBusy, ThinkingFailed):
                found = await self.pool.run(_task("search", room, seconds=DRAW_SECONDS), room.owner)
                mine = found["score"] if room.turn != room.offer else -found["score"]
                accept = mine <= 0
        await self.change(room.id, lambda room: room.settle_draw(accept) if room.offer else None)


def _asked_about_draw(room: Room) -> bool:
    return bool(room.going and room.offer and room.seats[other(room.offer)].player)


def _task(kind: str, room: Room, *, player: str = "", seconds: float) -> Task:
    """What the pool is asked about the position at hand."""
    return Task(
        kind,
        room.game,
        room.start,
        tuple(room.moves),
        player=player,
        seed=room.seed + len(room.moves),
        seconds=seconds,
    )
