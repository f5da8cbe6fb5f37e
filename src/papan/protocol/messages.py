"""The lines of UGI, read and written: pure functions, nothing is sent here.

UGI is a game-neutral UCI: an arbiter writes commands to a program, the program answers, a line
each. Times are whole milliseconds on the wire; scores are hundredths of a point in the view of the
side to move.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields

from papan.errors import UsageError

#: A score of one point, as it is written.
CENTI = 100
#: No number of a `go` or an `info` has more digits: what is longer is a slip or an attack.
_MOST_DIGITS = 18


def sections(words: Sequence[str], keywords: Collection[str]) -> list[tuple[str, str]]:
    """The words grouped by keyword: each keyword with what follows it up to the next one.

    What comes before the first keyword is left out.
    """
    parts: list[tuple[str, list[str]]] = []
    for word in words:
        if word in keywords:
            parts.append((word, []))
        elif parts:
            parts[-1][1].append(word)
    return [(keyword, " ".join(rest)) for keyword, rest in parts]


def read_number(text: str) -> int | None:
    """A whole number; None if it is none, or too long to mean anything."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        return None
    return int(text)


def escape_unprintable(text: str) -> str:
    """The text with an escape for each character that does not print: `\\x1b`."""
    return "".join(c if c.isprintable() or c.isspace() else ascii(c)[1:-1] for c in text)


# --- options -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UgiOption:
    """Something that can be set in a program.

    Attributes:
        name: what it is called; case does not matter.
        kind: `spin` (a whole number), `check` (true or false), `combo` (one of `choices`) or
            `string`.
        default: the value it has now.
        low: the least number allowed.
        high: the greatest number allowed.
        choices: the words allowed.
    """

    name: str
    kind: str
    default: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def line(self) -> str:
        """`option name N type T default V …`."""
        text = f"option name {self.name} type {self.kind} default {self.default}"
        if self.low is not None and self.high is not None:
            text += f" min {self.low} max {self.high}"
        return text + "".join(f" var {choice}" for choice in self.choices)


_OPTION_WORDS = frozenset({"name", "type", "default", "min", "max", "var"})


def read_option(line: str) -> UgiOption | None:
    """The option that a program declares in a line; None if the line declares none."""
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
    """Name and value of `setoption name N value V`, given what follows the command.

    Raises:
        UsageError: there is no name.
    """
    before, _, value = f"{rest} ".partition(" value ")
    keyword, _, name = before.strip().partition(" ")
    if keyword != "name" or not name.strip():
        raise UsageError("ugi.setoption", text=rest)
    return name.strip(), value.strip()


# --- positions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class PositionCommand:
    """A position and how it came about.

    Attributes:
        fen: the position line that the moves begin from; None for the game's start.
        moves: all moves since then.
    """

    fen: str | None = None
    moves: tuple[str, ...] = ()

    def line(self) -> str:
        """`position startpos|fen <line> [moves m1 m2 …]`."""
        where = "startpos" if self.fen is None else f"fen {self.fen}"
        moves = " ".join(("", "moves", *self.moves)) if self.moves else ""
        return f"position {where}{moves}"


def read_position(rest: str) -> PositionCommand:
    """The position of a `position` command, given what follows the keyword.

    Raises:
        UsageError: it names neither `startpos` nor a position line.
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
    """Limits of a `go` command: the first of these that is met ends the thinking.

    Attributes:
        p1time: what is left on the clock of the first player, in ms.
        p2time: the same of the second player.
        p1inc: what the first player gets for each move, in ms.
        p2inc: the same of the second player.
        movetime: for this move, in ms.
        depth: in plies.
        nodes: positions looked at.
        infinite: not before `stop`.
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
        """`go movetime 1000 …`."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        infinite = values.pop("infinite")
        words = [f"{name} {value}" for name, value in values.items() if value is not None]
        return " ".join(["go", *words, *(["infinite"] if infinite else [])])

    def clock(self, side: str) -> tuple[int | None, int]:
        """Time left and increment of a side, `x` or `o`, in ms; None for no clock."""
        left, gain = (self.p1time, self.p1inc) if side == "x" else (self.p2time, self.p2inc)
        return left, gain or 0


_GO_NUMBERS = frozenset(field.name for field in fields(Go)) - {"infinite"}


def read_go(rest: str) -> tuple[Go, list[str]]:
    """The limits of a `go` command, given what follows the keyword, and the words in it that make
    no sense."""
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
    """Report of a program on its thinking.

    Attributes:
        depth: in plies.
        score: in points, side to move's view.
        nodes: positions looked at.
        seconds: since it began.
        pv: how it expects the game to go on.
        multipv: the rank of this line among several, from 1; None where there is only one.
    """

    depth: int | None = None
    score: float | None = None
    nodes: int | None = None
    seconds: float | None = None
    pv: tuple[str, ...] = ()
    multipv: int | None = None

    def line(self) -> str:
        """`info depth … score cp … nodes … time … nps … pv …`."""
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
    """The report in a line; None if it is no `info`, or says nothing known."""
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
    """True if a line is an `info` with the best variation. Cheap, for floods of lines."""
    if not line.startswith("info ") or " pv " not in line:
        return False
    return " multipv " not in line or " multipv 1 " in line


def read_bestmove(line: str) -> str | None:
    """The move of a `bestmove` line, as it is written; None for any other line.

    What a terminal would obey is escaped. A move is one word. The suffix `ponder M` of UCI is left
    out; whatever else follows is kept, so that the whole of it can be refused.
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
    """`info string error …`, on one line."""
    return f"info string error {' '.join(str(text).split())}"
