"""The rooms of the package, and a picture of their imports: `python -m docs.rooms`.

A room is a folder or a module in `src/papan`. The picture has an arrow from each room to the rooms
that it imports, without the arrows that follow from others.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from pathlib import Path

from papan.figures.svg import Markup, drawing, element
from papan.figures.theme import filled_in

SOURCES = Path(__file__).parent.parent / "src" / "papan"
PICTURE = Path(__file__).parent / "architecture.svg"
FILES = sorted(SOURCES.rglob("*.py"))

Imports = Mapping[str, Set[str]]

#: Rooms in one box: messages and errors import each other; `python -m papan` is the command line.
_TOGETHER = {"messages": "errors", "__main__": "cli"}
_TITLES = {"errors": "errors, messages", "papan": "import papan"}

_BOX = (126, 34)
_GAP = (22, 46)
_RULES = filled_in("""
.papan-rooms{font-family:$FONT;font-size:14px}
.papan-rooms .paper{fill:$paper}
.papan-rooms .box{fill:$square;stroke:$line;stroke-width:1.5}
.papan-rooms .module .box{fill:$paper;stroke-dasharray:5 4}
.papan-rooms text{fill:$ink;text-anchor:middle}
.papan-rooms .arrow{fill:none;stroke:$faint;stroke-width:1.4}
.papan-rooms .tip{fill:$faint}
""").strip()


# --- what is imported


def room_of(file: Path) -> str:
    """Returns the room of a file; `papan` for the `__init__.py` of the package."""
    first = file.relative_to(SOURCES).parts[0].removesuffix(".py")
    return "papan" if first == "__init__" else first


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Yields the modules that a file imports, also inside functions, with their lines."""
    package = ["papan", *file.relative_to(SOURCES).parent.parts]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def imported_rooms(file: Path) -> Iterator[tuple[int, str]]:
    """Yields the rooms that a file imports, with their lines."""
    for line, module in imported(file):
        first, *rest = module.split(".")
        if first == "papan":
            known = rest and ((SOURCES / rest[0]).is_dir() or (SOURCES / f"{rest[0]}.py").exists())
            yield line, rest[0] if known else "papan"


def rooms_and_imports() -> Imports:
    """Returns the imports for the picture: room → imported rooms."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        room = _TOGETHER.get(room_of(file), room_of(file))
        others = {_TOGETHER.get(other, other) for _, other in imported_rooms(file)}
        found.setdefault(room, set()).update(others - {room})
    return found


def reached(imports: Imports, room: str) -> set[str]:
    """Returns all rooms that a room imports, directly or indirectly."""
    found = set(imports[room])
    for other in imports[room]:
        found |= reached(imports, other)
    return found


def reduced(imports: Imports) -> Imports:
    """Returns the imports without those that follow from others."""
    return {
        room: {
            other
            for other in others
            if not any(other in reached(imports, each) for each in others if each != other)
        }
        for room, others in imports.items()
    }


# --- positions of the boxes


def levels(imports: Imports) -> dict[str, int]:
    """Returns the row of each room: one above all rooms that it imports; the bottom row is 0."""
    found: dict[str, int] = {}

    def level(room: str) -> int:
        if room not in found:
            found[room] = 1 + max(map(level, sorted(imports[room])), default=-1)
        return found[room]

    for room in sorted(imports):
        level(room)
    return found


def _chains(imports: Imports, row: Mapping[str, int]) -> list[list[str]]:
    """Returns the places on each arrow: its room, one place in each row between, and its target.

    Places between rooms have names such as `room>other@row`.
    """
    return [
        [room, *(f"{room}>{to}@{n}" for n in range(row[room] - 1, row[to], -1)), to]
        for room in sorted(imports)
        for to in sorted(imports[room])
    ]


def arranged(imports: Imports) -> tuple[dict[str, tuple[float, int]], list[list[str]]]:
    """Returns the column and row of each place, and the places on each arrow.

    Each row is sorted repeatedly by the mean column of the neighbours of its places (barycentre
    method).
    """
    row = levels(imports)
    chains = _chains(imports, row)
    row = {**row, **{place: int(place.split("@")[1]) for c in chains for place in c[1:-1]}}
    tied = defaultdict(list)
    for chain in chains:
        for upper, lower in pairwise(chain):
            tied[upper].append(lower)
            tied[lower].append(upper)
    rows = [sorted(p for p in row if row[p] == n) for n in range(max(row.values()) + 1)]
    column = {place: float(i) for places in rows for i, place in enumerate(places)}
    for sweep in range(24):
        upwards = sweep % 2 == 0
        for number, places in list(enumerate(rows))[:: 1 if upwards else -1]:
            below = number - 1 if upwards else number + 1
            wish = {
                place: _mean([column[t] for t in tied[place] if row[t] == below], column[place])
                for place in places
            }
            places.sort(key=lambda place: (wish[place], place))
            middle = (len(places) - 1) / 2
            column |= {place: i - middle for i, place in enumerate(places)}
    return {place: (column[place], row[place]) for place in row}, chains


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


# --- the picture


def picture() -> str:
    """Returns the rooms and their imports as SVG."""
    imports = reduced(rooms_and_imports())
    places, chains = arranged(imports)
    left = min(column for column, _ in places.values())
    top = max(row for _, row in places.values())
    wide, high = _BOX[0] + _GAP[0], _BOX[1] + _GAP[1]
    at = {
        place: (20 + wide * (column - left), 20 + high * (top - row))
        for place, (column, row) in places.items()
    }
    width = 20 + max(x for x, _ in at.values()) + _BOX[0]
    height = 20 + max(y for _, y in at.values()) + _BOX[1]
    boxes = [_box(room, *at[room]) for room in sorted(imports)]
    arrows = [_arrow([at[place] for place in chain], chain) for chain in chains]
    paper = element("rect", class_="paper", width=width, height=height)
    title = "The rooms of Papan and their imports"
    return drawing(
        "papan-rooms", (width, height), paper, *arrows, *boxes, title=title, rules=_RULES
    )


def _box(room: str, x: float, y: float) -> Markup:
    frame = element("rect", class_="box", x=x, y=y, width=_BOX[0], height=_BOX[1], rx=8)
    text = _TITLES.get(room, room)
    label = element("text", text, x=x + _BOX[0] / 2, y=y + _BOX[1] / 2 + 5)
    return element("g", frame, label, class_="room" if (SOURCES / room).is_dir() else "module")


def _arrow(corners: list[tuple[float, float]], chain: list[str]) -> Markup:
    """Returns an arrow from the lower edge of a box to the upper edge of another.

    In the rows between, the arrow is vertical, next to the boxes.
    """
    half, (tip_x, tip_y) = _BOX[0] / 2, corners[-1]
    x, y = corners[0]
    path = f"M{x + half:g} {y + _BOX[1]:g}"
    for x, y in corners[1:-1]:
        path += f"L{x + half:g} {y:g}V{y + _BOX[1]:g}"
    path += f"L{tip_x + half:g} {tip_y - 7:g}"
    tip = f"M{tip_x + half:g} {tip_y:g}l-4 -8h8z"
    return element(
        "g",
        element("path", class_="arrow", d=path),
        element("path", class_="tip", d=tip),
        data_from=chain[0],
        data_to=chain[-1],
    )


if __name__ == "__main__":
    PICTURE.write_text(f"{picture()}\n", encoding="utf-8")
