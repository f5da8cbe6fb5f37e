"""All words that commands take, described once, and how their values are read.

The order of the tables is that of every help page: position, limits, what is searched with, what is
played, conditions, chance, workers, files, and the form of the answer.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import MISSING, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from papan.cli import completion
from papan.cli.command import Complete, Word, field
from papan.errors import InvalidLimit, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from papan.core.game import Position
    from papan.play.referee import Conditions
    from papan.protocol.guards import Guards
    from papan.search.limits import Limit

N = TypeVar("N", int, float)

#: Formats that a tree is written in.
TREE_FORMATS = ("svg", "dot", "html", "json")
THEMES = ("light", "dark", "contrast")
SIDES = ("x", "o")

_MILLISECONDS = 1000


def _argument(metavar: str, about: str, complete: Complete | None, *, many: bool = False) -> Word:
    return Word((), metavar, f"cli.argument.{about}", complete, many=many)


def _option(
    flags: str,
    metavar: str = "",
    *,
    about: str = "",
    complete: Complete | None = None,
    choices: tuple[str, ...] = (),
    many: bool = False,
    formerly: str = "",
) -> Word:
    words = tuple(flags.split())
    return Word(words, metavar, about, complete, choices, many, formerly=formerly)


#: What can stand behind a command, by the names that `argument` takes.
ARGUMENTS = {
    "game": _argument("GAME", "game", completion.games),
    "game-or-tablebase": _argument("GAME", "game-or-tablebase", completion.games),
    "checked": _argument("FILE", "checked", completion.games),
    "new-name": _argument("NAME", "new-name", None),
    "player": _argument("PLAYER", "player", completion.players),
    "several": _argument("PLAYER...", "player", completion.players, many=True),
    "seats": _argument("PLAYER [PLAYER]", "players", completion.participants, many=True),
    "bot": _argument("PLAYER", "bot", completion.bots),
    "kinds": _argument("[KIND]…", "bench", completion.benches, many=True),
    "id": _argument("ID", "id", None),
    "file": _argument("FILE", "file", completion.files),
    "output-file": _argument("FILE", "output-file", completion.files),
}


def _described(options: Mapping[str, Word]) -> dict[str, Word]:
    """Options with their rank and, if they have none yet, their description: `cli.option.NAME`."""
    return {
        name: replace(word, about=word.about or f"cli.option.{name}", rank=rank)
        for rank, (name, word) in enumerate(options.items(), start=1)
    }


#: What can be set, by the names that `option` takes.
OPTIONS = _described(
    {
        "position": _option("--position", "LINE", complete=completion.files),
        "moves": _option("--moves", "MOVES"),
        "plies": _option("--depth", "N"),
        "divide": _option("--divide"),
        "like": _option("--like", "GAME", complete=completion.gallery_games),
        "watch": _option("--watch"),
        "config": _option("--config", "FILE", complete=completion.files),
        "format": _option("--format", "NAME", complete=completion.formats),
        "tree-format": _option("--format", "FORMAT", choices=TREE_FORMATS),
        "games": _option("--games", "N"),
        "training-games": _option("--games", "N"),
        "tuning-games": _option("--games", "N"),
        "final": _option("--final", "N"),
        "levels-games": _option("--games", "N"),
        "swiss-rounds": _option("--rounds", "N"),
        "pairs": _option("--pairs", "N"),
        "level-pairs": _option("--pairs", "N"),
        "positions": _option("--positions", "N"),
        "opening-plies": _option("--plies", "N"),
        "win-plies": _option("--plies", "A..B"),
        "count": _option("--count", "N"),
        "puzzle-count": _option("--count", "N"),
        "within": _option("--within", "V"),
        "time": _option("--time", "S"),
        "values-time": _option("--time", "S"),
        "training-time": _option("--time", "S"),
        "tuning-time": _option("--time", "S"),
        "levels-time": _option("--time", "S"),
        "training-depth": _option("--depth", "N"),
        "depth": _option("--depth", "N"),
        "move-depth": _option("--depth", "N"),
        "opening-depth": _option("--depth", "N"),
        "nodes": _option("--nodes", "N"),
        "tuning-nodes": _option("--nodes", "N"),
        "move-nodes": _option("--nodes", "N"),
        "clock": _option("--clock", "S+S"),
        "margin-ms": _option("--margin-ms", "MS"),
        "max-plies": _option("--max-plies", "N"),
        "adjudicate": _option("--adjudicate"),
        "bot-memory": _option("--bot-memory", "MB"),
        "bot-processes": _option("--bot-processes", "N"),
        "bot-ready": _option("--bot-ready", "S"),
        "env": _option("--env", "NAME", many=True),
        "show-output": _option("--show-output"),
        "sprt": _option("--sprt", "ELO0,ELO1"),
        "openings": _option("--openings", "FILE", complete=completion.files),
        "algorithm": _option("--algorithm", "NAME", complete=completion.algorithms),
        "target": _option("--target", "NAME", choices=("trace", "search", "result")),
        "from": _option("--from", "FILE", complete=completion.files),
        "traced": _option("--algorithm", "NAME", complete=completion.traced),
        "tuned-evaluation": _option("--evaluation", "NAME", complete=completion.evaluations),
        "parameters": _option("--parameters", "A,B"),
        "evaluation": _option("--evaluation", "NAME", complete=completion.evaluations),
        "threads": _option("--threads", "N", about="option.threads"),
        "solve-threads": _option("--threads", "N"),
        "keep-proofs": _option("--keep", "FILE", complete=completion.files),
        "hash": _option("--hash", "MB", about="option.hash"),
        "lines": _option("--lines", "N", about="option.lines"),
        "values": _option("--values"),
        "memory": _option("--memory", "MB"),
        "of-game": _option("--game", "GAME", complete=completion.games),
        "game-file": _option("--game", "FILE", complete=completion.files),
        "gtp-player": _option("--player", "PLAYER", complete=completion.players),
        "of-player": _option("--player", "PLAYER", complete=completion.players),
        "of-event": _option("--event", "NAME"),
        "of-result": _option("--result", "RESULT", complete=completion.results),
        "since": _option("--since", "DATE"),
        "ladder": _option("--ladder"),
        "limit": _option("--limit", "N"),
        "offset": _option("--offset", "N"),
        "host": _option("--host", "ADDRESS"),
        "port": _option("--port", "N"),
        "open": _option("--open/--no-open"),
        "web-game": _option("--game", "FILE", complete=completion.games, many=True),
        "web-player": _option("--player", "NAME=SPEC", many=True),
        "allow-host": _option("--allow-host", "NAME", many=True),
        "database": _option("--database", "WHERE", complete=completion.files),
        "processes": _option("--processes", "N"),
        "only": _option("--only", "SECTION", complete=completion.sections),
        "quick": _option("--quick"),
        "quick-bench": _option("--quick"),
        "most-drawn": _option("--most", "N"),
        "max-side": _option("--max", "SIDE", choices=SIDES),
        "theme": _option("--theme", "NAME", choices=THEMES),
        "seed": _option("--seed", "N"),
        "workers": _option("--workers", "N"),
        "build-workers": _option("--workers", "N"),
        "training-workers": _option("--workers", "N"),
        "tuning-workers": _option("--workers", "N"),
        "cluster": _option("--cluster", "ADDRESS"),
        "tablebase-cluster": _option("--cluster", "ADDRESS"),
        "insecure-cluster": _option("--insecure-cluster"),
        "store": _option("--store", "PLACE", complete=completion.files),
        "records-store": _option("--store", "PLACE", complete=completion.files),
        "puzzle-store": _option("--store", "PLACE", complete=completion.files),
        "records": _option("--records", "FILE", complete=completion.files),
        "html": _option("--html", "FILE", complete=completion.files),
        "csv": _option("--csv", "FILE", complete=completion.files),
        "out": _option("--out", "FOLDER", complete=completion.folders),
        "tuning-out": _option("--out -o", "FILE", complete=completion.files),
        "levels-out": _option("--out -o", "FILE", complete=completion.files),
        "weights-out": _option("--out -o", "FILE", complete=completion.files),
        "tree-out": _option(
            "--out -o", "FILE", about="cli.option.output", complete=completion.files
        ),
        "values-out": _option("--out -o", "FILE", complete=completion.files),
        "output": _option("--output -o", "FILE", complete=completion.files),
        "values-tablebase": _option(
            "--tablebase", "FILE", complete=completion.files, formerly="--database"
        ),
        "play-values": _option("--values"),
        "web-values": _option("--values", "FILE", complete=completion.files, many=True),
        "web-puzzles": _option("--puzzles", "FILE", complete=completion.files, many=True),
        "tablebase-out": _option("--out -o", "FILE", complete=completion.files),
        "anyway": _option("--anyway"),
        "pruned": _option("--pruned"),
        "verify": _option("--verify"),
        "json": _option("--json"),
        "all": _option("--all"),
        "clear": _option("--clear"),
    }
)


def argument(name: str, default: Any = MISSING) -> Any:
    """A field of a command's options that is set by an argument; required without a default."""
    return field(ARGUMENTS[name], default)


