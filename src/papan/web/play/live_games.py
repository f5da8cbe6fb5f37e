"""All live games: found in memory or in the database, changed one action at a time, saved before
the change is shown to anyone, pushed to all who look on, and played on by their programs.

Memory is bounded: games without onlookers are dropped from it; the database has them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Position
from papan.errors import InvalidGame, PapanError
from papan.play.table import Cause
from papan.search.limits import seconds_for_move
from papan.web.engines.engine_pool import EnginePool, Stages
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http.refusals import EngineFailed, NotFound, Refused, TooBusy
from papan.web.http.subscriptions import Subscriptions
from papan.web.play.live_game import PACES, LiveGame, Preparation, other
from papan.web.play.live_store import LiveStore

#: What a program's move may take where its own options do not say less, in seconds.
LONGEST_MOVE = 10.0
#: What a hint may take, and the thought about a draw, in seconds.
HINT_SECONDS = 0.8
#: What the values of all moves may take, in seconds.
VALUES_SECONDS = 2.0
DRAW_SECONDS = 0.4
#: Against a person, a program's move is not shown sooner than this after theirs, in seconds.
SOLO_PACE = 0.45
#: Programs play on among themselves for this long after the last look, in seconds.
ATTENTION = 15.0
#: A program that is not ready after this is being compiled, in seconds: to load it takes less.
PATIENCE = 0.5
#: How often a program that failed is asked for the same move.
TRIES = 2
#: A program takes no draw before this many plies have been played.
DRAW_PLIES = 8


@dataclass
class LiveEntry:
    """A live game in memory, and what goes on about it."""

    live: LiveGame
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


class LiveGames:
    """All live games.

    Args:
        live_store: where they are kept.
        pool: where their programs think.
        subscriptions: who looks on.
        most: how many are held in memory.
        tablebases: files of tablebases, whose values are shown.
    """

    def __init__(
        self,
        live_store: LiveStore,
        pool: EnginePool,
        subscriptions: Subscriptions,
        most: int,
        tablebases: tuple[str, ...] = (),
    ) -> None:
        self.live_store, self.pool, self.subscriptions = live_store, pool, subscriptions
        self.most, self.tablebases = most, tablebases
        self._entries: OrderedDict[str, LiveEntry] = OrderedDict()
        self._background: set[asyncio.Task[None]] = set()

    @property
    def held(self) -> int:
        """Number of games in memory."""
        return len(self._entries)

    async def add(self, live: LiveGame) -> None:
        """Opens a new game.

        Raises:
            Refused: too many are in memory only already.
        """
        if self.live_store.is_full:
            raise Refused("web.refused.store")
        entry = self._entries[live.id] = LiveEntry(live, seen=time.monotonic())
        await self._publish(entry)
        self._drop_unwatched()

    async def find(self, id: str) -> LiveGame:
        """The live game of that id, which somebody looks at now.

        Raises:
            NotFound: there is none.
        """
        entry = await self._entry(id)
        entry.seen = time.monotonic()
        self._drive(entry)
        return entry.live

    async def change(self, id: str, action: Callable[[LiveGame], None]) -> LiveGame:
        """Does something to a game, all or nothing; returns it when the change is safe.

        Raises:
            NotFound: there is no such game.
            UsageError: the action was refused; nothing has changed.
        """
        entry = await self._entry(id)
        entry.seen = time.monotonic()
        async with entry.lock:
            before = entry.live.version
            try:
                if not entry.live.fall_flag(time.time()):
                    action(entry.live)
            finally:
                if entry.live.version != before:
                    await self._publish(entry)
        return entry.live

    async def hint(self, id: str, session: str) -> LiveGame:
        """Shows a good move to the browser whose turn it is.

        Raises:
            Refused: it is not its turn, or it plays with a person somewhere else.
        """
        live = await self._check_help(id, session)
        moves = list(live.moves)
        result = await self.pool.run(_request("assess", live, seconds=HINT_SECONDS), session)

        def show(live: LiveGame) -> None:
            if live.moves == moves and result["move"]:
                live.show_hint(result["move"])

        return await self.change(id, show)

    async def values(self, id: str, session: str) -> Mapping[str, Any]:
        """The proven value of each move for the browser whose turn it is, as `papan values --json`.

        Raises:
            Refused: it is not its turn, or it plays with a person and not both want hints.
        """
        live = await self._check_help(id, session)
        asked = _request("values", live, seconds=VALUES_SECONDS, tablebases=self.tablebases)
        return await self.pool.run(asked, session)

    async def show_values(self, id: str, session: str) -> LiveGame:
        """Shows each move's value to the browser whose turn it is.

        Raises:
            Refused: as in `values`.
        """
        moves = list((await self.find(id)).moves)
        values = await self.values(id, session)

        def show(live: LiveGame) -> None:
            if live.moves == moves:
                live.show_values(values)

        return await self.change(id, show)

    async def _check_help(self, id: str, session: str) -> LiveGame:
        """The game, if the browser may be helped with its move now.

        Raises:
            Refused: it is not its turn, or it plays with a person and not both want hints.
        """
        live = await self.find(id)
        if not live.has_hints():
            raise Refused("web.refused.hint")
        if not live.going or live.turn not in live.sides_of(session):
            raise Refused("web.refused.turn")
        return live

    async def close(self) -> None:
        """Ends what goes on; all games are safe already."""
        for entry in self._entries.values():
            entry.rest()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    # --- memory

    async def _entry(self, id: str) -> LiveEntry:
        entry = self._entries.get(id)
        if entry is None:
            live = await self.live_store.load(id)
            if live is None:
                raise NotFound("web.no-room")
            # Another request may have loaded it in the meantime.
            entry = self._entries.setdefault(id, LiveEntry(live))
            self._drop_unwatched()
        self._entries.move_to_end(id)
        return entry

    def _drop_unwatched(self) -> None:
        """Drops the games that were not looked at for longest."""
        for id, entry in list(self._entries.items()):
            if len(self._entries) <= self.most:
                return
            if not entry.lock.locked() and not self.subscriptions.watched(id) and not entry.timer:
                entry.rest()
                del self._entries[id]

    # --- what follows a change

    async def _publish(self, entry: LiveEntry) -> None:
        """Saves a game, shows it to all, and lets its program or its clock go on."""
        await self.live_store.save(entry.live)
        if entry.live.over and entry.live.moves:
            await self.live_store.record(entry.live)
        self.subscriptions.notify(entry.live.id)
        self._drive(entry)

    def _drive(self, entry: LiveEntry) -> None:
        """Starts what has to go on: the clock, a program's thought."""
        live = entry.live
        self._set_timer(entry)
        moves = tuple(live.moves)
        if entry.thinking is not None and (entry.about != moves or live.over or live.rests):
            entry.thinking.cancel()
            entry.thinking = None
        if entry.thinking is None and self._wants_thought(entry):
            entry.about = moves
            entry.thinking = self._spawn(self._think(entry, moves))
            entry.thinking.add_done_callback(lambda done: self._thought(entry, done))

    def _thought(self, entry: LiveEntry, done: asyncio.Task[None]) -> None:
        if entry.thinking is done:
            entry.thinking = None
            if not done.cancelled() and entry.live.moves != list(entry.about or ()):
                self._drive(entry)

    def _wants_thought(self, entry: LiveEntry) -> bool:
        live = entry.live
        if _asked_about_draw(live):
            return True
        if live.thinker is None:
            return False
        if live.rests:
            return False
        looked_at = self.subscriptions.watched(live.id) or time.monotonic() - entry.seen < ATTENTION
        return live.kind != "watch" or looked_at

    def _set_timer(self, entry: LiveEntry) -> None:
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        falls = entry.live.flag_falls()
        if falls is not None:
            wait = max(0.0, falls - time.time()) + 0.01
            loop = asyncio.get_running_loop()
            entry.timer = loop.call_later(wait, lambda: self._spawn(self._time_up(entry.live.id)))

    async def _time_up(self, id: str) -> None:
        with contextlib.suppress(PapanError):
            await self.change(id, lambda live: None)

    def _spawn(self, work: asyncio._CoroutineLike[None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    # --- programs

    async def _think(self, entry: LiveEntry, moves: tuple[str, ...]) -> None:
        """Lets a program answer an offer, or make its move."""
        live = entry.live
        if _asked_about_draw(live):
            await self._consider_draw(live)
            if live.over or live.thinker is None:
                return
        pace = asyncio.create_task(asyncio.sleep(_pace(live)))
        stages = Stages()
        following = self._spawn(self._follow_preparation(live, moves, stages))
        try:
            move = await self._choose_move(live, stages)
        finally:
            stages.begun.set()
            stages.ready.set()
        await asyncio.gather(following, pace)

        def play(live: LiveGame) -> None:
            if tuple(live.moves) == moves and live.going:
                live.forfeit(move) if isinstance(move, Cause) else live.make(move, time.time())

        await self.change(live.id, play)

    async def _follow_preparation(
        self, live: LiveGame, moves: tuple[str, ...], stages: Stages
    ) -> None:
        """Stops the clock while a program is compiled, and says so, until it is ready."""
        await stages.begun.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stages.ready.wait(), PATIENCE)
            return
        seconds = self.pool.preparation

        def prepare(live: LiveGame) -> None:
            if tuple(live.moves) == moves and live.going:
                live.prepare(Preparation(time.time() + seconds - PATIENCE, seconds))

        def begin(live: LiveGame) -> None:
            if tuple(live.moves) == moves and live.going and live.preparing:
                live.begin(time.time())

        with contextlib.suppress(PapanError):  # it was deleted in the meantime
            await self.change(live.id, prepare)
            await stages.ready.wait()
            await self.change(live.id, begin)

    async def _choose_move(self, live: LiveGame, stages: Stages) -> str | Cause:
        """The move of the program whose turn it is, or the reason why it gives none."""
        seat, clock = live.thinker, live.table.clock
        assert seat is not None
        seconds = LONGEST_MOVE
        if clock.initial:
            left = clock.now_left(live.turn, live.turn, time.time())
            seconds = min(seconds, seconds_for_move(live.position, left, clock.increment))
        request = _request("move", live, player=seat.player, seconds=seconds)
        tries = 0
        while True:
            try:
                move = str((await self.pool.run(request, live.owner, stages=stages))["move"])
            except TooBusy:
                await asyncio.sleep(1)
            except EngineFailed as error:
                # The process may have died of something else: a new one is asked once more.
                tries += 1
                if tries == TRIES:
                    return Cause.of(error)
            except InvalidGame as error:
                return Cause.of_rules(error)
            except PapanError as error:
                return Cause.of(error)
            else:
                return _check_move(live.position, move)

    async def _consider_draw(self, live: LiveGame) -> None:
        """A program takes a draw where it does not stand better."""
        accept = False
        if len(live.moves) >= DRAW_PLIES:
            with contextlib.suppress(TooBusy, EngineFailed):
                result = await self.pool.run(
                    _request("assess", live, seconds=DRAW_SECONDS), live.owner
                )
                mine = result["score"] if live.turn != live.table.offer else -result["score"]
                accept = mine <= 0
        await self.change(
            live.id, lambda live: live.settle_draw(accept) if live.table.offer else None
        )


def _check_move(position: Position, move: str) -> str | Cause:
    """A program's move, or what its being illegal is; or the rule that fails at it."""
    try:
        position.play(move).outcome()
    except InvalidGame as error:
        return Cause.of_rules(error)
    except PapanError as error:
        return Cause.illegal(move, error)
    return move


def _pace(live: LiveGame) -> float:
    """A program's move is not shown sooner than this after the one before, in seconds."""
    return PACES.get(live.pace, 0.0) if live.kind == "watch" else SOLO_PACE


def _asked_about_draw(live: LiveGame) -> bool:
    offer = live.table.offer
    return bool(live.going and offer and live.seats[other(offer)].player)


def _request(kind: str, live: LiveGame, *, seconds: float, **more: Any) -> EngineRequest:
    """The request to the pool about the position at hand."""
    return EngineRequest(
        kind,
        live.game,
        live.start,
        tuple(live.moves),
        seed=live.seed + len(live.moves),
        seconds=seconds,
        **more,
    )
