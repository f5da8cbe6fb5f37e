"""`papan tournament GAME PLAYER…`: many players, a rating table and a crosstable."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from papan.cli import events
from papan.cli.command import command
from papan.cli.options import argument, option, read_choice, read_whole
from papan.cli.standings import LiveStandings, crosstable, rating_table
from papan.cli.terminal import Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.arena.event import Results, Tournament

DEFAULT_FORMAT = "round-robin"


@dataclass(frozen=True, kw_only=True)
class TournamentOptions(events.EventOptions):
    """Options of `papan tournament`."""

    game: str | None = argument("game", None)
    players: tuple[str, ...] = argument("several", ())
    config: str | None = option("config", None)
    format: str | None = option("format", None)
    pairs: str | None = option("pairs", None)
    rounds: str | None = option("swiss-rounds", None)


@command(TournamentOptions)
def tournament(options: TournamentOptions, terminal: Terminal) -> int:
    """Plays a tournament and prints its tables; on Ctrl-C, those of the games finished by then."""
    from papan.arena.event import Results, play_tournament

    wanted = _completed(options)
    planned = _plan(wanted)
    events.get_ready(planned.players, planned.game, planned.seed, terminal)
    results = Results(planned.players)
    with contextlib.closing(LiveStandings(planned, terminal)) as live:
        start = partial(play_tournament, planned, results=results)
        run = events.play(wanted, start, results, live.update)
    _print(planned, run, options, terminal)
    return run.end()


def _completed(options: TournamentOptions) -> TournamentOptions:
    """The options that were typed, and from the file those that were not.

    Raises:
        UsageError: the file is wrong, or there is no game or no player.
    """
    from papan.arena.config import read_config

    read = read_config(options.config) if options.config else {}
    in_file: dict[str, Any] = {key.replace("-", "_"): _text(read[key]) for key in read}
    missing = {key: value for key, value in in_file.items() if not getattr(options, key)}
    wanted = replace(options, **missing)
    for given, metavar in ((wanted.game, "GAME"), (wanted.players, "PLAYER")):
        if not given:
            raise UsageError("usage.missing", text=metavar, expected=f"{metavar} | --config FILE")
    return wanted


def _text(value: Any) -> Any:
    """A value of the file as it would have been typed."""
    if isinstance(value, list):
        return tuple(value)
    return value if isinstance(value, bool) else str(value)


def _plan(wanted: TournamentOptions) -> Tournament:
    """The tournament that the words describe, its specs in canonical form.

    Raises:
        UsageError: a word is not allowed.
    """
    from papan.arena.event import Tournament
    from papan.arena.schedule import FORMATS
    from papan.core import registry

    form = read_choice(wanted.format or DEFAULT_FORMAT, "--format", FORMATS)
    game = registry.game(wanted.game or "").spec
    return Tournament(
        game=game,
        players=_read_players(wanted.players),
        format=form,
        pairs=read_whole(wanted.pairs or "10", "--pairs", 1),
        rounds=read_whole(wanted.rounds or "0", "--rounds", 0),
        **wanted.plan(game),
    )


def _read_players(specs: Sequence[str]) -> tuple[str, ...]:
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


def _print(
    planned: Tournament,
    run: events.Run[Results],
    options: TournamentOptions,
    terminal: Terminal,
) -> None:
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
    if options.as_json:
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
