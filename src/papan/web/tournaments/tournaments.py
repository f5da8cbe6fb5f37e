"""Tournaments: a queue of them, of which one is played at a time, in the background.

What was asked for stands in a file in the server's folder; the games are in the record store. So a
tournament goes on after a restart of the server: the arena plays what its event still lacks.
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

#: Bounds: players and pairs of a tournament, its games, what waits, what is remembered.
MOST_PLAYERS = 8
MOST_PAIRS = 20
MOST_GAMES = 560
MOST_WAITING = 20
MOST_WAITING_OF_ONE = 2
MOST_KEPT = 200

#: Games that are listed on a tournament's page.
MOST_LISTED = 60

#: What a move may take, in seconds: the allowed.
MOVE_SECONDS = ("0.05", "0.1", "0.2", "0.5", "1")

#: A busy server must not forfeit a bot's game: so long after its time a move is still taken.
MARGIN = 5.0

#: A game of this many plies is a draw: games of Corners can go round for ever.
MOST_PLIES = 400

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")

WAITING, PLAYING, DONE, STOPPED, FAILED = "waiting", "playing", "done", "stopped", "failed"


@dataclass
class HostedTournament:
    """A tournament on this server.

    Attributes:
        id: its address.
        owner: the browser that asked for it, which may stop it.
        tournament: what is played.
        seconds: what a move may take.
        state: where it stands.
        asked: when it was asked for, in seconds since the epoch.
        report: standings and crosstable, as `papan tournament --json` prints them; None until
            they are counted.
        board: the game under way.
        problem: why it failed.
        newest: how many games there were when the newest ones were looked up, and these.
        pages: the page as it is now, for all who want it to look the same.
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
        """True once nothing more will be played."""
        return self.state in (DONE, STOPPED, FAILED)

    def as_entry(self) -> dict[str, Any]:
        """Its entry in the file."""
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
        """A tournament out of the file; one that was being played waits again."""
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
    """The tournament that is record_as_json so.

    Raises:
        Refused: there are too few or too many players, pairs or games.
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
        store: where games are kept.
        subscriptions: hear of news, under `topic(id)`.
        folder: where the file is.

    Attributes:
        in_memory_only: True if the file is not as it should be, since it cannot be written.
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
        """The topic of a tournament's pages in the subscriptions."""
        return f"contest:{id}"

    async def start(self) -> None:
        """Reads the file and goes on with what was not finished."""
        for values in await asyncio.to_thread(self._read):
            with contextlib.suppress(PapanError, KeyError, TypeError, ValueError):
                hosted = HostedTournament.read(values)
                self._tournaments[hosted.id] = hosted
        self._serving = asyncio.create_task(self._serve())

    async def close(self) -> None:
        """Ends what is being played; it goes on after the next start."""
        if self._serving is not None:
            self._serving.cancel()
        if self._worker is not None:
            await asyncio.to_thread(self._worker.shutdown)
        if self._serving is not None:
            await asyncio.gather(self._serving, return_exceptions=True)

    def all(self) -> list[HostedTournament]:
        """All tournaments, the newest first."""
        return sorted(self._tournaments.values(), key=lambda hosted: -hosted.asked)

    def get(self, id: str) -> HostedTournament | None:
        """The tournament of that id; None if there is none."""
        return self._tournaments.get(id)

    async def ask(self, owner: str, plan: Tournament, seconds: float) -> HostedTournament:
        """Puts a tournament into the queue.

        Raises:
            Refused: too many wait already.
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
        """Ends a tournament before its time; what has been played counts.

        Raises:
            Refused: it is somebody else's, or over.
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
        """Standings and crosstable of a tournament: counted from the store, if they are not
        known."""
        if hosted.report is None:
            found = await asyncio.to_thread(Results.of, hosted.tournament, self.store)
            hosted.report = (
                hosted.report or found.as_dict()
            )  # a game may have been counted meanwhile
        return hosted.report

    async def newest(self, hosted: HostedTournament) -> list[Record]:
        """The newest games of a tournament, up to `MOST_LISTED`."""
        games = (await self.report(hosted))["games"]
        if hosted.newest[0] != games:
            found = self.store.find(
                event=hosted.tournament.event, limit=MOST_LISTED, newest_first=True
            )
            hosted.newest = games, await asyncio.to_thread(lambda: list(found))
        return hosted.newest[1]

    # --- parts

    async def _serve(self) -> None:
        """Plays what waits, the oldest first."""
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
            # In this thread, the only one that adds to the results.
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
            pass  # it was stopped, or the server ends
        except PapanError as error:
            hosted.state, hosted.problem = FAILED, error
        finally:
            self._playing = self._worker = None
            hosted.board = None
            await asyncio.to_thread(worker.shutdown)
        await self._save()
        self._tell(hosted)

    def _tell(self, hosted: HostedTournament) -> None:
        """Tells the pages of a tournament that it has changed."""
        hosted.pages = {}  # a new one: a page begun before must not be put among those after
        self.subscriptions.notify(self.topic(hosted.id))

    def _forget(self) -> None:
        """Drops the oldest tournaments that are over; their games stay in the store."""
        over = [hosted for hosted in self.all() if hosted.over]
        for hosted in over[MOST_KEPT:]:
            del self._tournaments[hosted.id]

    async def _save(self) -> None:
        text = json.dumps([hosted.as_entry() for hosted in self._tournaments.values()])
        try:
            await asyncio.to_thread(self._write, text)
        except OSError as error:
            # It is tried again at each change; until then what is asked for is played all the same.
            if not self.in_memory_only:
                _LOG.warning("tournaments are kept in memory only: %s", error)
            self.in_memory_only = True
        else:
            self.in_memory_only = False

    def _write(self, text: str) -> None:
        """Writes the file, or leaves it as it was: never half of it."""
        with whole_file(self._path) as file:
            file.write(text.encode())

    def _read(self) -> list[Mapping[str, Any]]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return found if isinstance(found, list) else []
