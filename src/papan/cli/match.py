"""`papan match GAME PLAYER PLAYER --games N`: how two players compare."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from papan.cli import completion
from papan.cli.parameters import GameSpec, Json, Seconds, Seed, read_limit, read_seed, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.arena.match import Match, Tally
    from papan.arena.referee import PlayedGame
    from papan.messages import Messages

PlayerSpec = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help="cli.argument.player", autocompletion=completion.players),
]
GameCount = Annotated[str, typer.Option("--games", metavar="N", help="cli.option.games")]
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
    seed: Seed = None,
    records: RecordsFile = None,
    as_json: Json = False,
) -> None:
    """Plays a match and prints its result; on Ctrl-C, that of the games finished by then."""
    from papan.arena.match import Match
    from papan.games import registry
    from papan.players.registry import player

    terminal = ctx.ensure_object(Terminal)
    rules = registry.game(game)
    limit = read_limit(time=time)
    number, chance = read_whole(games, "--games", 1), read_seed(seed or "0")
    planned = Match(rules, player(first), player(second), number, limit, chance)
    with contextlib.ExitStack() as closing:
        for participant in (planned.first, planned.second):
            closing.callback(participant.close)
            with terminal.patience("play.compiling"):
                participant.new_game(rules, chance)
        file = closing.enter_context(open_records(records)) if records else None
        tally, interrupted = _play(planned, terminal, file)
    terminal.clear_progress()
    _print(planned, tally, interrupted, terminal=terminal, as_json=as_json)
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


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


def _play(planned: Match, terminal: Terminal, file: TextIO | None) -> tuple[Tally, bool]:
    """Plays the games; returns the tally and whether Ctrl-C ended the match."""
    from papan.arena.match import Tally, play_match, record_of
    from papan.records.text import write

    latest = Tally()

    def on_game(number: int, played: PlayedGame, tally: Tally) -> None:
        nonlocal latest
        latest = tally
        if file is not None:
            file.write(write(record_of(played, number=number + 1)))
            file.flush()
        terminal.progress(
            terminal.say(
                "match.progress",
                played=tally.games,
                games=planned.games,
                wins=tally.wins,
                draws=tally.draws,
                losses=tally.losses,
            )
        )

    terminal.start_clock()
    try:
        return play_match(planned, on_game), False
    except KeyboardInterrupt:
        return latest, True


def _print(
    planned: Match, tally: Tally, interrupted: bool, *, terminal: Terminal, as_json: bool
) -> None:
    players = [planned.first.spec, planned.second.spec]
    report = {"game": planned.game.spec, "players": players, "seed": planned.seed}
    report |= tally.as_dict()
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
