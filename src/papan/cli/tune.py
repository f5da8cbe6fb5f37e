"""`papan tune GAME PLAYER`: tunes numbers of a player and its evaluation by playing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, SeedOptions, argument, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, follow

if TYPE_CHECKING:
    from papan.arena.score import Tally
    from papan.arena.tune import Tuning, TuningPlan


@dataclass(frozen=True, kw_only=True)
class TuneOptions(GameArgument, SeedOptions, JsonOptions):
    """Options of `papan tune`."""

    player: str = argument("PLAYER", "player", complete=completion.players)
    games: str | None = option("--games N", "tuning-games", None)
    final: str | None = option("--final N", "final", None)
    time: str | None = option("--time S", "tuning-time", None)
    depth: str | None = option("--depth N", "move-depth", None)
    nodes: str | None = option("--nodes N", "tuning-nodes", None)
    evaluation: str = option(
        "--evaluation NAME", "tuned-evaluation", "", complete=completion.evaluations
    )
    parameters: str = option("--parameters A,B", "parameters", "")
    workers: str = option("--workers N", "tuning-workers", "1")
    out: str | None = option("--out -o FILE", "tuning-out", None, complete=completion.files)


@command(TuneOptions)
def tune(options: TuneOptions, terminal: Terminal) -> int:
    """Tunes the numbers and reports whether a match shows a gain; on Ctrl-C, prints the current
    numbers."""
    from papan.arena.tune import Tuning

    tuning = Tuning(_plan(options), Path(options.out) if options.out else None)

    def line(games: int) -> str:
        return terminal.say("tune.progress", games=games, numbers=_numbers(tuning))

    interrupted = follow(tuning, "tune.resumed", line, terminal)
    tally, gained = None, False
    if not interrupted:
        try:
            tally, gained = tuning.confirm(lambda so_far: _show(so_far, terminal))
        except KeyboardInterrupt:
            interrupted = True
    terminal.clear_progress()
    _print(tuning, tally, gained, options.as_json, terminal)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _plan(options: TuneOptions) -> TuningPlan:
    """Returns the plan that the options describe.

    Raises:
        PapanError: An option is malformed, or a name does not exist.
    """
    from papan.arena.tune import DEFAULT_GAMES, DEFAULT_NODES, FINAL_GAMES, TuningPlan
    from papan.players.registry import player
    from papan.usercode import registry

    seconds = None if options.time is None else parse.number(options.time, "--time", 0)
    games = None if options.games is None else parse.whole(options.games, "--games", 2)
    usual = str(DEFAULT_NODES) if options.depth is None else None
    return TuningPlan(
        registry.game(options.game).spec,
        player(options.player).spec,
        options.evaluation,
        tuple(filter(None, (name.strip() for name in options.parameters.split(",")))),
        DEFAULT_GAMES if games is None and seconds is None else games,
        seconds,
        FINAL_GAMES if options.final is None else parse.whole(options.final, "--final", 2),
        parse.limit(options.depth, None, options.nodes or usual),
        parse.seed(options.seed),
        parse.whole(options.workers, "--workers", 1, 64),
    )


def _numbers(tuning: Tuning) -> str:
    return "  ".join(f"{name} {value:g}" for name, value in tuning.tuned_values().items())


def _show(tally: Tally, terminal: Terminal) -> None:
    counts = tally.single
    values = {"wins": counts.wins, "draws": counts.draws, "losses": counts.losses}
    terminal.progress(terminal.say("tune.final", **values))


def _print(
    tuning: Tuning, tally: Tally | None, gained: bool, as_json: bool, terminal: Terminal
) -> None:
    tuned = tuning.tuned_values()
    report: dict[str, Any] = {
        "game": tuning.plan.game,
        "player": tuning.plan.player,
        "parameters": [
            {"name": each.name, "before": each.start, "tuned": tuned[each.name]}
            for each in tuning.parameters
        ],
        "games": tuning.games,
        "seconds": round(tuning.seconds, 3),
        "tuned": tuning.spec(tuned),
        "before": tuning.spec(),
        "match": tally.as_dict() if tally is not None and tally.games else None,
        "gained": gained,
        "use": tuning.spec(tuned if gained else None),
    }
    if tally is None:
        report["interrupted"] = True
        terminal.note(terminal.say("tune.interrupted"))
    if as_json:
        terminal.json(report)
        return
    say = terminal.say
    numbers = ", ".join(
        f"{each['name']} {each['before']:g} → {each['tuned']:g}" for each in report["parameters"]
    )
    rows = {"game": report["game"], "games": report["games"], "numbers": numbers}
    rows |= {"match": _match(tally, gained, terminal), "use": report["use"]}
    terminal.pairs({say(f"tune.{name}"): value for name, value in rows.items()})


def _match(tally: Tally | None, gained: bool, terminal: Terminal) -> str:
    """Returns the last match in words."""
    from papan.stats.elo import score_interval

    say = terminal.say
    if tally is None:
        return say("tune.not-played")
    if not tally.games:
        return say("tune.no-change")
    low, high = (round(100 * bound) for bound in score_interval(tally.counts))
    counts = f"{tally.single.wins}–{tally.single.draws}–{tally.single.losses}"
    result = say("tune.gained" if gained else "tune.no-gain")
    return f"{counts}, {low} … {high} %: {result}"
