"""Sixty kinds of hostile bots: a name, the program's words at `go`, and how the game has to end.

Half of them are the modes of the fake engine in `fakes/engines/misbehaving.py`, which do more than
to write; of the others each is a line or two that a program answers, or a function in a file.
"""

from __future__ import annotations

from typing import NamedTuple

from papan.play.table import Termination

RULES, TIME, FLOOD, CRASH, ILLEGAL = (
    Termination.RULES,
    Termination.TIME,
    Termination.FLOOD,
    Termination.CRASH,
    Termination.ILLEGAL_MOVE,
)


class HostileBot(NamedTuple):
    """A kind of bot, the text that makes it, and the only ending that is right."""

    kind: str  # "mode" of the fake, "says" as a program, "function" in a file
    text: str
    ending: Termination


_MODES = {
    **dict.fromkeys(("crlf", "bad-utf8", "ponder", "two-bestmoves", "lies", "daemon"), RULES),
    **dict.fromkeys(("two-writes", "ignores-quit", "5-mb-of-stderr"), RULES),
    **dict.fromkeys(("hangs", "hangs-ignoring-sigterm", "stops-reading", "trickles"), TIME),
    **dict.fromkeys(("no-newline", "stderr-for-ever"), TIME),
    **dict.fromkeys(("floods", "endless-line"), FLOOD),
    **dict.fromkeys(("exits", "segfaults", "closes-stdout", "dies-at-start"), CRASH),
    **dict.fromkeys(("answers-and-exits", "kills-guard", "stops-guard"), CRASH),
    **dict.fromkeys(("empty", "illegal", "unparsable", "bad-utf8-move", "escape"), ILLEGAL),
}

#: Python expressions of what is written instead of an answer.
_SAYS = {
    "a move and NUL": ("'bestmove \\0\\n'", ILLEGAL),
    "a move of 1,000 letters": ("'bestmove ' + 'a' * 1000 + '\\n'", ILLEGAL),
    "a number": ("'bestmove 17\\n'", ILLEGAL),
    "a negative number": ("'bestmove -1\\n'", ILLEGAL),
    "capitals": ("'bestmove A1\\n'", ILLEGAL),
    "digits of another script": ("'bestmove a\u0663\\n'", ILLEGAL),
    "a formula": ("'bestmove =1+1\\n'", ILLEGAL),
    "a tag": ("'bestmove <script>alert(1)</script>\\n'", ILLEGAL),
    "a path": ("'bestmove ../../etc/passwd\\n'", ILLEGAL),
    "a template": ("'bestmove {moves}%s{0}\\n'", ILLEGAL),
    "marks that turn text around": ("'bestmove \u202ea1\\n'", ILLEGAL),
    "a surrogate as bytes": ("b'bestmove \\xed\\xa0\\x80\\n'.decode('latin-1')", ILLEGAL),
    "a move off the board": ("'bestmove z99\\n'", ILLEGAL),
    "none": ("'bestmove none\\n'", ILLEGAL),
    "no move at all": ("'bestmove (none)\\n'", ILLEGAL),
    "an empty line": ("'\\n' * 100", TIME),
    "another protocol": ("'uciok\\nreadyok\\nid name x\\n'", TIME),
    "a greeting again": ("'ugiok\\n' * 50", TIME),
    "only opinions": ("'info depth 1 score cp 5\\n' * 50", TIME),
    "odd opinions and no move": ("'info depth x score nan nodes -1 pv\\n' * 50", TIME),
}

_FUNCTIONS = {
    "raises": ("return [][3]", CRASH),
    "leaves": ("import os; os._exit(0)", CRASH),
    "ends its program": ("raise SystemExit(0)", CRASH),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", CRASH),
    "kills itself by a signal without a name": ("import os; os.kill(os.getpid(), 40)", CRASH),
    "presses Ctrl-C": ("raise KeyboardInterrupt", CRASH),
    "goes deeper for ever": ("return choose(p, limit)", CRASH),
    "loops": ("while True: pass", TIME),
    "gives nothing": ("pass", ILLEGAL),
    "gives a pair": ("return (-1, -1)", ILLEGAL),
    "gives all moves": ("return p.moves()", ILLEGAL),
}

TABLE: dict[str, HostileBot] = {
    **{mode: HostileBot("mode", mode, ending) for mode, ending in _MODES.items()},
    **{name: HostileBot("says", text, ending) for name, (text, ending) in _SAYS.items()},
    **{name: HostileBot("function", text, ending) for name, (text, ending) in _FUNCTIONS.items()},
}

#: A program that greets as it should, and then says its text at `go`.
PROGRAM = """import sys
def write(text): sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass")); sys.stdout.flush()
for line in sys.stdin:
    word = line.split()[:1]
    if word == ["ugi"]: write("id name hostile\\nugiok\\n")
    elif word == ["isready"]: write("readyok\\n")
    elif word == ["quit"]: break
    elif word == ["go"]: write({says})
"""
