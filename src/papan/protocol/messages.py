"""Reads and writes the lines of UGI; pure functions without I/O.

UGI is a game-neutral UCI: an arbiter sends commands to a program, and the program replies; each
message is one line. Times are whole milliseconds. Scores are hundredths of a point from the view
of the side to move.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields

from papan.errors import UsageError

#: Units of a written score per point.
CENTI = 100
#: Maximum number of digits in a `go` or `info`; longer numbers are errors or attacks.
_MOST_DIGITS = 18


def sections(words: Sequence[str], keywords: Collection[str]) -> list[tuple[str, str]]:
    """Groups words by keyword: each keyword with the words up to the next keyword.

    Words before the first keyword are dropped.
    """
    parts: list[tuple[str, list[str]]] = []
    for word in words:
        if word in keywords:
            parts.append((word, []))
        elif parts:
            parts[-1][1].append(word)
    return [(keyword, " ".join(rest)) for keyword, rest in parts]


def read_number(text: str) -> int | None:
    """Returns an integer; None if the text is not an integer or has too many digits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        return None
    return int(text)


def escape_unprintable(text: str) -> str:
    """Returns the text with unprintable characters escaped, for example `\\x1b`."""
    return "".join(c if c.isprintable() or c.isspace() else ascii(c)[1:-1] for c in text)


# --- options -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UgiOption:
    """An option of a program.

    Attributes:
        name: name of the option; case-insensitive.
        kind: `spin` (an integer), `check` (true or false), `combo` (one of `choices`) or `string`.
        default: current value.
        low: minimum of a `spin`.
        high: maximum of a `spin`.
        choices: allowed values of a `combo`.
    """

    name: str
    kind: str
    default: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def line(self) -> str:
        """Returns `option name N type T default V …`."""
        text = f"option name {self.name} type {self.kind} default {self.default}"
        if self.low is not None and self.high is not None:
            text += f" min {self.low} max {self.high}"
        return text + "".join(f" var {choice}" for choice in self.choices)


_OPTION_WORDS = frozenset({"name", "type", "default", "min", "max", "var"})


def read_option(line: str) -> UgiOption | None:
    """Returns the option that a line declares; None for other lines."""
    words = line.split()
    if words[:1] != ["option"]:
        return None
    parts = sections(words[1:], _OPTION_WORDS)
    facts = dict(parts)
    if not facts.get("name"):
        return None
    low, high = (read_number(facts.get(key, "")) for key in ("min", "max"))
    choices = tuple(value for key, value in parts if key == "var")
    kind, default = facts.get("type", "string"), facts.get("default", "")
    return UgiOption(facts["name"], kind, default, low, high, choices)


def read_setoption(rest: str) -> tuple[str, str]:
    """Returns name and value of `setoption name N value V`, given the text after the command.

    Raises:
        UsageError: the name is missing.
    """
    before, _, value = f"{rest} ".partition(" value ")
    keyword, _, name = before.strip().partition(" ")
    if keyword != "name" or not name.strip():
        raise UsageError("ugi.setoption", text=rest)
    return name.strip(), value.strip()


# --- positions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class PositionCommand:
    """A position, given as a start and moves.

    Attributes:
        fen: the start as a position line; None for the game's start.
        moves: the moves from there.
    """

    fen: str | None = None
    moves: tuple[str, ...] = ()

    def line(self) -> str:
        """Returns `position startpos|fen <line> [moves m1 m2 …]`."""
        where = "startpos" if self.fen is None else f"fen {self.fen}"
        moves = " ".join(("", "moves", *self.moves)) if self.moves else ""
        return f"position {where}{moves}"


def read_position(rest: str) -> PositionCommand:
    """Returns the position of a `position` command, given the text after the keyword.

    Raises:
        UsageError: the text has neither `startpos` nor a position line.
    """
    where, _, moves = f"{' '.join(rest.split())} ".partition(" moves ")
    keyword, _, fen = where.strip().partition(" ")
    if keyword == "startpos" and not fen:
        return PositionCommand(None, tuple(moves.split()))
    if keyword == "fen" and fen:
        return PositionCommand(fen, tuple(moves.split()))
    raise UsageError("ugi.position", text=rest)


