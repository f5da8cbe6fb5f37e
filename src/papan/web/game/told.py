"""Answers of a game's page: what a move would turn, and why nothing can be done on a square."""

from __future__ import annotations

from functools import lru_cache

from papan.core.board.pieces import Content
from papan.core.game import Position
from papan.core.moves import Partial
from papan.figures.highlights import flips
from papan.messages import Messages

#: Positions whose previews are remembered.
_KEPT = 512
#: With more legal moves than this nothing is foretold: it would take longer than to move.
_MOST_FORETOLD = 300


@lru_cache(_KEPT)
def previews(position: Position) -> dict[str, list[str]]:
    """The squares that each legal move would turn: move → squares."""
    moves = position.moves()
    return {move: flips(position, move) for move in moves if len(moves) <= _MOST_FORETOLD}


def refusal(begun: Partial, text: str, say: Messages) -> str:
    """Why nothing can be done on a place, in one sentence.

    Args:
        begun: the move that is being made.
        text: the name of the place, or a written move that ends there.
        say: the texts.
    """
    position, board = begun.position, begun.position.game.board
    named = board.places_in(text)
    if not named:
        return say("web.illegal.unknown")
    place = board.at_number(named[-1])
    content = position.game.contents(position.state)[place.number]
    return say(f"web.illegal.{_reason(begun, place.shape, content, len(named))}", text=place.name)


def _reason(begun: Partial, shape: str, content: Content, named: int) -> str:
    """The last word of the message that says why a place cannot be touched now."""
    lifted = bool(begun.steps) or any(begun.after(step).settled is None for step in begun.following)
    if content.owner:
        mine = content.owner == begun.position.side
        return ("stuck" if lifted else "own") if mine else "occupied"
    if content.piece:
        return "taken"
    if shape == "stack" and content.number == 0:
        return "used-up"
    if lifted and not begun.steps and named == 1:
        return "choose"
    return "unreachable"
