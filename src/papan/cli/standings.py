"""The standings of a tournament: tables in plain text, and the live one while it is played."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from papan.cli.terminal import PROGRESS_PATIENCE, Terminal, aligned
from papan.messages import Messages

if TYPE_CHECKING:
    from rich.live import Live

    from papan.arena.event import Results, Tournament

#: The live table is drawn again after so many seconds at the earliest.
REDRAW = 0.25

#: Where stderr is no terminal, a line of progress comes each time so many percent are done.
STEP = 10


def rating_table(report: dict[str, Any], say: Messages) -> list[str]:
    """The standings, best first: player, games, points, score, Elo and its 95 % error."""
    rows = [["#", *(say(f"tournament.{name}") for name in ("player", *_NUMBERS)), "±"]]
    for number, entry in enumerate(report["standings"], start=1):
        score = "" if entry["score"] is None else f"{100 * entry['score']:.1f} %"
        elo = "" if entry["elo"] is None else f"{entry['elo']:+.1f}"
        error = "" if entry["error"] is None else f"{entry['error']:.1f}"
        points = f"{entry['points']:g}"
        rows.append([f"{number}", entry["player"], f"{entry['games']}", points, score, elo, error])
    return aligned(rows, right=set(range(len(rows[0]))) - {1})


def crosstable(report: dict[str, Any], say: Messages) -> list[str]:
    """The points of each player against each other one, in the order of the standings."""
    order = [entry["player"] for entry in report["standings"]]
    numbers = [f"{number}" for number in range(1, len(order) + 1)]
    rows = [["#", say("tournament.player"), *numbers]]
    for number, player in zip(numbers, order, strict=True):
        row = report["crosstable"][player]
        cells = [points(row[other]) if other != player else "·" for other in order]
        rows.append([number, player, *cells])
    return aligned(rows, right=set(range(len(rows[0]))) - {1})


def points(counts: Sequence[int]) -> str:
    """The points that wins, draws and losses make; `-` where nothing was played."""
    wins, draws, _ = counts
    return f"{wins + draws / 2:g}" if any(counts) else "-"


_NUMBERS = ("games", "points", "score", "elo")


class LiveStandings:
    """Progress of a tournament on stderr: on a terminal the standings, and otherwise a line now and
    then. Both begin after `PROGRESS_PATIENCE`."""

    def __init__(self, tournament: Tournament, terminal: Terminal) -> None:
        self.games, self.terminal = tournament.games, terminal
        self.began = self.drawn = time.perf_counter()
        self.before: int | None = None
        self.steps = 0
        self.live: Live | None = None

    def update(self, results: Results) -> None:
        """Shows the results after one more game, if it is time for it."""
        now, done = time.perf_counter(), results.games
        if self.before is None:
            self.before = done - 1  # games of an earlier run say nothing about how fast this one is
        if now - self.began < PROGRESS_PATIENCE:
            return
        if not sys.stderr.isatty():
            self._note(done)
        elif now - self.drawn > REDRAW or self.live is None:
            self.drawn = now
            self._draw(results)

    def close(self) -> None:
        """Removes the live table."""
        if self.live is not None:
            with contextlib.suppress(KeyboardInterrupt):
                self.live.stop()

    def line(self, done: int) -> str:
        """Number of games that are finished, and the time that the others take at this pace."""
        say, total = self.terminal.say, max(done, self.games)
        played = say("tournament.progress", played=done, games=total)
        fresh = done - (self.before or 0)
        if not fresh:
            return played
        left = (time.perf_counter() - self.began) / fresh * (total - done)
        remaining = say("tournament.remaining", time=timedelta(seconds=round(left)))
        return f"{played}, {remaining}"

    def _note(self, done: int) -> None:
        steps = 100 * done // (STEP * max(done, self.games))
        if steps > self.steps:
            self.steps = steps
            self.terminal.note(self.line(done))

    def _draw(self, results: Results) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if self.live is None:
            console = Console(stderr=True)
            self.live = Live(console=console, auto_refresh=False, transient=True)
            self.live.start()
        lines = [*rating_table(results.as_dict(), self.terminal.say), self.line(results.games)]
        self.live.update(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"), refresh=True)
