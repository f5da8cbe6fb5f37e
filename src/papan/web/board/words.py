"""Boards, games, moves, players and records in words."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from papan.core.board.pieces import Content, Piece
from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.figures.board import Arrangement
from papan.figures.palette import look_of
from papan.figures.pieces import side_sample
from papan.figures.svg import Markup
from papan.messages import ENGLISH, Messages
from papan.players.level_file import MOST_LEVELS
from papan.players.levels import NAMES, measured_at, strengths_of
from papan.records.model import Record
from papan.report import name_side
from papan.web.http.preferences import Preferences


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


# --- players: levels and programs ----------------------------------------------------------------

#: Modes: a person and a program; two people at one screen; two people by link; two programs.
KINDS = ("solo", "shared", "link", "watch")

#: Form values of the levels and of the strongest player.
LEVELS = tuple(f"level:{number}" for number in range(1, MOST_LEVELS + 1))
BEST = "best:time=3"
DEFAULT_LEVEL = LEVELS[3]
#: The opponent of a game that one click starts.
QUICK_LEVEL = LEVELS[2]


@dataclass(frozen=True)
class LevelChoice:
    """A level of a game in a form.

    Attributes:
        value: the value of the form field.
        label: the name.
        elo: the measured Elo in words; empty if not measured.
        about: the description in one line.
    """

    value: str
    label: str
    elo: str
    about: str


def side_choices(game: Game, wanted: Preferences, say: Messages) -> dict[str, tuple[str, Markup]]:
    """Returns the label of each side for a form, and a picture of its piece.

    The label is the name of the side; in a game with the plain look, its colour.
    """
    look, choices = look_of(game), {}
    for side, colour in zip(SIDES, (wanted.x_colour, wanted.o_colour), strict=True):
        label = name_side(game, side, say)
        if look == "plain":
            label = say("web.side.of", colour=f"@web.colour.{colour}", side=side)
        choices[side] = label, side_sample(side, look, wanted.style.shape(side))
    return choices


def choices_of(game: Game, say: Messages) -> list[LevelChoice]:
    """Returns the levels of a game, weakest first, and the strongest player."""
    offered = [*LEVELS[: len(strengths_of(game))], BEST]
    return [_choice(value, game, say) for value in offered]


def _choice(value: str, game: Game, say: Messages) -> LevelChoice:
    name, _, number = value.partition(":")
    if name == "best":
        return LevelChoice(value, say("web.level.best"), "", say("web.level-about.best"))
    found = measured_at(game, int(number))
    elo = ""
    if found is not None:
        elo = say("web.level.elo", elo=f"{found.elo:,.0f}", error=f"{found.error:.0f}")
    return LevelChoice(value, number, elo, say(f"web.level-about.{number}"))


def level_name(text: str, say: Messages) -> str | None:
    """Returns the name of a level from the spec of its player; None for other players."""
    name, _, options = text.partition(":")
    if text in LEVELS:
        return say("web.level.number", number=options)
    if name == "best":
        return say("web.level.best")
    return say(f"web.level.{name}") if name in NAMES and not options else None


def player_name(text: str, say: Messages) -> str:
    """Returns the name of a program for people: its level in words, or its spec."""
    level = level_name(text, say)
    return text if level is None else say("web.player.level", level=level)


# --- lists of moves and games --------------------------------------------------------------------


@dataclass(frozen=True)
class ListedMove:
    """A move in the list.

    Attributes:
        number: the number of moves before it.
        side: the side that made it.
        text: the move as people read it.
    """

    number: int
    side: str
    text: str


@functools.lru_cache(maxsize=4096)
def book_text(position: Position, move: str) -> str:
    """Returns a legal move as people read it."""
    return position.book_line([move])[0]


def pair_moves(
    positions: Sequence[Position], moves: Sequence[str]
) -> list[list[ListedMove | None]]:
    """Returns the moves in rows of `x` and `o`. If a side moves twice, None fills the other column.
    Empty without positions."""
    rows: list[list[ListedMove | None]] = []
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), start=1):
        listed = ListedMove(number, position.side, book_text(position, move))
        if position.side == "x":
            rows.append([listed])
        elif rows and len(rows[-1]) == 1:
            rows[-1].append(listed)
        else:
            rows.append([None, listed])
    return rows


#: Names of results in messages.
_RESULTS = {"x": "x", "o": "o", "draw": "draw"}


@dataclass(frozen=True)
class RecordRow:
    """A game in the list.

    Attributes:
        record: the game.
        x: the player of `x`, for people.
        o: the player of `o`.
        result: the result in words.
        played: date and time to the minute; empty if unknown.
    """

    record: Record
    x: str
    o: str
    result: str
    played: str

    @classmethod
    def of(cls, record: Record, say: Messages) -> RecordRow:
        """Returns the row of a record."""
        x, o = (name_player(name, say) for name in (record.x, record.o))
        result = say(f"web.records.result-{_RESULTS.get(record.result, 'none')}")
        return cls(record, x, o, result, record.played[:16].replace("T", " "))


def name_player(name: str, say: Messages) -> str:
    """Returns the name of a player in a record: a level in words, else the stored name."""
    return level_name(name, say) or encodable(name)


def encodable(text: str) -> str:
    """Returns a text without lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")
