"""The common part of `papan match` and `papan tournament`: options, playing, and storing games."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Protocol, TypeVar, cast

from papan.cli import completion, parse
from papan.cli.options import BotOptions, ClusterOptions, JsonOptions, SeedOptions, option
from papan.cli.records import open_store
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, printable
from papan.errors import PapanError, PlayerFailure, PlayerRefusal, naming

if TYPE_CHECKING:
    from papan.arena.event import Tournament
    from papan.arena.measure import Match
    from papan.arena.suite import Openings
    from papan.campaign import Campaign
    from papan.records.model import Record

#: Value of `--openings` for games from the start position.
NO_OPENINGS = "none"
#: Termination of a game without a result, because a player's program refused a command.
REFUSAL = "refusal"
#: Terminations by an error of a player's program, in the words of records.
_FAULTS = ("illegal move", "time", "crash", "output flood", REFUSAL)
_SHOWN_FAULTS = 5


class SoFar(Protocol):
    """The results of an event so far."""

    @property
    def games(self) -> int:
        """Number of finished games."""
        ...


R = TypeVar("R", bound=SoFar)


@dataclass(frozen=True, kw_only=True)
class EventOptions(BotOptions, SeedOptions, ClusterOptions, JsonOptions):
    """Options of every event."""

    time: str | None = option("--time S", "time", None, rank=1)
    depth: str | None = option("--depth N", "move-depth", None, rank=1)
    nodes: str | None = option("--nodes N", "move-nodes", None, rank=1)
    clock: str | None = option("--clock S+S|cpu", "clock", None, rank=1)
    margin_ms: str | None = option("--margin-ms MS", "margin-ms", None, rank=1)
    max_plies: str | None = option("--max-plies N", "max-plies", None, rank=1)
    adjudicate: bool = option("--adjudicate", "adjudicate", False, rank=1)
    openings: str | None = option(
        "--openings FILE|none", "openings", None, complete=completion.files, rank=1
    )
    workers: str | None = option("--workers N", "workers", None, rank=1)
    store: str | None = option("--store PLACE", "store", None, complete=completion.files, rank=1)
    records: str | None = option(
        "--records FILE", "records", None, complete=completion.files, rank=1
    )

    def plan(self, game: str) -> dict[str, Any]:
        """Returns the common fields of a match and a tournament of a game, by name.

        Raises:
            UsageError: An option is invalid.
        """
        conditions = (self.clock, self.margin_ms, self.max_plies)
        seed = parse.seed(self.seed)
        return {
            "limit": parse.limit(self.depth, self.time, self.nodes),
            "conditions": parse.conditions(*conditions, adjudicate=self.adjudicate),
            "seed": seed,
            "openings": read_openings(self.openings, game, seed),
            "guards": self.guards(),
        }


def read_openings(text: str | None, game: str, seed: int) -> Openings:
    """Returns the openings of `--openings`: those of a file, none for the start position, and by
    default balanced random ones.

    Raises:
        UsageError: The file cannot be read, or has an illegal move.
    """
    from papan.arena.openings import load
    from papan.arena.suite import BalancedSuite
    from papan.usercode import registry

    if text is None:
        return BalancedSuite(seed)
    return () if text == NO_OPENINGS else load(registry.game(game), text)


def get_ready(
    players: Iterable[str], event: Match | Tournament, terminal: Terminal, *, may_forfeit: bool
) -> None:
    """Compiles the code of the players, so that no game waits for it, and reports early if a player
    does not support this game.

    Args:
        players: their specs.
        event: the event.
        terminal: the terminal for messages.
        may_forfeit: true if the event continues without a program that does not start.

    Raises:
        PlayerFailure: A program does not start, or refuses the game or its options.
    """
    from papan.arena.suite import opening_at
    from papan.players.registry import player
    from papan.usercode import registry

    game = registry.game(event.game)
    for spec in dict.fromkeys(players):
        with terminal.compiling("play.compiling"), contextlib.closing(player(spec)) as participant:
            participant.guard(event.guards)
            try:
                participant.new_game(game, event.seed)
            except PlayerFailure as failure:
                if not may_forfeit or isinstance(failure, PlayerRefusal):
                    raise
                reason = printable(terminal.say.explain(failure))
                terminal.note(terminal.say("tournament.forfeits", player=spec, reason=reason))
    if event.openings:
        with terminal.compiling("play.compiling"):
            opening = opening_at(event.openings, event.game, 0)
        if not opening:
            terminal.note(terminal.say("openings.too-short", game=event.game))


def clock_of(event: Match | Tournament) -> str:
    """Returns the clock that limits moves: `cpu` for processor time, else `wall`."""
    return "cpu" if event.conditions.processor else "wall"


@dataclass(frozen=True)
class PlayedEvent(Generic[R]):
    """An event that was played, at least in part.

    Attributes:
        results: results of the finished games.
        ended_by: the exception that ended the event early; None if complete.
        faults: games of this run that ended by an error of a player: the first of each player and
            message.
    """

    results: R
    ended_by: KeyboardInterrupt | PapanError | None = None
    faults: Mapping[tuple[str | None, str], Record] = field(default_factory=dict)

    def faults_as_dicts(self) -> list[dict[str, Any]]:
        """Returns the errors for reports: the number of the game, the player that lost by it (None
        after a refusal), and the kind."""
        return [
            {
                "round": record.round,
                "player": _loser(record),
                "termination": record.termination,
                "given": record.given,
                "detail": record.detail,
            }
            for record in list(self.faults.values())[:_SHOWN_FAULTS]
        ]

    def print_faults(self, terminal: Terminal) -> None:
        """Prints the errors, each with the last output of the player's program."""
        for fault in self.faults_as_dicts():
            sentence, *printed = map(printable, fault.pop("detail").splitlines())
            how = terminal.say.ending(fault.pop("termination"))
            message = "match.fault" if fault["player"] else "match.no-result"
            terminal.line(terminal.say(message, **fault, how=how, detail=sentence))
            for line in printed:
                terminal.line(f"    {line}")

    def end(self) -> int:
        """Returns the exit status.

        Raises:
            PapanError: The error that ended the event.
        """
        if isinstance(self.ended_by, PapanError):
            raise self.ended_by
        return EXIT_DONE if self.ended_by is None else EXIT_INTERRUPTED


