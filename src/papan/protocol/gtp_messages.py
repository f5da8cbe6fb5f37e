"""Reads and writes the lines of GTP, the Go Text Protocol, version 2; pure functions without I/O.

A command is one line. A reply begins with `=` or `?` and ends with an empty line. Times are whole
seconds.

Source: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002, sections 2
and 6.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from papan.protocol.messages import Go, escape_unprintable

VERSION = "2"

#: Error messages of the standard.
UNKNOWN = "unknown command"
SYNTAX = "syntax error"
ILLEGAL = "illegal move"
SIZE = "unacceptable size"
NO_UNDO = "cannot undo"

#: Milliseconds per second; UGI uses milliseconds.
_MS = 1000
_REPLY = re.compile(r"([=?])(\d*)[ \t]*(.*)")


@dataclass(frozen=True)
class GtpReply:
    """A program's reply to a command.

    Attributes:
        is_fine: True for `=`, False for `?`.
        number: number of the command; empty if the program did not repeat it.
        text: the text after the number, its lines joined by line feeds.
    """

    is_fine: bool
    number: str
    text: str

    def as_text(self) -> str:
        """Returns the reply as sent, without its last line feed."""
        mark = "=" if self.is_fine else "?"
        return f"{mark}{self.number} {self.text}".rstrip() + "\n"


def read_reply(line: str) -> GtpReply | None:
    """Returns the reply that starts with a line; None if the line does not start a reply."""
    match = _REPLY.fullmatch(escape_unprintable(line).strip())
    return match and GtpReply(match[1] == "=", match[2], match[3].strip())


def read_command(line: str) -> tuple[str, str, list[str]]:
    """Returns number, name and arguments of a command; all empty for an empty line or a comment."""
    words = "".join(c if c.isprintable() else " " for c in line.partition("#")[0]).split()
    number = words.pop(0) if words and words[0].isdigit() else ""
    return number, words[0] if words else "", words[1:]


def time_commands(go: Go) -> dict[str, str]:
    """Returns the commands that set the time for a move, with their arguments.

    `time_settings` is a key by itself; `time_left` has one key per colour.
    """
    commands = {}
    if go.movetime is not None:
        # At least one second: 0 would mean a game without a time limit.
        commands["time_settings"] = f"0 {max(1, go.movetime // _MS)} 1"
    for name, left in (("b", go.p1time), ("w", go.p2time)):
        if left is not None:
            commands[f"time_left {name}"] = f"{left // _MS} 0"
    return commands


@dataclass
class TimeSettings:
    """Time settings of a controller: main time, then periods of some seconds for some moves.

    Attributes:
        main: main time in seconds.
        period: length of a period in seconds.
        stones: number of moves in a period.
        left: colour → remaining seconds and moves; 0 moves means main time.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    left: dict[str, tuple[float, int]] | None = None

    @classmethod
    def read(cls, words: list[str]) -> TimeSettings:
        """Reads the arguments of `time_settings`.

        Raises:
            ValueError: the arguments are not three numbers.
        """
        main, period, stones = words
        return cls(_seconds(main), _seconds(period), int(stones))

    def note(self, colour: str, seconds: str, stones: str) -> None:
        """Stores the values of `time_left`.

        Raises:
            ValueError: the values are not numbers.
        """
        self.left = {**(self.left or {}), colour: (_seconds(seconds), int(stones))}

    def go(self, colour: str) -> Go:
        """Returns the limit for the next move of a colour; empty if no time was set."""
        seconds, stones = (self.left or {}).get(colour, (self.main, 0))
        if stones > 0:
            return Go(movetime=_milliseconds(seconds / stones))
        if seconds > 0:
            left = _milliseconds(seconds)
            return Go(p1time=left) if colour == "b" else Go(p2time=left)
        # A period with 0 moves means no time limit.
        return Go(movetime=_milliseconds(self.period / self.stones)) if self.stones > 0 else Go()


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < math.inf:
        raise ValueError(text)
    return seconds


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * _MS))
