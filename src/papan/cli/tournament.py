"""`papan tournament GAME PLAYER…`: several players, a rating table and a crosstable."""

from __future__ import annotations

import contextlib
import difflib
import re
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from papan.cli import completion, events, parse
from papan.cli.command import command
from papan.cli.options import argument, option
from papan.cli.terminal import PROGRESS_PATIENCE, Terminal, align_columns
from papan.data_files import read_limited, reading
from papan.errors import UsageError

if TYPE_CHECKING:
    from rich.live import Live

    from papan.arena.event import Results, Tournament
    from papan.messages import Messages

DEFAULT_FORMAT = "round-robin"

#: Minimum interval between updates of the live table, in seconds.
REDRAW = 0.25

#: Share of games between two lines of progress without a terminal, in percent.
STEP = 10


@dataclass(frozen=True, kw_only=True)
class TournamentOptions(events.EventOptions):
    """Options of `papan tournament`."""

    game: str | None = argument("GAME", "game", None, complete=completion.games)
    players: tuple[str, ...] = argument(
        "PLAYER...", "player", (), complete=completion.players, many=True
    )
    config: str | None = option("--config FILE", "config", None, complete=completion.files)
    format: str | None = option("--format NAME", "format", None, complete=completion.formats)
    rounds: str | None = option("--rounds N", "swiss-rounds", None)
    pairs: str | None = option("--pairs N", "pairs", None)


@command(TournamentOptions)
def tournament(options: TournamentOptions, terminal: Terminal) -> int:
    """Plays a tournament and prints its tables; on Ctrl-C, those of the finished games."""
    from papan.arena.event import Results, play_tournament

    complete = _complete_options(options)
    planned = _plan(complete)
    events.get_ready(planned.players, planned, terminal, may_forfeit=True)
    results = Results(planned.players)
    with contextlib.closing(LiveStandings(planned, terminal)) as live:
        start = partial(play_tournament, planned, results=results)
        run = events.play(complete, start, results, live.update)
    _print(planned, run, options, terminal)
    return run.end()


def _complete_options(options: TournamentOptions) -> TournamentOptions:
    """Returns the typed options, completed from the tournament file.

    Raises:
        UsageError: The file is invalid or names a game file, or there is no game or no player.
    """
    from papan.usercode.registry import known_game

    read = read_config(options.config) if options.config else {}
    if options.game is None and read:
        known_game(read["game"])
    in_file: dict[str, Any] = {key.replace("-", "_"): _text(read[key]) for key in read}
    missing = {key: value for key, value in in_file.items() if not getattr(options, key)}
    complete = replace(options, **missing)
    for value, metavar in ((complete.game, "GAME"), (complete.players, "PLAYER")):
        if not value:
            raise UsageError("usage.missing", text=metavar, expected=f"{metavar} | --config FILE")
    return complete


def _text(value: Any) -> Any:
    """Returns a value of the file as typed text."""
    if isinstance(value, list):
        return tuple(value)
    return value if isinstance(value, bool) else str(value)


def _plan(options: TournamentOptions) -> Tournament:
    """Returns the tournament that the options describe, with canonical specs.

    Raises:
        UsageError: An option is invalid.
    """
    from papan.arena.event import FORMATS, Tournament
    from papan.usercode import registry

    form = parse.choice(options.format or DEFAULT_FORMAT, "--format", FORMATS)
    game = registry.game(options.game or "").spec
    return Tournament(
        game=game,
        players=_read_players(options.players),
        format=form,
        pairs=parse.whole(options.pairs or "10", "--pairs", 1),
        rounds=parse.whole(options.rounds or "0", "--rounds", 0),
        **options.plan(game),
    )


def _read_players(specs: Sequence[str]) -> tuple[str, ...]:
    """Returns the canonical specs of at least two different players.

    Raises:
        UsageError: A spec is invalid or repeated, or there is only one.
    """
    from papan.players.registry import player

    players = list[str]()
    for spec in specs:
        with contextlib.closing(player(spec)) as participant:
            if participant.spec in players:
                raise UsageError("tournament.twice", text=participant.spec)
            players.append(participant.spec)
    if len(players) < 2:
        raise UsageError("tournament.too-few", text=players[0])
    return tuple(players)


