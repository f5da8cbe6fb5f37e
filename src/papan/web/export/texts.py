"""The drawings and texts of a game for a page that knows its positions only from its module."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from papan.browser.image import state_words
from papan.browser.notation import random_states
from papan.core.board.pieces import NOTHING, content_of
from papan.core.game import Game
from papan.core.notation import SIDES
from papan.figures.board import Arrangement, Style
from papan.figures.places import PlaceLook
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.report import name_side
from papan.rules import operations as rules
from papan.rules.dispatch import is_replaced
from papan.solve.puzzles import Puzzle
from papan.web.board.snapshot import LookTable
from papan.web.board.words import choices_of, player_name, side_names

#: Number of random moves that show which numbers occur on places.
_SAMPLED_PLIES = 400

#: Messages that the page needs, with their placeholders.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "web.status.history": ("ply", "plies"),
    "web.status.turn": ("name",),
    "web.status.yours": (),
    "web.status.thinking": ("name",),
    "web.status.hint": ("move",),
    "web.verdict.draw": (),
    "web.verdict.won": ("name",),
    "web.ended.rules": (),
    "web.ended.resignation": ("name",),
    "web.announce.move": ("name", "move"),
    "web.history.none": (),
    "web.analysis.no-move": ("text",),
    "web.analysis.bar": ("value",),
    "web.analysis.bar-empty": (),
    "web.analysis.proven": (),
    "web.value.wins": ("side", "plies"),
    "web.value.margin": ("side", "points"),
    "web.value.draw": (),
    "web.value.better": ("side", "chance"),
    "web.value.level": (),
    "web.puzzles.title": ("number", "count"),
    "web.puzzles.wrong": ("move",),
    "web.puzzles.solved": ("side",),
    "web.puzzles.draw": ("side",),
    "web.puzzles.win": ("side",),
    "web.puzzles.win-in": ("side", "plies"),
    "web.export.depth": ("depth", "nodes"),
    "web.export.no-wasm": (),
    "web.export.failed": ("text",),
    "web.export.unsolved": (),
    "web.export.solving": (),
    "web.refused.stale": (),
}


def texts_of(game: Game, say: Messages) -> dict[str, Any]:
    """Returns the texts of a page in one language, with placeholders such as `{name}`."""
    texts = {
        name: say(name, **{field: f"{{{field}}}" for field in fields})
        for name, fields in _TEXTS.items()
    }
    offered = [choice.value.partition(":time")[0] for choice in choices_of(game, say)]
    return {
        "say": texts,
        "sides": {side: name_side(game, side, say) for side in SIDES},
        "players": {value: player_name(value, say) for value in offered},
        "me": say("web.setup.me"),
        "looks": [words for _, _, words, _, _ in look_table(game, Style(), say)["looks"]],
    }


def look_table(game: Game, style: Style, say: Messages) -> dict[str, Any]:
    """Returns the drawing of each content on each kind of place.

    The result has the looks and marks of `papan.web.board.snapshot`, and:

        bases  for each place, its kind
        table  kind → content (`3`: kind of piece; `3 12`: with a number) → number of the look
    """
    places = [look for _, look in Arrangement.of(game.start()).places()]
    bases: dict[PlaceLook, int] = {}
    numbers = [bases.setdefault(look._replace(content=NOTHING), len(bases)) for look in places]
    looks = LookTable(style, side_names(game, say), say)
    table = [
        {name: looks.number(look._replace(content=content)) for name, content in _contents(game)}
        for look in bases
    ]
    return {"bases": numbers, "table": table, **looks.as_json()}


def _contents(game: Game) -> Iterator[tuple[str, Any]]:
    """Yields all contents of places: name → content.

    Drawings with the same number follow each other: compression finds near repetitions only.
    """
    for number in _numbers(game):
        for kind in range(len(game.pieces) + 1):
            name = str(kind) if number < 0 else f"{kind} {number}"
            yield name, content_of(game.pieces, kind, number)


@functools.lru_cache(maxsize=64)
def _numbers(game: Game) -> Sequence[int]:
    """Returns the numbers that may stand on a place; −1 for none."""
    seen, total = {-1}, 0
    if not is_replaced(rules.count_at, game.start_state()):
        return (-1,)
    for state, _ in random_states(game, _SAMPLED_PLIES):
        counts = [int(rules.count_at(state, place)) for place in game.board.squares]
        seen.update(counts)
        total = max(total, sum(max(count, 0) for count in counts))
    # Numbers such as seeds move from place to place, so one place may get all of them.
    most = max(seen) if max(seen) < 6 else total
    return range(-1, most + 1) if most >= 0 else (-1,)


def puzzles_of(puzzles: Sequence[Puzzle]) -> list[dict[str, Any]]:
    """Returns puzzles for a page: the state, the earlier positions, the move and the result."""
    return [
        {
            "state": state_words(puzzle.position.state),
            "past": list(map(str, puzzle.position.past)),
            "move": puzzle.move,
            "outcome": puzzle.outcome,
            "plies": puzzle.plies,
        }
        for puzzle in puzzles
    ]


def as_json(value: Any) -> Markup:
    """Returns JSON that may stand in a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
