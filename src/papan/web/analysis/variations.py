"""Variations of a game as a tree: display, writing with parentheses, and reading.

A tree is stored as lines from the first move on; lines with the same start share a branch. In
text, the first line continues, and alternatives follow the move that they replace in
parentheses: `1. b3 c2 (c3 a4) 2. a4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papan.errors import UsageError

Line = tuple[str, ...]

#: Maximum number of lines of a tree; the oldest is dropped.
MOST_LINES = 12

_WORDS = re.compile(r"[()]|[^\s(),]+")
#: Move numbers and results in the text of a record.
_NUMBER = re.compile(r"\d+\.+|\*|1-0|0-1|1/2-1/2")


def bare(word: str) -> str:
    """Returns a move without its move number; empty for a number or a result."""
    return word if word.isdigit() else _NUMBER.sub("", word, count=1)


@dataclass(frozen=True)
class Branch:
    """A sequence of moves without a fork.

    Attributes:
        line: a complete line through the branch.
        start: the number of moves before the branch.
        end: the number of moves up to the end of the branch.
        after: the next branches.
    """

    line: Line
    start: int
    end: int
    after: tuple[Branch, ...]

    @property
    def moves(self) -> list[tuple[int, str]]:
        """The moves of the branch, each with the number of moves up to and including it."""
        return list(enumerate(self.line[self.start : self.end], start=self.start + 1))


def keep_newest(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Returns the newest lines in their order, without lines that are the start of others."""
    whole = [
        line
        for number, line in enumerate(lines)
        if line
        and not any(
            other[: len(line)] == line and (len(other) > len(line) or number < place)
            for place, other in enumerate(lines)
            if place != number
        )
    ]
    return tuple(whole[-MOST_LINES:])


def branches(lines: Sequence[Line], start: int = 0) -> tuple[Branch, ...]:
    """Returns the branches of lines that are equal before `start`, in the order of the lines."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        if len(line) > start:
            found.setdefault(line[start], []).append(line)
    return tuple(_branch(group, start) for group in found.values())


def _branch(lines: list[Line], start: int) -> Branch:
    end = start + 1
    while all(len(line) > end and line[end] == lines[0][end] for line in lines):
        end += 1
    return Branch(lines[0], start, end, branches(lines, end))


def to_text(lines: Sequence[Line]) -> str:
    """Returns a tree as text."""
    return " ".join(_words(branches(lines), numbered=True))


def _words(forks: Sequence[Branch], *, numbered: bool) -> Iterator[str]:
    """Returns the words of branches from one place; the first one continues after the others."""
    if not forks:
        return
    first, *others = forks
    for number, move in first.moves:
        yield f"{(number + 1) // 2}. {move}" if number % 2 and numbered else move
        if number == first.start + 1:
            for other in others:
                yield f"({' '.join(_words([other], numbered=False))})"
    yield from _words(first.after, numbered=numbered)


def read(text: str) -> tuple[Line, ...]:
    """Returns the lines of a tree in text; move numbers are ignored.

    Raises:
        UsageError: The parentheses do not match.
    """
    stack: list[Line] = []
    line: Line = ()
    lines: list[Line] = []
    for word in _WORDS.findall(text):
        if word == "(":
            stack.append(line)
            line = line[:-1]
        elif word == ")":
            if not stack:
                raise UsageError("web.paste.parentheses")
            lines.append(line)
            line = stack.pop()
        elif move := bare(word):
            line = (*line, move)
    if stack:
        raise UsageError("web.paste.parentheses")
    return keep_newest([line, *lines])