# --- thinking ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Go:
    """Limits of a `go` command. The search ends at the first limit reached.

    Attributes:
        p1time: remaining time of the first player in ms.
        p2time: remaining time of the second player in ms.
        p1inc: increment per move of the first player in ms.
        p2inc: increment per move of the second player in ms.
        movetime: time for this move in ms.
        depth: maximum depth in plies.
        nodes: maximum number of nodes.
        infinite: True searches until `stop`.
    """

    p1time: int | None = None
    p2time: int | None = None
    p1inc: int | None = None
    p2inc: int | None = None
    movetime: int | None = None
    depth: int | None = None
    nodes: int | None = None
    infinite: bool = False

    def line(self) -> str:
        """Returns `go movetime 1000 …`."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        infinite = values.pop("infinite")
        words = [f"{name} {value}" for name, value in values.items() if value is not None]
        return " ".join(["go", *words, *(["infinite"] if infinite else [])])

    def clock(self, side: str) -> tuple[int | None, int]:
        """Returns remaining time and increment of a side (`x` or `o`) in ms; (None, …) without a
        clock."""
        left, gain = (self.p1time, self.p1inc) if side == "x" else (self.p2time, self.p2inc)
        return left, gain or 0


_GO_NUMBERS = frozenset(field.name for field in fields(Go)) - {"infinite"}


def read_go(rest: str) -> tuple[Go, list[str]]:
    """Returns the limits of a `go` command, and its invalid words, given the text after the
    keyword."""
    numbers: dict[str, int] = {}
    wrong = []
    words = rest.split()
    for name, value in sections(words, {*_GO_NUMBERS, "infinite"}):
        number = read_number(value)
        if name == "infinite":
            continue
        if number is None:
            wrong.append(f"{name} {value}")
        else:
            numbers[name] = max(0, number)
    return Go(**numbers, infinite="infinite" in words), wrong


@dataclass(frozen=True)
class Info:
    """A program's report on its search.

    Attributes:
        depth: depth in plies.
        score: score in points, side to move's view.
        nodes: number of searched positions.
        seconds: duration so far.
        pv: expected line of play (principal variation).
        multipv: rank of this line among several, from 1; None for a single line.
    """

    depth: int | None = None
    score: float | None = None
    nodes: int | None = None
    seconds: float | None = None
    pv: tuple[str, ...] = ()
    multipv: int | None = None

    def line(self) -> str:
        """Returns `info depth … score cp … nodes … time … nps … pv …`."""
        facts: dict[str, object] = {
            "depth": self.depth,
            "multipv": self.multipv,
            "score cp": None if self.score is None else round(self.score * CENTI),
            "nodes": self.nodes,
        }
        if self.seconds is not None:
            facts["time"] = round(self.seconds * 1000)
            if self.nodes is not None:
                facts["nps"] = round(self.nodes / max(self.seconds, 1e-6))
        facts["pv"] = " ".join(self.pv) or None
        return " ".join(
            ["info", *(f"{key} {value}" for key, value in facts.items() if value is not None)]
        )


_INFO_WORDS = frozenset({"depth", "seldepth", "multipv", "score", "nodes", "time", "nps", "pv"})


def read_info(line: str) -> Info | None:
    """Returns the report in a line; None for other lines and for `info string`."""
    words = line.split()
    if words[:1] != ["info"] or words[1:2] == ["string"]:
        return None
    facts = dict(sections(words[1:], _INFO_WORDS))
    depth, nodes, time, multipv = (
        read_number(facts.get(key, "").split(" ")[0])
        for key in ("depth", "nodes", "time", "multipv")
    )
    unit, _, score = facts.get("score", "").partition(" ")
    points = read_number(score.split(" ")[0]) if unit == "cp" else None
    return Info(
        depth=depth,
        score=None if points is None else points / CENTI,
        nodes=nodes,
        seconds=None if time is None else time / 1000,
        pv=tuple(facts.get("pv", "").split()),
        multipv=multipv,
    )


def tells_best_line(line: str) -> bool:
    """Returns True if a line is an `info` with the best line; fast, because programs send many."""
    if not line.startswith("info ") or " pv " not in line:
        return False
    return " multipv " not in line or " multipv 1 " in line


def read_bestmove(line: str) -> str | None:
    """Returns the move of a `bestmove` line as written; None for other lines.

    Control characters are escaped, because a terminal would obey them. A move is one word. The UCI
    suffix `ponder M` is dropped. Other words are kept, so that the caller rejects the whole text.
    """
    if "bestmove" not in line:
        return None
    words = escape_unprintable(line).split()
    if words[:1] != ["bestmove"]:
        return None
    if words[2:3] == ["ponder"] and len(words) <= 4:
        return words[1]
    return " ".join(words[1:])


def error_line(text: object) -> str:
    """Returns `info string error …` on one line."""
    return f"info string error {' '.join(str(text).split())}"
