"""`papan check FILE`: checks a user's game in a child process."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import JsonOptions, SeedOptions, argument, option
from papan.cli.terminal import EXIT_DONE, EXIT_USAGE, Terminal, printable
from papan.cli.train import offer_training
from papan.errors import InvalidGame

#: Limits of each phase, in seconds of processor time and of waiting. The main thread waits while
#: compiled games are played.
PATIENCE = {
    "file": (30.0, 3.0),
    "options": (60.0, 3.0),
    "rules": (30.0, 3.0),
    "compiled": (300.0, 30.0),
}
#: Interval between checks of a watched file, in seconds.
_LOOK_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True)
class CheckOptions(SeedOptions, JsonOptions):
    """Options of `papan check`."""

    game: str = argument("FILE", "checked", complete=completion.games)
    watch: bool = option("--watch", "watch", False)


@command(CheckOptions)
def check(options: CheckOptions, terminal: Terminal) -> int:
    """Checks a game, once or with `--watch` at each save until Ctrl-C."""
    seed = parse.seed(options.seed)
    if not options.watch:
        return _check_once(options, seed, terminal)
    from papan.usercode import loader

    path, _ = loader.split(options.game) or (options.game, "")
    while True:
        stamp = _stamp(path)
        _check_once(options, seed, terminal)
        terminal.note(terminal.say("check.watching", file=path))
        while _stamp(path) in (stamp, None):
            time.sleep(_LOOK_SECONDS)


def _stamp(path: str) -> tuple[int, int] | None:
    """Returns time and size of a file, which change when it is saved; None if it does not exist."""
    try:
        facts = os.stat(os.path.expanduser(path))
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size


def _check_once(options: CheckOptions, seed: int, terminal: Terminal) -> int:
    """Runs one check and returns its exit status."""
    terminal.start_clock()
    try:
        report = _report(options.game, seed, terminal)
    except InvalidGame as error:
        report = {"game": options.game, "ok": False, "message": terminal.say.explain(error)}
    terminal.clear_progress()
    if options.as_json:
        terminal.json({name: value for name, value in report.items() if name != "board"})
    elif report["ok"]:
        terminal.pairs(_rows(report, terminal))
    else:
        _show_position(report, terminal)
    for warning in report.get("warnings", []):
        terminal.note(f"papan: {printable(warning)}")
    if report["ok"]:
        if report["untaught"] and not options.as_json:
            offer_training(options.game, terminal)
        return EXIT_DONE
    terminal.note(f"papan: {printable(report['message'])}")
    return EXIT_USAGE


def _report(spec: str, seed: int, terminal: Terminal) -> dict[str, Any]:
    """Returns the report of the child process about a game.

    Raises:
        InvalidGame: The child died or exceeded its time.
    """
    from papan.usercode import loader, sandbox

    def show_progress(report: dict[str, Any]) -> sandbox.Patience:
        terminal.progress(terminal.say(f"check.at-{report['at']}", **report))
        return sandbox.Patience(*PATIENCE[report["at"]])

    path, _ = loader.split(spec) or (spec, "")
    arguments = [spec, terminal.say.language, f"{seed}"]
    file = Path(os.path.realpath(os.path.expanduser(path)))
    try:
        return sandbox.run_isolated("papan.cli.check_worker", arguments, file, show_progress)
    except OSError as error:
        raise InvalidGame("check.no-process", text=file.name, reason=error) from error


def _rows(report: dict[str, Any], terminal: Terminal) -> dict[str, object]:
    """Returns the printed lines about a valid game."""
    shortest, longest = report["plies"]
    rows = {
        "game": report["game"],
        "positions": f"{report['positions']:,}",
        "games": f"{report['games']:,}",
        "plies": f"{shortest} … {longest}" if longest else "–",
        "compared": f"{report['compared']:,}",
        "time": f"{report['seconds']:.1f} s",
    }
    return {terminal.say(f"check.label.{name}"): value for name, value in rows.items()}


def _show_position(report: dict[str, Any], terminal: Terminal) -> None:
    """Prints the position of a violated invariant."""
    if "position" not in report:
        return
    if report["board"]:
        terminal.line(f"{report['board']}\n")
    rows = {"position": report["position"], "move": report["move"]}
    labels = {terminal.say(f"check.label.{name}"): value for name, value in rows.items() if value}
    terminal.pairs({label: printable(str(value)) for label, value in labels.items()})
