"""Draws the pictures of the documentation and the README: `python -m docs.pictures [NAME…]`.

Boards are drawn from games, charts from the results of `python -m docs.measures`. Another script,
`examples/trees/draw.py`, draws the trees.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import papan
from docs.charts import bar_chart, growth_chart, score_chart
from docs.measures import measured
from papan.core.game import Position
from papan.figures.board import Marks, board_svg
from papan.figures.chart import RatingRow, ratings_chart
from papan.figures.film import game_film
from papan.figures.highlights import last_squares, targets

DOCS = Path(__file__).parent

#: Game → played moves.
BOARDS = {
    "adjacency": "f8 f7 c3 d5 d3 d4 e4 e5 c2 g6 f4 g4 f5",
    "platforms:size=4,level=2": "b4 c2 a4 b3 b4 c4 a3",
    "corners": "g3e3 b8d8 e3e4 c7d7 f2d4 d8d6 g1e5 d7f5 h2f6",
}

#: Game → spec of the board on the page of the game.
_GAMES = {spec.partition(":")[0]: spec for spec in BOARDS}


def reached(spec: str) -> list[Position]:
    """Returns the positions of a game of `BOARDS`, up to the position in the picture."""
    start = papan.game(spec).start()
    return list(
        accumulate(BOARDS[spec].split(), lambda position, move: position.play(move), initial=start)
    )


# --- boards


def start(name: str) -> str:
    """Returns the start position of a game."""
    return board_svg(papan.game(_GAMES[name]).start(), size=360)


def middle(name: str) -> str:
    """Returns a position of a game, with marks for the last move and the possible moves."""
    spec = _GAMES[name]
    *_, before, position = reached(spec)
    last = BOARDS[spec].split()[-1]
    marks = Marks(last=last_squares(before, last), targets=targets(position))
    return board_svg(position, marks=marks, size=360)


def film(spec: str) -> str:
    """Returns an animation of a game of `BOARDS`."""
    return game_film(reached(spec), BOARDS[spec].split(), title="Adjacency")


# --- charts


def growth(game: str) -> str:
    """Returns a chart of nodes by depth, one line per algorithm."""
    (_, _, *names), rows = _measured_table("algorithms", 0)
    lines: dict[str, dict[int, float]] = {name: {} for name in names}
    for start, depth, *nodes in rows:
        for name, number in zip(names, nodes, strict=True):
            if start == game and not isinstance(number, str):
                lines[name][depth] = number
    return growth_chart(f"Nodes to each depth from the start of {game}", "depth", lines)


def ablation() -> str:
    """Returns a chart of the nodes of the engine with one technique changed."""
    _, rows = _measured_table("ablation", 0)
    bars = {variant.removeprefix("engine:"): mean for variant, *_, mean in rows}
    return bar_chart("Nodes of the engine with one technique changed (unchanged: 1)", bars)


def replacements() -> str:
    """Returns a chart of the nodes by replacement scheme."""
    names, (means,) = _measured_table("tables", 1)
    rows = dict(sorted(zip(names, means, strict=True), key=lambda pair: pair[1]))
    return bar_chart("Nodes by replacement scheme of a full table (best of each setting: 1)", rows)


def _measured_table(name: str, index: int) -> tuple[list[str], list[list[Any]]]:
    """Returns the columns and rows of a table of a benchmark."""
    table = measured(name)[0].report["benchmarks"][name]["tables"][index]
    return table["columns"], table["rows"]


def ratings(name: str, title: str) -> str:
    """Returns a chart of the ratings of a tournament."""
    rows = measured(name)[0].report["standings"]
    found = [RatingRow(row["player"], row["elo"], row["error"]) for row in rows]
    return ratings_chart(title, "Elo, with 95 % intervals", found)


def learning() -> str:
    """Returns a chart of the scores during each training."""
    curves = [each.report["tables"][1]["rows"] for each in measured("learning")]
    lines = {rows[0][0]: {row[1]: row[3] for row in rows} for rows in curves}
    return score_chart("Score, %, against the game's own evaluation", "seconds of training", lines)


#: File → function that draws the picture.
PICTURES: dict[str, Callable[[], str]] = {
    **{f"games/{name}-start": partial(start, name) for name in _GAMES},
    **{f"games/{name}": partial(middle, name) for name in _GAMES},
    "games/adjacency-film": lambda: film("adjacency"),
    "learning-curves": learning,
    "algorithms/nodes-adjacency": lambda: growth("adjacency"),
    "algorithms/nodes-platforms": lambda: growth("platforms:size=4,level=2"),
    "algorithms/nodes-corners": lambda: growth("corners"),
    "algorithms/ablation": ablation,
    "algorithms/replacements": replacements,
    "algorithms/local-search": lambda: ratings("local-search", "Adjacency, 8 rounds"),
    "algorithms/simulations": lambda: ratings("simulations", "Adjacency, 8 rounds"),
    "algorithms/blocker": lambda: ratings("blocker", "Corners"),
}


def main(names: Sequence[str]) -> None:
    """Writes some pictures, by default all."""
    for name in names or PICTURES:
        (DOCS / f"{name}.svg").write_text(f"{PICTURES[name]().strip()}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
