"""Creates the page of the gallery from the files of the games: `python -m docs.gallery [NAME…]`.

For each game, the script draws a position of a random game (`docs/gallery/NAME.svg`), stores counts
in `docs/made/gallery.json`, and writes the Markdown that docs/gallery.md includes.
`python -m docs.gallery --sheet` draws all boards in one picture for each theme.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import papan
from papan.core.game import Position
from papan.figures.board import Layout, Style, board_svg
from papan.figures.svg import Markup, drawing, element
from papan.figures.theme import THEMES, all_look_rules, board_rules
from papan.usercode.gallery import gallery

DOCS = Path(__file__).parent
FACTS = DOCS / "made" / "gallery.json"
PIECE = DOCS / "made" / "gallery.md"
FOLDER = DOCS / "gallery"

#: Number of random games for the mean length.
GAMES = 20
#: The drawn position comes after this share of a random game.
PART = 0.3
#: Width and height of a board on the sheet, and number of boards per row.
ROOM, COLUMNS = 260, 6


def sample(name: str) -> Position:
    """Returns a position of a random game, always the same for the same rules."""
    game = papan.game(name)
    walked = list(game.start().random_walk(Random(7)))
    return walked[int(PART * len(walked))][1]


def facts(name: str) -> dict[str, Any]:
    """Returns the data of a game for the page."""
    game = papan.game(name)
    lengths = [sum(1 for _ in game.start().random_walk(Random(seed))) for seed in range(GAMES)]
    return {
        "title": game.title,
        "about": " ".join(inspect.cleandoc(type(game).__doc__ or "").split()),
        "lines": lines_of(name),
        "options": {key: str(value) for key, value in vars(game).items()},
        "moves": len(game.start().moves()),
        "plies": round(mean(lengths)),
    }


def lines_of(name: str) -> int:
    """Returns the number of lines in a game's file that are not blank."""
    lines = gallery()[name].read_text(encoding="utf-8").splitlines()
    return sum(bool(line.strip()) for line in lines)


def piece(kept: dict[str, dict[str, Any]]) -> str:
    """Returns the part of the page with all games."""
    return "\n".join(_section(name, found) for name, found in kept.items())


def _section(name: str, found: dict[str, Any]) -> str:
    options = ", ".join(f"`{key}={value}`" for key, value in found["options"].items())
    return (
        f"## {found['title']}\n\n"
        f"![A position of {found['title']}](gallery/{name}.svg){{ width=280 }}\n\n"
        f"{found['about']}\n\n"
        f'<a href="play/{name}.html">Play it here</a> or with `papan play {name}`'
        f" · {found['lines']} lines"
        f" · {found['moves']} moves at the start, about {found['plies']} plies in a random game"
        f"{f' · options {options}' if options else ''}\n"
    )


def sheet(names: Sequence[str], theme: str) -> str:
    """Returns all boards in one picture."""
    style = Style(standalone=False)
    rows = -(-len(names) // COLUMNS)
    parts: list[Markup] = []
    for number, name in enumerate(names):
        position = sample(name)
        layout = Layout(position.game.board)
        scale = (ROOM - 30) / max(layout.width, layout.height)
        row, column = divmod(number, COLUMNS)
        board = board_svg(position, style=style, size=layout.width * scale)
        place = f"translate({ROOM * column + 15} {ROOM * row + 15})"
        parts.append(element("g", Markup(board), transform=place))
    rules = board_rules() + all_look_rules(theme)
    size = (ROOM * COLUMNS, ROOM * rows)
    return str(drawing("papan-sheet", size, *parts, title="Gallery", rules=rules, theme=theme))


def main(arguments: Sequence[str]) -> None:
    """Creates pictures and Markdown for some games, by default all."""
    if "--sheet" in arguments:
        for theme in THEMES:
            picture = sheet(list(gallery()), theme)
            (FOLDER / f"all-{theme}.svg").write_text(f"{picture}\n", encoding="utf-8")
        return
    kept = json.loads(FACTS.read_text(encoding="utf-8")) if FACTS.exists() else {}
    FOLDER.mkdir(exist_ok=True)
    for name in arguments or gallery():
        print(name, file=sys.stderr)
        kept[name] = facts(name)
        picture = board_svg(sample(name), style=Style(coordinates=True))
        (FOLDER / f"{name}.svg").write_text(f"{picture}\n", encoding="utf-8")
    kept = {name: kept[name] for name in gallery() if name in kept}
    FACTS.write_text(f"{json.dumps(kept, indent=1, ensure_ascii=False)}\n", encoding="utf-8")
    PIECE.write_text(piece(kept), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
