"""`papan levels GAME`: measures eight levels of a game by playing."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, SeedOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, align_columns, follow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from papan.arena.levels import LevelMeasurement, LevelPlan, LevelProgress
    from papan.messages import Messages
    from papan.players.level_file import Comparison, MeasuredLevel

#: Default time of a measurement, without time and games, in seconds.
DEFAULT_SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class LevelsOptions(GameArgument, SeedOptions, JsonOptions):
    """Options of `papan levels`."""

    games: str | None = option("--games N", "levels-games", None)
    time: str | None = option("--time S", "levels-time", None)
    workers: str = option("--workers N", "workers", "1")
    out: str | None = option("--out -o FILE", "levels-out", None, complete=completion.files)


@command(LevelsOptions)
def levels(options: LevelsOptions, terminal: Terminal) -> int:
    """Measures the levels and saves them; on Ctrl-C, those measured so far."""
    from papan.arena.levels import LevelMeasurement
    from papan.learn.weights import place_for
    from papan.players.level_file import ENDING
    from papan.usercode import registry

    plan = _plan(options)
    game = registry.game(options.game)
    out = Path(options.out) if options.out else place_for(game, ENDING)
    with terminal.compiling("cli.levels.compiling", game=game.name):
        measurement = LevelMeasurement(game, plan, out)
        measurement.prepare()
    line = partial(_line, say=terminal.say)
    interrupted = follow(measurement, "cli.levels.resumed", line, terminal)
    _print(measurement, out, options.as_json, interrupted, terminal)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _plan(options: LevelsOptions) -> LevelPlan:
    """Returns the settings of the options.

    Raises:
        UsageError: An option is malformed or out of range.
    """
    from papan.arena.levels import PAIRS, LevelPlan

    seconds = None if options.time is None else parse.number(options.time, "--time", 0)
    pairs = PAIRS if options.games is None else (parse.whole(options.games, "--games", 2) + 1) // 2
    if seconds is None and options.games is None:
        seconds = DEFAULT_SECONDS
    workers = parse.whole(options.workers, "--workers", 0, 64)
    return LevelPlan(seconds, pairs, parse.seed(options.seed), workers)


def _line(progress: LevelProgress, say: Messages) -> str:
    """Returns the state of a measurement in one line."""
    return say(
        "cli.levels.progress",
        stage=progress.stage,
        level=progress.level,
        score=f"{100 * progress.score:.0f} %",
        games=progress.games,
        total=progress.total,
    )


def _print(
    measurement: LevelMeasurement, out: Path, as_json: bool, interrupted: bool, terminal: Terminal
) -> None:
    levels, say = measurement.levels(), terminal.say
    report: dict[str, Any] = {
        "game": measurement.game.spec,
        "file": str(out),
        "games": measurement.games,
        "seed": measurement.plan.seed,
        "complete": levels.complete,
        "levels": [asdict(level) for level in levels.levels],
        "best": [asdict(comparison) for comparison in levels.best],
    }
    if interrupted:
        report["interrupted"] = True
        terminal.note(say("cli.levels.interrupted"))
    if as_json:
        terminal.json(report)
        return
    for line in align_columns(_rows(levels.levels, say), right={0, 1, 2, 4, 5}):
        terminal.line(line)
    for comparison in levels.best:
        terminal.line(_best(comparison, say))
    terminal.line(_last_line(measurement, out, say))


def _rows(levels: Sequence[MeasuredLevel], say: Messages) -> list[list[str]]:
    """Returns the levels as a table."""
    names = ("level", "elo", "score", "search", "nodes", "noise")
    rows = [[say(f"cli.levels.{name}") for name in names]]
    for number, level in enumerate(levels, start=1):
        score = "–"
        if level.score is not None and level.score_error is not None:
            score = f"{100 * level.score:.1f} ± {100 * level.score_error:.1f} %"
        strength = level.strength
        elo = f"{level.elo:,.0f} ± {level.error:.0f}"
        searched = (strength.search, f"{strength.nodes:,}", f"{strength.noise:g}")
        rows.append([f"{number}", elo, score, *searched])
    return rows


def _best(comparison: Comparison, say: Messages) -> str:
    score = f"{100 * comparison.score:.0f} ± {100 * comparison.error:.0f} %"
    return say(
        "cli.levels.best",
        first=comparison.first,
        second=comparison.second,
        score=score,
        games=comparison.games,
        seconds=f"{comparison.seconds:g}",
    )


def _last_line(measurement: LevelMeasurement, out: Path, say: Messages) -> str:
    """Returns the file of the levels, and the reason if there are fewer than eight."""
    from papan.players.level_file import MOST_LEVELS

    count = len(measurement.chain)
    if count < 2 and not measurement.complete:
        return say("cli.levels.none", file=out)
    if count == MOST_LEVELS:
        return say("cli.levels.kept", file=out)
    if measurement.complete:
        return say("cli.levels.fewer", count=count, file=out)
    return say("cli.levels.unfinished", count=count, file=out)
