"""A measurement as a table for people: plain text in cells, messages as headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: What stands behind the best number of a row.
BEST = " *"


@dataclass(frozen=True)
class Sheet:
    """A table and what it comes to.

    Attributes:
        columns: headings: names of messages, or words that stand for themselves.
        rows: the cells, as many in each row as there are columns.
        notes: lines below the table: a message and the values that fill it in.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: Sequence[tuple[str, Mapping[str, Any]]] = field(default_factory=list)


def count(number: int) -> str:
    """A whole number with its thousands apart: `1,254,979`."""
    return f"{number:,}"


def seconds(time: float) -> str:
    """A time to a tenth of a millisecond."""
    return f"{time:.4f}"


def marked(texts: Iterable[str], numbers: Iterable[float]) -> tuple[str, ...]:
    """The texts, those of the least number marked as the best."""
    numbers = list(numbers)
    least = min(numbers)
    pairs = zip(texts, numbers, strict=True)
    return tuple(text + (BEST if number == least else "") for text, number in pairs)
