"""Boards and games in words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from papan.core.board.pieces import Content, Piece
from papan.core.game import Game
from papan.core.notation import SIDES
from papan.figures.board import Arrangement
from papan.messages import Messages
from papan.report import name_side


def side_names(game: Game, say: Messages) -> dict[str, str]:
    """Returns the names of the sides without named players."""
    return {side: name_side(game, side, say) for side in SIDES}


def content_in_words(
    content: Content, shape: str, names: Mapping[str, str], say: Messages
) -> list[str]:
    """Returns words for the content of a place: `king of Ani`, `number 4`."""
    piece, words = content.piece, []
    if piece:
        kind = kind_in_words(piece, say)
        owner = names.get(content.owner, "")
        key = "web.square.kind" if kind and owner else "web.square.piece"
        words = [say(key, kind=kind, name=owner) if owner else kind or say("web.square.neutral")]
    elif content.number is None or shape == "stack":
        words = [say("web.square.empty")]
    if content.number is not None:
        key = "web.square.steps" if shape == "stack" else "web.square.number"
        words.append(say(key, steps=content.number, number=content.number))
    return words


def kind_in_words(piece: Piece, say: Messages) -> str:
    """Returns the name of a kind of piece, translated for common pieces."""
    message = f"web.piece.{piece.name}"
    known = say(message)
    return piece.name if known == message else known


def in_words(board: Arrangement, sides: Mapping[str, str]) -> str:
    """Returns the squares of each side's pieces in words, for screen readers; `sides` has the names
    of the sides."""
    parts = []
    for side in SIDES:
        places = [place.name for place, look in board.places() if look.content.owner == side]
        names = ", ".join(places)
        parts.append(f"{sides[side]}: {names or '–'}.")
    return " ".join(parts)


def rules_text(module: str, language: str, otherwise: str) -> str:
    """Returns the rules of a game, in the given language if the game has a translation."""
    if not module.startswith("papan.games."):
        return otherwise
    return (resources.files(module) / f"rules.{language}.md").read_text(encoding="utf-8")
