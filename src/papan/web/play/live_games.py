"""All live games: loaded from memory or the store, changed by one action at a time, saved before a
change is shown, sent to all viewers, and continued by their programs.

Memory is limited: games without viewers are dropped from memory and stay in the store.
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
from papan.search import board_changes
from papan.search.limits import seconds_for_move
from papan.web.engines.engine_pool import EnginePool, Stages
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http.refusals import EngineFailed, NotFound, Refused, TooBusy
from papan.web.http.subscriptions import Subscriptions
from papan.web.play.live_game import PACES, LiveGame, Preparation, other
from papan.web.play.live_store import LiveStore

#: Maximum time of a program's move, in seconds.
LONGEST_MOVE = 10.0
#: Time of a hint and of a decision about a draw, in seconds.
HINT_SECONDS = 0.8
#: Time limit of the values of all moves, in seconds.
VALUES_SECONDS = 2.0
DRAW_SECONDS = 0.4
#: Minimum time before the reply of a program to a person, in seconds.
SOLO_PACE = 0.45
#: Time after the last view for which games between programs continue, in seconds.
ATTENTION = 15.0
#: A program that is not ready after this time, in seconds, is being compiled; loading takes less.
#: Also the minimum interval between updates of the progress.
PATIENCE = 0.5
#: Number of attempts of a failed program at the same move.
TRIES = 2
#: First ply at which programs accept draws.
DRAW_PLIES = 8


@dataclass
class LiveEntry:
    """A live game in memory with its running tasks."""

    live: LiveGame
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: float = 0.0
    thinking: asyncio.Task[None] | None = None
    about: tuple[str, ...] | None = None  # the moves before the position of `thinking`
    timer: asyncio.TimerHandle | None = None

    def rest(self) -> None:
        """Cancels the running tasks."""
        if self.thinking is not None:
            self.thinking.cancel()
        if self.timer is not None:
            self.timer.cancel()
        self.thinking = self.timer = self.about = None


class LiveGames:
    """All live games.

    Args:
        live_store: the store of live games.
        pool: the engine pool.
        subscriptions: the viewers.
        most: maximum number of games in memory.
        tablebases: files of tablebases for proven values.
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
        """Adds a new game.

        Raises:
            Refused: Too many games are in memory only.
        """
        if self.live_store.is_full:
            raise Refused("web.refused.store")
        entry = self._entries[live.id] = LiveEntry(live, seen=time.monotonic())
        if not board_changes.is_compiled(live.position):
            await self.pool.prepare(EngineRequest("board", live.game))
        await self._publish(entry)
        self._drop_unwatched()

    async def find(self, id: str) -> LiveGame:
        """Returns the live game of an id for a viewer.

        Raises:
            NotFound: The game does not exist.
        """
        entry = await self._entry(id)
        entry.seen = time.monotonic()
        self._drive(entry)
        return entry.live

    async def change(self, id: str, action: Callable[[LiveGame], None]) -> LiveGame:
        """Applies an action to a game, all or nothing; returns the game after it is saved.

        Raises:
            NotFound: The game does not exist.
            UsageError: The action was rejected; the game is unchanged.
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
        """Shows a good move to the browser to move.

        Raises:
            Refused: It is not its turn, or the opponent is a person elsewhere.
        """
        live = await self._check_help(id, session)
        moves = list(live.moves)
        result = await self.pool.run(_request("assess", live, seconds=HINT_SECONDS), session)

        def show(live: LiveGame) -> None:
            if live.moves == moves and result["move"]:
                live.show_hint(result["move"])

        return await self.change(id, show)

    async def values(self, id: str, session: str) -> Mapping[str, Any]:
        """Returns the proven values of moves for the browser to move, in the form of `papan values
        --json`.

        Raises:
            Refused: It is not its turn, or the opponent is a person and hints are not allowed.
        """
        live = await self._check_help(id, session)
        asked = _request("values", live, seconds=VALUES_SECONDS, tablebases=self.tablebases)
        return await self.pool.run(asked, session)

    async def show_values(self, id: str, session: str) -> LiveGame:
        """Shows the values of moves to the browser to move.

        Raises:
            Refused: As in `values`.
        """
        moves = list((await self.find(id)).moves)
        values = await self.values(id, session)

        def show(live: LiveGame) -> None:
            if live.moves == moves:
                live.show_values(values)

        return await self.change(id, show)

    async def _check_help(self, id: str, session: str) -> LiveGame:
        """Returns the game if the browser may get help for its move.

        Raises:
            Refused: It is not its turn, or the opponent is a person and hints are not allowed.
        """
        live = await self.find(id)
        if not live.has_hints():
            raise Refused("web.refused.hint")
        if not live.going or live.turn not in live.sides_of(session):
            raise Refused("web.refused.turn")
        return live

    async def close(self) -> None:
        """Cancels all running tasks; all games are saved."""
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
            # Another request may have loaded the game meanwhile.
            entry = self._entries.setdefault(id, LiveEntry(live))
            self._drop_unwatched()
        self._entries.move_to_end(id)
        return entry

    def _drop_unwatched(self) -> None:
        """Drops the games without viewers for the longest time."""
        for id, entry in list(self._entries.items()):
            if len(self._entries) <= self.most:
                return
            if not entry.lock.locked() and not self.subscriptions.watched(id) and not entry.timer:
                entry.rest()
                del self._entries[id]

    # --- after a change

    async def _publish(self, entry: LiveEntry) -> None:
        """Saves a game, sends it to all viewers, and continues its program or clock."""
        await self.live_store.save(entry.live)
        if entry.live.over and entry.live.moves:
            await self.live_store.record(entry.live)
        self.subscriptions.notify(entry.live.id)
        self._drive(entry)

    def _drive(self, entry: LiveEntry) -> None:
        """Starts the clock and the program of a game."""
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
        """Lets a program answer an offer or choose a move."""
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
        """Stops the clock and shows the progress while a program is compiled."""
        while not (stages.begun.is_set() or stages.compilation):
            await _is_set(stages.begun, PATIENCE)
        shown: Preparation | None = None

        def prepare(live: LiveGame) -> None:
            if tuple(live.moves) == moves and live.going and shown:
                live.prepare(shown)

        def begin(live: LiveGame) -> None:
            if tuple(live.moves) == moves and live.going and live.preparing:
                live.begin(time.time())

        with contextlib.suppress(PapanError):  # it was deleted in the meantime
            while not await _is_set(stages.ready, PATIENCE):
                if shown != (found := _preparation(stages)):
                    shown = found
                    await self.change(live.id, prepare)
                    self.subscriptions.notify(live.id)
            if shown:
                await self.change(live.id, begin)

    async def _choose_move(self, live: LiveGame, stages: Stages) -> str | Cause:
        """Returns the move of the program to move, or the reason for its failure."""
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
                # The process may have died for another reason, so a new one tries again.
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
        """Lets a program accept a draw unless it is better."""
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


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Waits for an event for some seconds; returns whether it is set."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


def _preparation(stages: Stages) -> Preparation:
    """Returns the progress of the compilation that a task waits for."""
    running = stages.compilation
    return Preparation(running.done, running.parts, running.until) if running else Preparation()


def _check_move(position: Position, move: str) -> str | Cause:
    """Returns the move of a program, or the termination if it is illegal or a rule fails."""
    try:
        position.play(move).outcome()
    except InvalidGame as error:
        return Cause.of_rules(error)
    except PapanError as error:
        return Cause.illegal(move, error)
    return move


def _pace(live: LiveGame) -> float:
    """Returns the minimum time between two shown moves of programs, in seconds."""
    return PACES.get(live.pace, 0.0) if live.kind == "watch" else SOLO_PACE


def _asked_about_draw(live: LiveGame) -> bool:
    offer = live.table.offer
    return bool(live.going and offer and live.seats[other(offer)].player)


def _request(kind: str, live: LiveGame, *, seconds: float, **more: Any) -> EngineRequest:
    """Returns the engine request for the current position."""
    return EngineRequest(
        kind,
        live.game,
        live.start,
        tuple(live.moves),
        seed=live.seed + len(live.moves),
        seconds=seconds,
        **more,
    )
