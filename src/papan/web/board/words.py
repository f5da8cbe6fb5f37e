"""Boards and games in words."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import resources

from papan.core.board.pieces import Content, Piece
from papan.core.game import Game
from papan.core.notation import SIDES
from papan.figures.board import Arrangement
from papan.messages import ENGLISH, Messages
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


def label_of(word: str, game: Game, say: Messages) -> str:
    """Returns the label of a word in written moves: translated for common words, and the kind of
    piece for the letter of one."""
    message = f"web.word.{word}"
    known = say(message)
    if known != message:
        return known
    kinds = (kind_in_words(piece, say) for piece in game.pieces if piece.letter.lower() == word)
    return next((kind[0].upper() + kind[1:] for kind in kinds if kind), word)


def in_words(board: Arrangement, sides: Mapping[str, str]) -> str:
    """Returns the squares of each side's pieces in words, for screen readers; `sides` has the names
    of the sides."""
    parts = []
    for side in SIDES:
        places = [place.name for place, look in board.places() if look.content.owner == side]
        names = ", ".join(places)
        parts.append(f"{sides[side]}: {names or '–'}.")
    return " ".join(parts)


def rules_text(game: type[Game], language: str) -> tuple[str, bool]:
    """Returns the rules of a game, and whether they are in the given language; an empty text if
    the game has none."""
    if game.__module__.startswith("papan.games."):
        file = resources.files(game.__module__) / f"rules.{language}.md"
        return file.read_text(encoding="utf-8"), True
    return own_words(game), language == ENGLISH.language


def own_words(game: type[Game]) -> str:
    """Returns the docstring of a game; empty without one."""
    text = inspect.cleandoc(game.__doc__ or "")
    # The default docstring of a dataclass lists its fields.
    return "" if text.startswith(f"{game.__name__}(") else text
