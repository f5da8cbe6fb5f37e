"""Tournaments: a queue, of which one is played at a time in the background.

The requests are in a file in the server's folder, the games in the record store. So a tournament
continues after a restart: the arena plays the missing games of its event.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papan.arena.event import Results, Tournament, play_tournament
from papan.campaign import Campaign
from papan.errors import PapanError
from papan.play.referee import Conditions
from papan.records.model import Record
from papan.records.store import Store
from papan.search.limits import Limit
from papan.usercode.registry import known_game
from papan.web.http.refusals import Refused
from papan.web.http.subscriptions import Subscriptions
from papan.web.tournaments.tournament_worker import BoardUpdate, Closed, TournamentWorker
from papan.whole_files import whole_file

_LOG = logging.getLogger("papan.web")

_FILE = "web-tournaments.json"

#: Maximum players, pairs and games of a tournament, queued tournaments, and listed tournaments.
MOST_PLAYERS = 8
MOST_PAIRS = 20
MOST_GAMES = 560
MOST_WAITING = 20
MOST_WAITING_OF_ONE = 2
MOST_KEPT = 200

#: Number of listed games on the page of a tournament.
MOST_LISTED = 60

#: Allowed range of the time of a move, in seconds.
MOVE_SECONDS = ("0.05", "0.1", "0.2", "0.5", "1")

#: Tolerance for late moves, so that a busy server does not forfeit games of bots.
MARGIN = 5.0

#: Plies after which a game is a draw, because games of Corners can be endless.
MOST_PLIES = 400

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")

WAITING, PLAYING, DONE, STOPPED, FAILED = "waiting", "playing", "done", "stopped", "failed"


@dataclass
class HostedTournament:
    """A tournament on this server.

    Attributes:
        id: its address.
        owner: the browser that requested it and may stop it.
        tournament: its settings.
        seconds: time of a move.
        state: its state.
        asked: time of the request, in seconds since the epoch.
        report: standings and crosstable, in the form of `papan tournament --json`; None until they
            are computed.
        board: the current game.
        problem: the error, if it failed.
        newest: the newest games, and the number of games at that time.
        pages: rendered pages, shared by browsers with the same looks.
    """

    id: str
    owner: str
    tournament: Tournament
    seconds: float
    state: str = WAITING
    asked: float = 0.0
    report: dict[str, Any] | None = None
    board: BoardUpdate | None = None
    problem: PapanError | None = None
    newest: tuple[int, list[Record]] = field(default_factory=lambda: (0, []))
    pages: dict[Any, str] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """True once no more games will be played."""
        return self.state in (DONE, STOPPED, FAILED)

    def as_entry(self) -> dict[str, Any]:
        """Returns the entry in the file."""
        plan = self.tournament
        return {
            "id": self.id,
            "owner": self.owner,
            "game": plan.game,
            "players": list(plan.players),
            "format": plan.format,
            "pairs": plan.pairs,
            "seconds": self.seconds,
            "seed": plan.seed,
            "state": self.state,
            "asked": self.asked,
        }

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> HostedTournament:
        """Returns a tournament of the file; a running one is queued again."""
        plan = plan_of(
            known_game(values["game"]).spec,
            tuple(values["players"]),
            format=values["format"],
            pairs=values["pairs"],
            seconds=values["seconds"],
            seed=values["seed"],
        )
        state = WAITING if values["state"] == PLAYING else values["state"]
        return cls(values["id"], values["owner"], plan, values["seconds"], state, values["asked"])


def plan_of(
    game: str, players: tuple[str, ...], *, format: str, pairs: int, seconds: float, seed: int
) -> Tournament:
    """Returns the tournament of a JSON record.

    Raises:
        Refused: There are too few or too many players, pairs or games.
    """
    if not 2 <= len(players) <= MOST_PLAYERS or len(set(players)) < len(players):
        raise Refused("web.tournament.players", most=MOST_PLAYERS)
    if format not in FORMATS:
        raise Refused("web.tournament.no-format", known=", ".join(FORMATS))
    plan = Tournament(
        game=game,
        players=players,
        format=format,
        pairs=pairs,
        limit=Limit(seconds=seconds),
        seed=seed,
        conditions=Conditions(margin=MARGIN, most_plies=MOST_PLIES),
    )
    if plan.games > MOST_GAMES:
        raise Refused("web.tournament.games", found=plan.games, most=MOST_GAMES)
    return plan


class Tournaments:
    """All tournaments of the server.

    Args:
        store: the store of games.
        subscriptions: notified under `topic(id)`.
        folder: the folder of the file.

    Attributes:
        in_memory_only: true if the file cannot be written.
    """

    def __init__(self, store: Store, subscriptions: Subscriptions, folder: Path) -> None:
        self.store, self.subscriptions = store, subscriptions
        self._path = folder / _FILE
        self.in_memory_only = False
        self._tournaments: dict[str, HostedTournament] = {}
        self._wake = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._worker: TournamentWorker | None = None
        self._playing: HostedTournament | None = None

    @staticmethod
    def topic(id: str) -> str:
        """Returns the topic of a tournament's pages in the subscriptions."""
        return f"contest:{id}"

    async def start(self) -> None:
        """Reads the file and continues unfinished tournaments."""
        for values in await asyncio.to_thread(self._read):
            with contextlib.suppress(PapanError, KeyError, TypeError, ValueError):
                hosted = HostedTournament.read(values)
                self._tournaments[hosted.id] = hosted
        self._serving = asyncio.create_task(self._serve())

    async def close(self) -> None:
        """Stops the running tournament; it continues after the next start."""
        if self._serving is not None:
            self._serving.cancel()
        if self._worker is not None:
            await asyncio.to_thread(self._worker.shutdown)
        if self._serving is not None:
            await asyncio.gather(self._serving, return_exceptions=True)

    def all(self) -> list[HostedTournament]:
        """Returns all tournaments, newest first."""
        return sorted(self._tournaments.values(), key=lambda hosted: -hosted.asked)

    def get(self, id: str) -> HostedTournament | None:
        """Returns the tournament of an id; None if there is none."""
        return self._tournaments.get(id)

    async def ask(self, owner: str, plan: Tournament, seconds: float) -> HostedTournament:
        """Adds a tournament to the queue.

        Raises:
            Refused: Too many tournaments are queued.
        """
        waiting = [hosted for hosted in self._tournaments.values() if not hosted.over]
        mine = [hosted for hosted in waiting if hosted.owner == owner]
        if len(waiting) >= MOST_WAITING or len(mine) >= MOST_WAITING_OF_ONE:
            raise Refused("web.tournament.queue")
        hosted = HostedTournament(secrets.token_urlsafe(9), owner, plan, seconds, asked=time.time())
        self._tournaments[hosted.id] = hosted
        self._forget()
        await self._save()
        self._wake.set()
        return hosted

    async def stop(self, id: str, owner: str) -> None:
        """Stops a tournament; finished games count.

        Raises:
            Refused: It belongs to another browser, or is over.
        """
        hosted = self._tournaments.get(id)
        if hosted is None or hosted.owner != owner:
            raise Refused("web.tournament.not-yours")
        if hosted.over:
            raise Refused("web.tournament.over")
        hosted.state, hosted.board = STOPPED, None
        if hosted is self._playing and self._worker is not None:
            await asyncio.to_thread(self._worker.shutdown)
        await self._save()
        self._tell(hosted)

    async def report(self, hosted: HostedTournament) -> dict[str, Any]:
        """Returns standings and crosstable of a tournament, computed from the store if
        necessary."""
        if hosted.report is None:
            found = await asyncio.to_thread(Results.of, hosted.tournament, self.store)
            hosted.report = (
                hosted.report or found.as_dict()
            )  # a game may have set a newer report meanwhile
        return hosted.report

    async def newest(self, hosted: HostedTournament) -> list[Record]:
        """Returns the newest games of a tournament, up to `MOST_LISTED`."""
        games = (await self.report(hosted))["games"]
        if hosted.newest[0] != games:
            found = self.store.find(
                event=hosted.tournament.event, limit=MOST_LISTED, newest_first=True
            )
            hosted.newest = games, await asyncio.to_thread(lambda: list(found))
        return hosted.newest[1]

    # --- parts

    async def _serve(self) -> None:
        """Plays queued tournaments, oldest first."""
        while True:
            waiting = [each for each in self._tournaments.values() if each.state == WAITING]
            if waiting:
                await self._play(min(waiting, key=lambda hosted: hosted.asked))
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _play(self, hosted: HostedTournament) -> None:
        """Plays one tournament to its end."""
        loop = asyncio.get_running_loop()

        def on_board(board: BoardUpdate) -> None:
            hosted.board = board
            loop.call_soon_threadsafe(self._tell, hosted)

        def on_game(record: Record, results: Results) -> None:
            # Only this thread adds results.
            hosted.report = results.as_dict()
            loop.call_soon_threadsafe(self._tell, hosted)

        hosted.state, self._playing = PLAYING, hosted
        worker = self._worker = TournamentWorker(on_board)
        await self._save()
        try:
            await asyncio.to_thread(
                play_tournament,
                hosted.tournament,
                on_game,
                store=self.store,
                campaign=Campaign(executor=worker),
            )
            hosted.state = DONE
        except Closed:
            pass  # the tournament was stopped, or the server is shutting down
        except PapanError as error:
            hosted.state, hosted.problem = FAILED, error
        finally:
            self._playing = self._worker = None
            hosted.board = None
            await asyncio.to_thread(worker.shutdown)
        await self._save()
        self._tell(hosted)

    def _tell(self, hosted: HostedTournament) -> None:
        """Notifies the pages of a tournament of a change."""
        hosted.pages = {}  # new: pages rendered before the change must not be stored in it
        self.subscriptions.notify(self.topic(hosted.id))

    def _forget(self) -> None:
        """Drops the oldest finished tournaments; their games stay in the store."""
        over = [hosted for hosted in self.all() if hosted.over]
        for hosted in over[MOST_KEPT:]:
            del self._tournaments[hosted.id]

    async def _save(self) -> None:
        text = json.dumps([hosted.as_entry() for hosted in self._tournaments.values()])
        try:
            await asyncio.to_thread(self._write, text)
        except OSError as error:
            # Writing is tried again at each change; tournaments are played meanwhile.
            if not self.in_memory_only:
                _LOG.warning("tournaments are kept in memory only: %s", error)
            self.in_memory_only = True
        else:
            self.in_memory_only = False

    def _write(self, text: str) -> None:
        """Writes the file completely, or keeps the old one."""
        with whole_file(self._path) as file:
            file.write(text.encode())

    def _read(self) -> list[Mapping[str, Any]]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return found if isinstance(found, list) else []