def _loser(record: Record) -> str | None:
    losers = {"x": record.o, "o": record.x}
    return losers.get(record.result)


def play(
    options: EventOptions,
    start: Callable[..., R],
    results: R,
    show: Callable[[R], None],
) -> PlayedEvent[R]:
    """Plays an event and stores its games according to the options.

    Args:
        options: workers, files and stores.
        start: plays the event with `on_game`, `on_known`, `store` and `campaign`.
        results: the results before any game.
        show: shows the results after each game.

    Raises:
        PapanError: The event could not start.
    """
    latest = results
    faults: dict[tuple[str | None, str], Record] = {}
    with contextlib.ExitStack() as closing:
        file = closing.enter_context(_records(options.records)) if options.records else None
        store = None
        if options.store:
            store = closing.enter_context(open_store(options.store, create=True))
        workers = _workers(options)

        def on_game(record: Record, so_far: R) -> None:
            nonlocal latest
            latest = so_far
            if file is not None:
                _append(file, record)
            if record.termination in _FAULTS:
                faults.setdefault((_loser(record), record.detail.partition("\n")[0]), record)
            show(so_far)

        try:
            with workers as campaign:
                on_known = None if file is None else partial(_append, file)
                results = start(on_game=on_game, on_known=on_known, store=store, campaign=campaign)
                return PlayedEvent(results, None, faults)
        except KeyboardInterrupt as interrupt:
            return PlayedEvent(latest, interrupt, faults)
        except PapanError as error:
            if not latest.games:
                raise
            return PlayedEvent(latest, error, faults)


def _append(file: BinaryIO, record: Record) -> None:
    """Writes a game.

    Raises:
        UsageError: Writing failed, for example because the disk is full.
    """
    from papan.records.text import write

    text = write(record).encode("utf-8", "replace")
    with naming(file.name):
        while text:
            text = text[file.write(text) :]


def _records(path: str) -> BinaryIO:
    """Opens the emptied file for games.

    Raises:
        UsageError: The file cannot be written.
    """
    with naming(path):
        # Unbuffered: a buffer would be written again when the file is closed.
        return cast(BinaryIO, open(path, "wb", buffering=0))


@contextlib.contextmanager
def _workers(options: EventOptions) -> Iterator[Campaign]:
    """The workers of this machine, or of a Dask scheduler.

    Raises:
        UsageError: The number is not allowed, or the scheduler cannot be used.
        PapanError: The connection to the scheduler was lost.
    """
    from papan.arena.cluster import WORKERS
    from papan.campaign import Campaign

    workers = parse.whole(options.workers or "1", "--workers", 0)
    with (
        parse.cluster(options.cluster, options.insecure_cluster) as executor,
        Campaign(WORKERS if executor else workers, executor) as campaign,
    ):
        yield campaign