def option(name: str, default: Any = MISSING) -> Any:
    """A field of a command's options that is set by an option; required without a default."""
    return field(OPTIONS[name], default)


@dataclass(frozen=True, kw_only=True)
class BotOptions:
    """Options of every command that starts programs as players; each may be left out."""

    bot_memory: str | None = option("bot-memory", None)
    bot_processes: str | None = option("bot-processes", None)
    bot_ready: str | None = option("bot-ready", None)
    env: tuple[str, ...] = option("env", ())
    show_output: bool = option("show-output", False)

    def guards(self) -> Guards:
        """Limits of each program.

        Raises:
            UsageError: a word is no number, or out of range; or the environment has no such name.
        """
        from papan.protocol.guards import Guards

        given: dict[str, Any] = {"env": tuple(map(read_variable, self.env))}
        given["show_output"] = self.show_output
        if self.bot_memory is not None:
            given["memory_mb"] = read_whole(self.bot_memory, "--bot-memory", 0)
        if self.bot_processes is not None:
            given["processes"] = read_whole(self.bot_processes, "--bot-processes", 0)
        if self.bot_ready is not None:
            given["ready_seconds"] = read_number(self.bot_ready, "--bot-ready", 0)
        return Guards(**given)


# --- reading values


def read_output(path: str | None, formats: Iterable[str]) -> str | None:
    """The path of a file in one of these formats, which its name says or leaves open.

    Raises:
        UsageError: the name says another format.
    """
    suffix = Path(path or "").suffix.lstrip(".").lower()
    if suffix and suffix not in formats:
        known = " | ".join(f".{each}" for each in formats)
        raise UsageError("usage.format", text=path, expected=known)
    return path


