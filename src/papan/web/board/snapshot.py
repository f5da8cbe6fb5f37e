"""JSON for the script: the boards of all plies of a game, and the legal moves of the last position.

Each legal move has its changes of the board. So the script shows the own move in the frame after
the click, and earlier plies without a request. Each look of a place is listed once, and everything
else refers to it by number. A game of 60 plies takes about 10 kB, 3 kB compressed. Pages without
script do not use it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from papan.core.board.geometry import Geometry
from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.core.notation import SIDES
from papan.errors import InvalidGame
from papan.figures.board import Arrangement, Layout, Style, drawn_place
from papan.figures.highlights import last_squares
from papan.figures.places import PlaceLook, dot, frame
from papan.jit.interpreter import without_compiling
from papan.messages import Messages
from papan.search import board_changes
from papan.web.board.view import BoardView
from papan.web.board.words import content_in_words, label_of, side_names

#: Maximum number of compared places, over all moves, in plain Python (about 20 ms). Beyond it, and
#: until there is machine code, changes are not predicted: the page waits for the server.
_MOST_COMPARED = 4000
#: With more moves than this, changes are not predicted: the page would grow too large.
_MOST_PREDICTED = 400

#: Changed places, by their numbers in the order of the geometry's `places`.
Changes = tuple[tuple[int, PlaceLook], ...]


class MovePreview(NamedTuple):
    """A legal move.

    Attributes:
        text: the written move.
        steps: the names of its steps.
        targets: names of places that select the move with one click.
        changes: its changes of the board; None if they cannot be predicted.
    """

    text: str
    steps: tuple[str, ...]
    targets: tuple[str, ...]
    changes: Changes | None


@functools.lru_cache(maxsize=64)
def _places(game: Game) -> tuple[tuple[int, PlaceLook], ...]:
    """Returns the places of a board with their numbers and looks."""
    places = Arrangement.of(game.start()).places()
    return tuple((place.number, look) for place, look in places)


@functools.lru_cache(maxsize=512)
def _looks(position: Position) -> tuple[PlaceLook, ...]:
    game = position.game
    contents = game.contents(position.state)
    return tuple(look._replace(content=contents[number]) for number, look in _places(game))


@functools.lru_cache(maxsize=4096)
def _find_changes(before: Position, after: Position) -> Changes:
    """Returns the places that look different after a move."""
    pairs = enumerate(zip(_looks(before), _looks(after), strict=True))
    return tuple((number, new) for number, (old, new) in pairs if old != new)


@functools.lru_cache(maxsize=512)
def preview_moves(position: Position) -> tuple[MovePreview, ...]:
    """Returns the legal moves of a position with their steps and changes."""
    game, begun = position.game, Partial.begin(position)
    changes = _predict_changes(position, len(begun.codes))
    previews = []
    for code in begun.codes:
        names = tuple(map(begun.name, game.steps(code))), tuple(map(begun.name, game.touches(code)))
        changed = None if changes is None else changes.get(code, ())
        previews.append(MovePreview(game.write_move(code), *names, changed))
    return tuple(previews)


def _predict_changes(position: Position, moves: int) -> dict[int, Changes] | None:
    """Returns the changes of each legal move: number of the move → changes; None if they would take
    too long or a rule fails."""
    looks = _looks(position)
    if moves > _MOST_PREDICTED:
        return None
    if moves * len(looks) > _MOST_COMPARED and not board_changes.is_compiled(position):
        return None
    try:
        with without_compiling():  # the engine pool compiles
            changes = board_changes.changes_of(position)
    except InvalidGame:
        return None  # the rule fails again, and is reported, when the move is made
    return {
        code: tuple((index, looks[index]._replace(content=content)) for index, content in changed)
        for code, changed in changes.items()
    }


@functools.lru_cache(maxsize=4096)
def _draw_place(look: PlaceLook, style: Style) -> tuple[str, str, str, str]:
    """Returns the class names, drawing, dot and frame of a place."""
    return (*drawn_place(look, style), dot(look), frame(look.shape))


class LookTable:
    """The looks of a page, each with a number."""

    def __init__(self, style: Style, names: Mapping[str, str], say: Messages) -> None:
        self.style, self.names, self.say = style, names, say
        self._numbers: dict[PlaceLook, int] = {}
        self._marks: dict[str, int] = {}

    def flat(self, changes: Changes) -> list[int]:
        """Returns changes as a flat list of numbers: place, look, place, look,"""
        return [number for place, look in changes for number in (place, self.number(look))]

    def number(self, look: PlaceLook) -> int:
        """The number of a look."""
        return self._numbers.setdefault(look, len(self._numbers))

    def _mark(self, drawn: str) -> int:
        """The number of a mark."""
        return self._marks.setdefault(drawn, len(self._marks))

    def as_json(self) -> dict[str, Any]:
        """Returns all looks: class names, drawing, words, and the numbers of dot and frame."""
        looks = []
        for look in self._numbers:
            *drawn, dotted, framed = _draw_place(look, self.style)
            words = content_in_words(look.content, look.shape, self.names, self.say)
            looks.append([*drawn, ", ".join(words), self._mark(dotted), self._mark(framed)])
        return {"looks": looks, "marks": list(self._marks)}


def snapshot(
    positions: Sequence[Position],
    moves: Sequence[str],
    view: BoardView,
    previews: Sequence[MovePreview] = (),
    **more: Any,
) -> str:
    """A game at its last ply as JSON that may stand in a page.

    Args:
        positions: of the game, or the last ones of it.
        moves: those between the positions.
        view: the board as the page shows it.
        previews: the moves that the reader can make; at the last ply, unless `at` is another one.
        more: further facts for the script.
    """
    say, style = view.say, view.style
    looks = LookTable(style, view.names or side_names(view.game, say), say)
    board = positions[0].game.board
    facts = {
        "places": [place.name for place in board.places],
        "start": [looks.number(look) for look in _looks(positions[0])],
        "plies": [_ply(positions, moves, number, looks) for number in range(len(positions))],
        "says": side_names(view.game, say)
        | {name: say(f"web.square.{name}") for name in (_SAID if previews else ("last", "won"))}
        | ({"play": say("web.square.play", text="{text}")} if previews else {}),
        "words": {word: label_of(word, positions[0].game, say) for word in positions[0].game.words},
        "area": _area(board, style.coordinates),
        "falls": _falls(positions[0]),
        "won": positions[-1].winning_line(),
        "steps": view.begun.names if view.begun else (),
        "hint": view.marks.hint,
        "worth": {
            move: (value.text, value.words, value.names, value.score)
            for move, value in view.values.items()
        },
        **more,
    }
    facts["moves"] = [
        [move.text, move.steps, move.targets, move.changes and looks.flat(move.changes)]
        for move in previews
    ]
    text = json.dumps(facts | looks.as_json(), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def snapshot_at(
    positions: Sequence[Position], moves: Sequence[str], ply: int, view: BoardView
) -> str:
    """Returns a game with all of its plies, and with the legal moves of one ply."""
    previews = preview_moves(positions[ply]) if view.begun else ()
    nothing = view.say("web.analysis.no-move", text="{text}")
    return snapshot(
        positions, moves, view, previews, at=ply, mine=view.begun is not None, nothing=nothing
    )


#: Words of the labels of squares that the script adds.
_SAID = ("last", "selected", "target", "source", "hint", "won")


@functools.lru_cache(maxsize=64)
def _falls(start: Position) -> bool:
    """True for games whose pieces drop into a column: any of its squares selects the move."""
    return any(map(start.game.touches, Partial.begin(start).codes))


@functools.lru_cache(maxsize=64)
def _area(board: Geometry, coordinates: bool) -> tuple[float, float, float, float]:
    """The edges of the board in the picture: left, top, right, bottom."""
    layout = Layout(board, coordinates)
    return (*layout.point(0, 0), *layout.point(*layout.board.area))


def _ply(
    positions: Sequence[Position], moves: Sequence[str], number: int, looks: LookTable
) -> list[Any]:
    """Returns a ply: the side to move, the changes of the last move, its places, the places whose
    pieces it turned, and the numbers next to the board."""
    position = positions[number]
    facts: dict[str, list[int]] = {"x": [], "o": [], "": []}
    for name, fact in position.facts().items():
        side = name.removeprefix("fact.").partition("-")[0]
        facts[side if side in SIDES else ""].append(fact)
    changes: list[int] = []
    last: list[str] = []
    turned: list[str] = []
    if number:
        before = positions[number - 1]
        changes = looks.flat(_find_changes(before, position))
        last, turned = _find_marks(before, position, moves[number - 1])
    return [position.side, changes, last, turned, list(facts.values())]


@functools.lru_cache(maxsize=4096)
def _find_marks(before: Position, after: Position, move: str) -> tuple[list[str], list[str]]:
    """Returns the places of a move, and the other places whose pieces it turns."""
    places, last = before.game.board.places, last_squares(before, move)
    pairs = zip(places, _looks(before), _looks(after), strict=True)
    turned = [
        place.name
        for place, old, new in pairs
        if old.content.owner and new.content.owner and old.content.owner != new.content.owner
    ]
    return last, [name for name in turned if name not in last]
