"""`papan match GAME PLAYER PLAYER --games N`: how two players compare."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypedDict

import typer

from papan.cli import completion
from papan.cli.parameters import GameSpec, Json, Seconds, Seed, read_limit, read_seed, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.cli.terms import Adjudicate, Clock, Depth, Margin, MaxPlies, Nodes, read_terms
from papan.errors import PapanError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from papan.arena.event import Match
    from papan.arena.score import Tally
    from papan.messages import Messages
    from papan.records.model import Record
    from papan.records.store import Store
    from papan.stats import Sprt

PlayerSpec = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help="cli.argument.player", autocompletion=completion.players),
]
GameCount = Annotated[str, typer.Option("--games", metavar="N", help="cli.option.games")]
Workers = Annotated[str, typer.Option("--workers", metavar="N", help="cli.option.workers")]
OpeningsFile = Annotated[
    str | None, typer.Option("--openings", metavar="FILE", help="cli.option.openings")
]
SprtBounds = Annotated[
    str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="cli.option.sprt")
]
Cluster = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="cli.option.cluster")
]
InsecureCluster = Annotated[
    bool, typer.Option("--insecure-cluster", help="cli.option.insecure-cluster")
]
StorePlace = Annotated[
    str | None, typer.Option("--store", metavar="PLACE", help="cli.option.store")
]
RecordsFile = Annotated[
    str | None, typer.Option("--records", metavar="FILE", help="cli.option.records")
]


def match(
    ctx: typer.Context,
    game: GameSpec,
    first: PlayerSpec,
    second: PlayerSpec,
    games: GameCount,
    time: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    clock: Clock = None,
    margin_ms: Margin = None,
    max_plies: MaxPlies = None,
    adjudicate: Adjudicate = False,
    seed: Seed = None,
    workers: Workers = "1",
    openings: OpeningsFile = None,
    sprt: SprtBounds = None,
    cluster: Cluster = None,
    insecure_cluster: InsecureCluster = False,
    store: StorePlace = None,
    records: RecordsFile = None,
    as_json: Json = False,
) -> None:
    """Plays a match and prints its result; on Ctrl-C, that of the games finished by then."""
    terminal = ctx.ensure_object(Terminal)
    planned = _plan(game, first, second, games=games, seed=seed or "0")
    planned = replace(
        planned,
        limit=read_limit(depth, time, nodes),
        conditions=read_terms(clock, margin_ms, max_plies, adjudicate),
        openings=read_openings(planned.game, openings),
        sprt=read_sprt(sprt),
    )
    _get_ready(planned, terminal)
    with contextlib.ExitStack() as closing:
        file = closing.enter_context(open_records(records)) if records else None
        kept = closing.enter_context(open_store(store)) if store else None
        hands = open_workers(read_whole(workers, "--workers", 0), cluster, insecure_cluster)
        tally, ended_by = _play(planned, terminal, file, kept, hands)
    terminal.clear_progress()
    _print(planned, tally, ended_by is not None, terminal=terminal, as_json=as_json)
    if isinstance(ended_by, PapanError):
        raise ended_by
    if ended_by is not None:
        raise typer.Exit(EXIT_INTERRUPTED)


def _plan(game: str, first: str, second: str, *, games: str, seed: str) -> Match:
    """The match that the words describe, its specs in canonical form."""
    from papan.arena.event import Match
    from papan.core import registry
    from papan.players.registry import player

    return Match(
        registry.game(game).spec,
        player(first).spec,
        player(second).spec,
        read_whole(games, "--games", 1),
        seed=read_seed(seed),
    )


def _get_ready(planned: Match, terminal: Terminal) -> None:
    """Compiles what the players need, so that no game waits for it, and finds out early that one
    of them does not play this game."""
    from papan.core import registry
    from papan.players.registry import player

    for spec in {planned.first, planned.second}:
        with terminal.patience("play.compiling"), contextlib.closing(player(spec)) as participant:
            participant.new_game(registry.game(planned.game), planned.seed)


def open_records(path: str) -> TextIO:
    """The file that games are written to, emptied.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        return open(path, "w", encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unwritable", text=path, reason=reason) from None


def open_store(place: str) -> Store:
    """The store that games are kept in, and that finished ones are taken from.

    Raises:
        UsageError: it cannot be opened.
    """
    from papan.records.store import Store

    return Store(place)


class Hands(TypedDict):
    """What plays the pairs, as `play_match` and `play_tournament` take it."""

    workers: int
    executor: Executor | None


@contextlib.contextmanager
def open_workers(workers: int, address: str | None, insecure: bool) -> Iterator[Hands]:
    """The workers of this machine, or with an address those of a Dask scheduler.

    Raises:
        UsageError: the scheduler cannot be used.
        PapanError: inside, when it is lost.
    """
    if address is None:
        yield {"workers": workers, "executor": None}
        return
    from papan.arena.cluster import WORKERS, cluster

    with cluster(address, insecure=insecure) as executor:
        yield {"workers": WORKERS, "executor": executor}


def read_openings(game: str, path: str | None) -> tuple[tuple[str, ...], ...]:
    """The openings of a file, each a line of moves.

    Raises:
        UsageError: the file cannot be read, or a line is no opening of this game.
    """
    from papan.arena.openings import load
    from papan.core import registry

    return load(registry.game(game), path) if path else ()


def read_sprt(text: str | None) -> Sprt | None:
    """The test that `--sprt elo0,elo1` asks for.

    Raises:
        UsageError: the words are not two different Elo differences.
    """
    from papan.stats import Sprt

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
        return Sprt(low, high)
    except ValueError:
        expected = "elo0,elo1"
        raise UsageError("spec.bad-value", option="--sprt", text=text, expected=expected) from None


def _play(
    planned: Match,
    terminal: Terminal,
    file: TextIO | None,
    store: Store | None,
    hands: contextlib.AbstractContextManager[Hands],
) -> tuple[Tally, KeyboardInterrupt | PapanError | None]:
    """Plays the games; returns the tally and what ended the match before its time.

    Raises:
        PapanError: the games could not be begun.
    """
    from papan.arena.event import play_match
    from papan.arena.score import Tally
    from papan.records.text import write

    latest = Tally()

    def on_game(record: Record, tally: Tally) -> None:
        nonlocal latest
        latest = tally
        if file is not None:
            file.write(write(record))
            file.flush()
        terminal.progress(_progress(planned, tally, terminal.say))

    terminal.start_clock()
    try:
        with hands as opened:
            return play_match(planned, on_game, store=store, **opened), None
    except KeyboardInterrupt as interrupt:
        return latest, interrupt
    except PapanError as error:
        if not latest.games:
            raise
        return latest, error


def _progress(planned: Match, tally: Tally, say: Messages) -> str:
    """One line on how the match stands."""
    counts = tally.single
    return say(
        "match.progress",
        played=tally.games,
        games=planned.games,
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
    )


def _print(
    planned: Match, tally: Tally, interrupted: bool, *, terminal: Terminal, as_json: bool
) -> None:
    from papan.arena.event import verdict

    players = [planned.first, planned.second]
    report: dict[str, Any] = {"game": planned.game, "players": players, "seed": planned.seed}
    report |= tally.as_dict()
    if (test := verdict(planned, tally)) is not None:
        report["sprt"] = test.to_dict()
    if interrupted:
        report["interrupted"] = True
        terminal.note(terminal.say("match.interrupted"))
    if as_json:
        terminal.json(report)
        return
    rows = _rows(report, terminal.say)
    width = max(map(len, rows))
    for label, value in rows.items():
        terminal.line(f"{label:{width}}  {value}")


def _rows(report: dict[str, Any], say: Messages) -> dict[str, Any]:
    """What is printed of a match: label → value."""
    values = {
        "game": report["game"],
        "players": " – ".join(report["players"]),
        "games": report["games"],
        "wins": report["wins"],
        "draws": report["draws"],
        "losses": report["losses"],
        "terminations": ", ".join(
            f"{say('termination.' + how.replace(' ', '-'))} {count}"
            for how, count in report["terminations"].items()
        ),
    }
    if report["games"]:
        values["score"] = f"{100 * report['score']:.1f} %"
        sign = {"lower": "≥ ", "upper": "≤ "}.get(report["elo_bound"], "")
        error = "" if sign else f" ± {report['error']:.1f}"
        values["elo"] = f"{sign}{report['elo']:+.1f}{error}"
    return {say(f"match.{name}"): value for name, value in values.items()}