def read_variable(name: str) -> str:
    """The name of a variable of the environment.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in os.environ:
        raise UsageError("usage.no-variable", text=name)
    return name


def read_position(game: str, place: str | None, moves: str = "") -> Position:
    """The start position of a game, or the one that a line or a file describes, after moves.

    Raises:
        PapanError: the game spec, the line or a move is wrong, or the file cannot be read.
    """
    from papan.core.game import Position
    from papan.usercode import registry

    rules = registry.game(game)
    if place is None:
        position = rules.start()
    else:
        position = Position.unchecked(rules, rules.read_state(_position_line(place)))
    for move in moves.split():
        position = position.play(move)
    return position


def _position_line(place: str) -> str:
    """The position line itself, or the first line of the file of that name."""
    try:
        if not Path(place).is_file():
            return place
        with open(place, encoding="utf-8") as file:
            return file.readline().strip()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError("usage.unreadable", text=place, reason=reason) from None
    except ValueError:  # a NUL character, or a file that holds no text
        return place


def read_limit(
    depth: str | None = None, time: str | None = None, nodes: str | None = None
) -> Limit:
    """The limit that `--depth`, `--time` and `--nodes` set.

    Raises:
        UsageError: one of them is no number, or out of range.
    """
    from papan.search.limits import Limit

    return Limit(
        depth=_limit_value("depth", depth, "--depth", int),
        seconds=_limit_value("seconds", time, "--time", float),
        nodes=_limit_value("nodes", nodes, "--nodes", int),
    )


def _limit_value(field: str, text: str | None, option: str, number: type[N]) -> N | None:
    """The value of a limit's field, in range."""
    from papan.search.limits import Limit

    if text is None:
        return None
    try:
        value = number(text)
        alone: dict[str, Any] = {field: value}
        Limit(**alone)
    except InvalidLimit as error:
        expected = error.values["expected"]
    except ValueError:
        expected = f"@word.{number.__name__}"
    else:
        return value
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def read_conditions(
    clock: str | None, margin_ms: str | None, max_plies: str | None, *, adjudicate: bool
) -> Conditions:
    """The conditions that `--clock`, `--margin-ms`, `--max-plies` and `--adjudicate` set.

    Raises:
        UsageError: one of them is malformed or out of range; names the option.
    """
    from papan.play.clock import read_time_control
    from papan.play.referee import Conditions
    from papan.search.limits import MARGIN

    read = None if clock is None else read_time_control(clock)
    margin = MARGIN
    if margin_ms is not None:
        margin = read_number(margin_ms, "--margin-ms", 0) / _MILLISECONDS
    plies = 0 if max_plies is None else read_whole(max_plies, "--max-plies", 1)
    return Conditions(read, margin, plies, adjudicate)


def read_whole(text: str, option: str, low: int, high: int | None = None) -> int:
    """A whole number from `low` to `high`.

    Raises:
        UsageError: it is not one, or out of range.
    """
    most = math.inf if high is None else high
    expected = f"≥ {low}" if high is None else f"{low} … {high}"
    return _read(int, text, option, lambda number: low <= number <= most, expected)


def read_number(text: str, option: str, low: float) -> float:
    """A finite number that is at least `low`.

    Raises:
        UsageError: it is not one, or less.
    """
    return _read(float, text, option, lambda number: low <= number < math.inf, f"≥ {low:g}")


def read_cluster(address: str | None, insecure: bool) -> AbstractContextManager[Executor | None]:
    """The workers of a Dask scheduler, if one is named.

    Raises:
        UsageError: it cannot be used.
    """
    if address is None:
        return nullcontext()
    from papan.arena.cluster import cluster

    return cluster(address, insecure=insecure)


def _read(
    kind: type[N], text: str, option: str, is_allowed: Callable[[N], bool], expected: str
) -> N:
    try:
        number = kind(text)
        if is_allowed(number):
            return number
    except ValueError:
        pass  # the same answer as for a number out of range
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def read_seed(text: str | None) -> int:
    """The number that chance starts from; 0 if none was given.

    Raises:
        UsageError: it is not a whole number, or negative.
    """
    return read_whole(text or "0", "--seed", 0)


def read_choice(text: str, option: str, choices: Iterable[str]) -> str:
    """A word that is among the choices.

    Raises:
        UsageError: it is not.
    """
    allowed = list(choices)
    if text not in allowed:
        expected = " | ".join(allowed)
        raise UsageError("spec.bad-value", option=option, text=text, expected=expected)
    return text
