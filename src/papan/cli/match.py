"""`papan match GAME PLAYER PLAYER --games N`: compares two players."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from papan.cli import completion, events, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, argument, option
from papan.cli.terminal import Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.arena.measure import Match
    from papan.arena.score import Tally
    from papan.messages import Messages
    from papan.stats.sprt import Sprt


@dataclass(frozen=True, kw_only=True)
class MatchOptions(events.EventOptions, GameArgument):
    """Options of `papan match`."""

    first: str = argument("PLAYER", "player", complete=completion.players)
    second: str = argument("PLAYER", "player", complete=completion.players)
    games: str = option("--games N", "games")
    sprt: str | None = option("--sprt ELO0,ELO1", "sprt", None)


@command(MatchOptions)
def match(options: MatchOptions, terminal: Terminal) -> int:
    """Plays a match and prints its result; on Ctrl-C, the result of the finished games."""
    from papan.arena.measure import measure
    from papan.arena.score import Tally

    planned = _plan(options)
    events.get_ready((planned.first, planned.second), planned, terminal, may_forfeit=False)

    def show(tally: Tally) -> None:
        terminal.progress(_progress(planned, tally, terminal.say))

    terminal.start_clock()
    run = events.play(options, partial(measure, planned), Tally(), show)
    terminal.clear_progress()
    _print(planned, run, options, terminal)
    return run.end()


def _plan(options: MatchOptions) -> Match:
    """Returns the match that the options describe, with canonical specs."""
    from papan.arena.measure import Match
    from papan.players.registry import player
    from papan.usercode import registry

    game = registry.game(options.game).spec
    return Match(
        game,
        player(options.first).spec,
        player(options.second).spec,
        parse.whole(options.games, "--games", 1),
        sprt=read_sprt(options.sprt),
        **options.plan(game),
    )


def read_sprt(text: str | None) -> Sprt | None:
    """Returns the test of `--sprt elo0,elo1`.

    Raises:
        UsageError: The text is not two different Elo differences.
    """
    from papan.stats.sprt import Sprt

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
        return Sprt(low, high)
    except ValueError:
        expected = "elo0,elo1"
        raise UsageError("spec.bad-value", option="--sprt", text=text, expected=expected) from None


def _progress(planned: Match, tally: Tally, say: Messages) -> str:
    """Returns the state of the match in one line."""
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
    planned: Match, run: events.PlayedEvent[Tally], options: MatchOptions, terminal: Terminal
) -> None:
    from papan.arena.measure import verdict
    from papan.report import rows_of_match

    players = [planned.first, planned.second]
    report: dict[str, Any] = {"game": planned.game, "players": players, "seed": planned.seed}
    report["clock"] = events.clock_of(planned)
    report |= {**run.results.as_dict(), "faults": run.faults_as_dicts()}
    if (test := verdict(planned, run.results)) is not None:
        report["sprt"] = test.to_dict()
    if run.ended_by is not None:
        report["interrupted"] = True
        terminal.note(terminal.say("match.interrupted"))
    if options.as_json:
        terminal.json(report)
    else:
        terminal.pairs(rows_of_match(report, terminal.say))
        run.print_faults(terminal)
