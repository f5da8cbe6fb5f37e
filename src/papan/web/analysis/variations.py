"""Variations of a game as a tree: shown, written with parentheses, and read again.

A tree is kept as its lines, each from the first move on; lines that begin alike share a branch.
Written, the first line goes on, and what else can be played stands in parentheses behind the move
that it is played instead of: `1. b3 c2 (c3 a4) 2. a4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papan.errors import UsageError

Line = tuple[str, ...]

#: Lines of a tree; the one that was left out of sight for longest is forgotten.
MOST_LINES = 12

_WORDS = re.compile(r"[()]|[^\s(),]+")
#: Numbers of moves and results, which records have among the moves.
_NUMBER = re.compile(r"\d+\.+|\*|1-0|0-1|1/2-1/2")


def bare(word: str) -> str:
    """A move without the number that stands before it; nothing for a number or a result."""
    return word if word.isdigit() else _NUMBER.sub("", word, count=1)


@dataclass(frozen=True)
class Branch:
    """A run of moves without a fork.

    Attributes:
        line: a whole line that goes through it.
        start: the number of moves before it.
        end: the number of moves up to its end.
        after: the branches that follow.
    """

    line: Line
    start: int
    end: int
    after: tuple[Branch, ...]

    @property
    def moves(self) -> list[tuple[int, str]]:
        """Its moves, each with the number of moves made after it."""
        return list(enumerate(self.line[self.start : self.end], start=self.start + 1))


def keep_newest(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines without those that others begin with, in their order, the newest ones."""
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
    """The branches of lines that are alike before `start`, in the order of the lines."""
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
    """A tree as text."""
    return " ".join(_words(branches(lines), numbered=True))


def _words(forks: Sequence[Branch], *, numbered: bool) -> Iterator[str]:
    """The words of branches that begin at one place: the first goes on behind the others."""
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
    """The lines of a tree that is written as text; numbers of moves are passed over.

    Raises:
        UsageError: its parentheses do not fit together.
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
