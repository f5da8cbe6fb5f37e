"""Players as pages offer and name them: levels and programs."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.game import Game
from papan.core.notation import SIDES
from papan.figures.palette import look_of
from papan.figures.pieces import side_sample
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.players.level_file import MOST_LEVELS
from papan.players.levels import NAMES, measured_at, strengths_of
from papan.report import name_side
from papan.web.http.preferences import Preferences

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
