"""`papan tournament GAME PLAYER…`: many players, a rating table and a crosstable."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli import completion
from papan.cli.match import (
    Cluster,
    InsecureCluster,
    OpeningsFile,
    RecordsFile,
    StorePlace,
    open_records,
    open_store,
    open_workers,
    read_openings,
)
from papan.cli.parameters import Json, Seconds, Seed, read_limit, read_seed, read_whole
from papan.cli.standings import Progress, crosstable, rating_table
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.cli.terms import Adjudicate, Clock, Depth, Margin, MaxPlies, Nodes, read_terms
from papan.errors import PapanError, UsageError

if TYPE_CHECKING:
    from papan.arena.event import Results, Tournament
    from papan.records.model import Record

OptionalGame = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help="cli.argument.game", autocompletion=completion.games),
]
PlayerSpecs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PLAYER...", help="cli.argument.player", autocompletion=completion.players
    ),
]
ConfigFile = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="cli.option.config")
]
Format = Annotated[str | None, typer.Option("--format", metavar="NAME", help="cli.option.format")]
Pairs = Annotated[str | None, typer.Option("--pairs", metavar="N", help="cli.option.pairs")]
Rounds = Annotated[
    str | None, typer.Option("--rounds", metavar="N", help="cli.option.swiss-rounds")
]
Workers = Annotated[str | None, typer.Option("--workers", metavar="N", help="cli.option.workers")]

DEFAULTS: dict[str, Any] = {
    "format": "round-robin",
    "pairs": 10,
    "rounds": 0,
    "time": None,
    "depth": None,
    "nodes": None,
    "clock": None,
    "margin-ms": None,
    "max-plies": None,
    "adjudicate": False,
    "seed": 0,
    "openings": None,
    "workers": 1,
    "cluster": None,
    "insecure-cluster": False,
    "store": None,
    "records": None,
}


def tournament(
    ctx: typer.Context,
    game: OptionalGame = None,
    players: PlayerSpecs = None,
    config: ConfigFile = None,
    format: Format = None,
    pairs: Pairs = None,
    rounds: Rounds = None,
    time: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    clock: Clock = None,
    margin_ms: Margin = None,
    max_plies: MaxPlies = None,
    adjudicate: Adjudicate = False,
    seed: Seed = None,
    openings: OpeningsFile = None,
    workers: Workers = None,
    cluster: Cluster = None,
    insecure_cluster: InsecureCluster = False,
    store: StorePlace = None,
    records: RecordsFile = None,
    as_json: Json = False,
) -> None:
    """Plays a tournament and prints its tables; on Ctrl-C, those of the games finished by then."""
    terminal = ctx.ensure_object(Terminal)
    typed = {
        "game": game,
        "players": list(players or []),
        "format": format,
        "pairs": pairs,
        "rounds": rounds,
        "time": time,
        "depth": depth,
        "nodes": nodes,
        "clock": clock,
        "margin-ms": margin_ms,
        "max-plies": max_plies,
        "adjudicate": adjudicate,
        "seed": seed,
        "openings": openings,
        "workers": workers,
        "cluster": cluster,
        "insecure-cluster": insecure_cluster,
        "store": store,
        "records": records,
    }
    wanted = _wanted(typed, config)
    planned = _plan(wanted)
    _get_ready(planned, terminal)
    run = _run(planned, wanted, terminal)
    _print(planned, run, terminal=terminal, as_json=as_json)
    if isinstance(run.ended_by, PapanError):
        raise run.ended_by
    if run.ended_by is not None:
        raise typer.Exit(EXIT_INTERRUPTED)


def _wanted(typed: dict[str, Any], config: str | None) -> dict[str, Any]:
    """What was typed, else what the file says, else the defaults.

    Raises:
        UsageError: the file is wrong, or there is no game or no player.
    """
    from papan.arena.config import read_config

    given = {key: value for key, value in typed.items() if value}
    wanted = DEFAULTS | (read_config(config) if config else {}) | given
    for key, metavar in (("game", "GAME"), ("players", "PLAYER")):
        if not wanted.get(key):
            raise UsageError("usage.missing", text=metavar, expected=f"{metavar} | --config FILE")
    return wanted


def _plan(wanted: dict[str, Any]) -> Tournament:
    """The tournament that the words describe, its specs in canonical form.

    Raises:
        UsageError: a word is not allowed.
    """
    from papan.arena.event import Tournament
    from papan.arena.schedule import FORMATS
    from papan.core import registry

    if wanted["format"] not in FORMATS:
        expected = " | ".join(FORMATS)
        raise UsageError(
            "spec.bad-value", option="--format", text=wanted["format"], expected=expected
        )
    game = registry.game(wanted["game"]).spec
    depth, time, nodes, clock, margin, plies = (
        None if wanted[key] is None else str(wanted[key])
        for key in ("depth", "time", "nodes", "clock", "margin-ms", "max-plies")
    )
    return Tournament(
        game=game,
        players=_read_players(wanted["players"]),
        format=wanted["format"],
        pairs=read_whole(str(wanted["pairs"]), "--pairs", 1),
        rounds=read_whole(str(wanted["rounds"]), "--rounds", 0),
        limit=read_limit(depth, time, nodes),
        conditions=read_terms(clock, margin, plies, wanted["adjudicate"]),
        seed=read_seed(str(wanted["seed"])),
        openings=read_openings(game, wanted["openings"]),
    )


def _read_players(specs: list[str]) -> tuple[str, ...]:
    """The canonical specs of at least two different players.

    Raises:
        UsageError: one is wrong or there twice, or there is only one.
    """
    from papan.players.registry import player

    found = list[str]()
    for spec in specs:
        with contextlib.closing(player(spec)) as participant:
            if participant.spec in found:
                raise UsageError("tournament.twice", text=participant.spec)
            found.append(participant.spec)
    if len(found) < 2:
        raise UsageError("tournament.too-few", text=found[0])
    return tuple(found)


def _get_ready(planned: Tournament, terminal: Terminal) -> None:
    """Compiles what the players need, and finds out early that one does not play this game."""
    from papan.core import registry
    from papan.players.registry import player

    for spec in planned.players:
        with terminal.patience("play.compiling"), contextlib.closing(player(spec)) as participant:
            participant.new_game(registry.game(planned.game), planned.seed)


@dataclass
class _Run:
    """What was played, and what ended it before its time."""

    results: Results
    ended_by: KeyboardInterrupt | PapanError | None = None


def _run(planned: Tournament, wanted: dict[str, Any], terminal: Terminal) -> _Run:
    """Plays the games.

    Raises:
        PapanError: the games could not be begun.
    """
    from papan.arena.event import Results, play_tournament
    from papan.records.text import write

    results, progress = Results(planned.players), Progress(planned, terminal)
    workers = read_whole(str(wanted["workers"]), "--workers", 0)
    with contextlib.ExitStack() as closing:
        file = closing.enter_context(open_records(wanted["records"])) if wanted["records"] else None
        kept = closing.enter_context(open_store(wanted["store"])) if wanted["store"] else None
        closing.callback(progress.close)

        def on_game(record: Record, results: Results) -> None:
            if file is not None:
                file.write(write(record))
                file.flush()
            progress.update(results)

        try:
            with open_workers(workers, wanted["cluster"], wanted["insecure-cluster"]) as hands:
                play_tournament(planned, on_game, results=results, store=kept, **hands)
        except KeyboardInterrupt as interrupt:
            return _Run(results, interrupt)
        except PapanError as error:
            if not results.games:
                raise
            return _Run(results, error)
    return _Run(results)


def _print(planned: Tournament, run: _Run, *, terminal: Terminal, as_json: bool) -> None:
    report: dict[str, Any] = {
        "game": planned.game,
        "format": planned.format,
        "players": list(planned.players),
        "seed": planned.seed,
        "event": planned.event,
        **run.results.as_dict(),
    }
    if run.ended_by is not None:
        report["interrupted"] = True
        terminal.note(terminal.say("match.interrupted"))
    if as_json:
        terminal.json(report)
        return
    say = terminal.say
    title = {"format": planned.format, "game": planned.game, "games": report["games"]}
    tables = (rating_table(report, say), crosstable(report, say))
    terminal.line(say("tournament.title", **title))
    for heading, lines in zip(("", say("tournament.crosstable")), tables, strict=True):
        terminal.line()
        for line in filter(None, (heading, *lines)):
            terminal.line(line)
