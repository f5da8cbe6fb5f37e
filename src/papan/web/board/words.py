"""Boards and games in words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from papan.core.board.pieces import Content, Piece
from papan.core.notation import SIDES
from papan.figures.board import Arrangement
from papan.messages import Messages


def side_names(say: Messages) -> dict[str, str]:
    """The names of the sides where nobody in particular plays them."""
    return {side: say(f"web.side-name.{side}") for side in SIDES}


def content_in_words(
    content: Content, shape: str, names: Mapping[str, str], say: Messages
) -> list[str]:
    """Words for what is on a place of some shape: `king of Ani`, `number 4`."""
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
    """The name of a kind of piece: in the reader's language if it is a common one."""
    message = f"web.piece.{piece.name}"
    known = say(message)
    return piece.name if known == message else known


def in_words(board: Arrangement, say: Messages) -> str:
    """Where each side's pieces stand, for those who cannot see the board."""
    parts = []
    for side in SIDES:
        places = [place.name for place, look in board.places() if look.content.owner == side]
        names = ", ".join(places)
        parts.append(f"{say(f'web.side-name.{side}')}: {names or '–'}.")
    return " ".join(parts)


def rules_text(module: str, language: str, otherwise: str) -> str:
    """The rules of a game of Papan's in a language; of others, what they say themselves."""
    if not module.startswith("papan.games."):
        return otherwise
    return (resources.files(module) / f"rules.{language}.md").read_text(encoding="utf-8")
