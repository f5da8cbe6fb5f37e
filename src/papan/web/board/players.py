"""Players as pages offer and name them: levels, programs."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.game import Game
from papan.messages import Messages
from papan.players.level_file import MOST_LEVELS
from papan.players.levels import NAMES, measured_at, strengths_of

#: Who plays: a person and a program; two people at one screen; two by a link; two programs.
KINDS = ("solo", "shared", "link", "watch")

#: What forms send for the levels, and for the strongest player.
LEVELS = tuple(f"level:{number}" for number in range(1, MOST_LEVELS + 1))
BEST = "best:time=3"
DEFAULT_LEVEL = LEVELS[3]


@dataclass(frozen=True)
class LevelChoice:
    """A level of a game as a form offers it.

    Attributes:
        value: what the form sends.
        label: its name.
        elo: what was measured, in words; empty where nothing was.
        about: its character, on one line.
    """

    value: str
    label: str
    elo: str
    about: str


def choices_of(game: Game, say: Messages) -> list[LevelChoice]:
    """The levels of a game, the weakest first, and the strongest player."""
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
    """A level in words, from the spec of its player; None for other players."""
    name, _, options = text.partition(":")
    if text in LEVELS:
        return say("web.level.number", number=options)
    if name == "best":
        return say("web.level.best")
    return say(f"web.level.{name}") if name in NAMES and not options else None


def player_name(text: str, say: Messages) -> str:
    """A program for people: its level in words, or its spec."""
    level = level_name(text, say)
    return text if level is None else say("web.player.level", level=level)