def _print(
    planned: Tournament,
    run: events.PlayedEvent[Results],
    options: TournamentOptions,
    terminal: Terminal,
) -> None:
    report: dict[str, Any] = {
        "game": planned.game,
        "format": planned.format,
        "players": list(planned.players),
        "seed": planned.seed,
        "event": planned.event,
        "clock": events.clock_of(planned),
        **run.results.as_dict(),
        "faults": run.faults_as_dicts(),
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
    terminal.line()
    terminal.line(say("tournament.clock", clock=say(f"clock.{report['clock']}")))
    run.print_faults(terminal)


# --- standings


def rating_table(report: dict[str, Any], say: Messages) -> list[str]:
    """Returns the standings, best first: player, games, points, score, Elo and its 95 % error."""
    rows = [["#", *(say(f"tournament.{name}") for name in ("player", *_NUMBERS)), "±"]]
    for number, entry in enumerate(report["standings"], start=1):
        score = "" if entry["score"] is None else f"{100 * entry['score']:.1f} %"
        elo = "" if entry["elo"] is None else f"{entry['elo']:+.1f}"
        error = "" if entry["error"] is None else f"{entry['error']:.1f}"
        points = f"{entry['points']:g}"
        rows.append([f"{number}", entry["player"], f"{entry['games']}", points, score, elo, error])
    return align_columns(rows, right=set(range(len(rows[0]))) - {1})


def crosstable(report: dict[str, Any], say: Messages) -> list[str]:
    """Returns the points of each player against each other, in the order of the standings."""
    order = [entry["player"] for entry in report["standings"]]
    numbers = [f"{number}" for number in range(1, len(order) + 1)]
    rows = [["#", say("tournament.player"), *numbers]]
    for number, player in zip(numbers, order, strict=True):
        row = report["crosstable"][player]
        cells = [points(row[other]) if other != player else "·" for other in order]
        rows.append([number, player, *cells])
    return align_columns(rows, right=set(range(len(rows[0]))) - {1})


def points(counts: Sequence[int]) -> str:
    """Returns the points of wins, draws and losses; `-` without games."""
    wins, draws, _ = counts
    return f"{wins + draws / 2:g}" if any(counts) else "-"


_NUMBERS = ("games", "points", "score", "elo")


class LiveStandings:
    """Progress of a tournament on stderr: live standings on a terminal, otherwise occasional
    lines. Both start after `PROGRESS_PATIENCE`."""

    def __init__(self, tournament: Tournament, terminal: Terminal) -> None:
        self.games, self.terminal = tournament.games, terminal
        self.began = self.drawn = time.perf_counter()
        self.before: int | None = None
        self.steps = 0
        self.live: Live | None = None

    def update(self, results: Results) -> None:
        """Shows the results after another game, if it is time."""
        now, done = time.perf_counter(), results.games
        if self.before is None:
            self.before = done - 1  # games of an earlier run do not count for the speed of this one
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
        """Returns the number of finished games, and the estimated remaining time."""
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


# --- the tournament file


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_clock(value: object) -> bool:
    return _is_text(value) or _is_number(value)


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


#: Key → check of the value, and the expected values for the error message.
KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    "game": (_is_text, "@word.text"),
    "players": (_is_texts, "@word.texts"),
    "format": (_is_text, "@word.text"),
    "pairs": (_is_whole, "@word.int"),
    "rounds": (_is_whole, "@word.int"),
    "time": (_is_number, "@word.float"),
    "depth": (_is_whole, "@word.int"),
    "nodes": (_is_whole, "@word.int"),
    "clock": (_is_clock, "@word.clock"),
    "margin-ms": (_is_number, "@word.number"),
    "max-plies": (_is_whole, "@word.int"),
    "adjudicate": (_is_boolean, "true | false"),
    "bot-memory": (_is_whole, "@word.int"),
    "bot-processes": (_is_whole, "@word.int"),
    "bot-ready": (_is_number, "@word.number"),
    "env": (_is_texts, "@word.texts"),
    "seed": (_is_whole, "@word.int"),
    "openings": (_is_text, "@word.text"),
    "workers": (_is_whole, "@word.int"),
    "cluster": (_is_text, "@word.text"),
    "insecure-cluster": (_is_boolean, "true | false"),
    "store": (_is_text, "@word.text"),
    "records": (_is_text, "@word.text"),
}

#: Maximum size in bytes, and maximum nesting of brackets or of the parts of a key.
_LARGEST, _DEEPEST = 1 << 16, 8
_STRING_OR_COMMENT = re.compile(
    r'"{3}(?:\\[\s\S]|[^\\])*?"{3,5}|'
    r"'{3}[\s\S]*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|#[^\n]*"
)
_DEEP_KEY = re.compile(rf"[\w-](?:[ \t]*\.[ \t]*[\w-]+){{{_DEEPEST}}}")

#: Mandatory keys.
REQUIRED = ("game", "players")


def read_config(path: str) -> dict[str, Any]:
    """Returns the values of a tournament file by key, with checked types.

    The file is TOML; its keys are the options of the command line:

        game = "adjacency:rounds=12"
        players = ["engine:time=0.1", "mcts", "random"]
        format = "swiss"
        pairs = 20

    Raises:
        UsageError: the file cannot be read or is not TOML, a key is unknown or missing, or a value
            has the wrong type. The message names the key.
    """
    with reading(path, "config.too-large", UsageError, most=_LARGEST >> 10, depth=_DEEPEST):
        text = _shallow(read_limited(path, _LARGEST).decode())
    try:
        values = tomllib.loads(text)
    except ValueError as error:
        raise UsageError("config.unreadable", text=path, reason=error) from None
    for key, value in values.items():
        _check(path, key, value)
    for key in REQUIRED:
        if key not in values:
            raise UsageError("config.missing", text=path, key=key)
    return values


def _shallow(text: str) -> str:
    """Returns the TOML text itself, unless it is nested too deeply.

    Deep nesting makes the TOML parser very slow or overflows its stack.

    Raises:
        ValueError: the text is nested too deeply.
    """
    plain = _STRING_OR_COMMENT.sub("s", text)
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", plain):
        depth += 1 if bracket in "[{" else -1
        if depth > _DEEPEST:
            raise ValueError(depth)
    if _DEEP_KEY.search(plain):
        raise ValueError(_DEEPEST)
    return text


def _check(path: str, key: str, value: object) -> None:
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f" ({near[0]}?)" if near else ""
        known = ", ".join(KEYS)
        raise UsageError("config.unknown", file=path, text=key, hint=hint, known=known)
    is_fine, expected = KEYS[key]
    if not is_fine(value):
        raise UsageError("config.bad-value", file=path, key=key, text=value, expected=expected)
