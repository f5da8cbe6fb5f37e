"""The games and players that browsers may request, and the names that visitors see.

A browser sends names from the offered lists, and options in separate fields. A typed spec may name
every player of Papan except programs, with limits on memory and threads.

Commands, paths and keys are only in the log. All shown texts that may contain a spec pass through
`Public.text`: specs of games and players, names of events, records, error messages. Specs of the
server's options appear under their offered names; of other specs only the kind is shown.
"""

from __future__ import annotations

import functools
import logging
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from papan.core import spec
from papan.core.game import Game
from papan.errors import InvalidSpec, PapanError, RuleFailure
from papan.learn.weights import is_untaught
from papan.messages import ENGLISH, Messages
from papan.players import registry as players
from papan.records.model import Record
from papan.usercode import loader
from papan.usercode import registry as games
from papan.usercode.gallery import gallery
from papan.web.http.settings import ServerSettings

_LOG = logging.getLogger("papan.web")

#: Kinds of players that start a program or read a file.
PROGRAMS = ("ugi", "uci", "gtp", "python")

#: Public name of a game file that is not offered.
FILE = "file"

#: First parts of the names of messages about the visitor's input. Other messages (about
#: the store, programs and files) go to the log.
_VISITORS_OWN = frozenset(
    {"web", "spec", "position", "move", "limit", "game", "record", "solve", "tree"}
)

#: Event names of the arena (`papan.arena.event`): specs between words and a digest.
_EVENT = re.compile(r"(?P<head>[a-z-]+) (?P<specs>.+) (?P<digest>[0-9a-f]{12})", re.DOTALL)
_BETWEEN = " – "

#: The spec of a program or a path within a sentence, up to its end: commands may contain spaces.
_PROGRAM = re.compile(rf"\b({'|'.join(PROGRAMS)}):.*", re.DOTALL)
_PATH = re.compile(
    r"""\w+://\S+|(?<![\w.])(?:[A-Za-z]:\\|~?/|\.{1,2}/|\\\\)[^\s'"]+|[^\s'"]+\.(?:py|sqlite)\b\S*"""
)


@dataclass(frozen=True)
class Public:
    """Public names in place of commands and paths.

    Attributes:
        settings: specs of the server with their public names.
    """

    settings: ServerSettings

    def text(self, text: str) -> str:
        """Returns a text without commands and paths: a spec, the name of an event, or a
        sentence."""
        if event := _EVENT.fullmatch(text):
            specs = _BETWEEN.join(map(self.text, event["specs"].split(_BETWEEN)))
            return f"{event['head']} {specs} {event['digest']}"
        named = self._name_of(text)
        if named is not None:
            return named
        for secret, name in self._secrets():
            text = text.replace(secret, name)
        return _PATH.sub("…", _PROGRAM.sub(r"\1", text))

    def record(self, record: Record) -> Record:
        """Returns a record without commands, paths and the output of programs."""
        shown = replace(
            record,
            game=self.text(record.game),
            x=self.text(record.x),
            o=self.text(record.o),
            event=self.text(record.event),
            given=self.text(record.given),
        )
        changed = (shown.game, shown.x, shown.o) != (record.game, record.x, record.o)
        return replace(shown, detail="" if changed else self.text(record.detail))

    def explain(self, error: PapanError, language: str) -> str:
        """Returns the message of an error for a visitor; errors that are not about the visitor's
        input go to the log instead."""
        say = Messages(language)
        if _is_visitors_own(error):
            return self.text(say.explain(error))
        minute = int(time.monotonic() / 60)
        if isinstance(error, RuleFailure):
            _log(logging.ERROR, ENGLISH.explain(error), minute)
            return say("web.sorry.rule")
        _log(logging.WARNING, ENGLISH.explain(error), minute)
        return say("web.sorry.hidden")

    def _name_of(self, text: str) -> str | None:
        """Returns the public name of a spec; None for texts that are no specs or may be shown."""
        for offered in (self.settings.players, self.settings.games):
            for name, known in offered.items():
                if text == known:
                    return name
        kind = spec.split(text)[0]
        if kind in PROGRAMS:
            return kind
        in_file = loader.split(text)
        return self._in_file(*in_file) if in_file and " '" not in text else None

    def _in_file(self, path: str, options: str) -> str:
        """Returns the name of a game in a file with its options."""
        for name, known in self.settings.games.items():
            if (found := loader.split(known)) and found[0] == path:
                return f"{name}:{options}" if options else name
        return FILE

    def _secrets(self) -> Iterator[tuple[str, str]]:
        """The specs and paths of the server's options, longest first, with their names."""
        given = [*self.settings.players.items(), *self.settings.games.items()]
        found = [(known, name) for name, known in given if known != name]
        found += [(path[0], name) for name, known in given if (path := loader.split(known))]
        return iter(sorted(found, key=lambda pair: -len(pair[0])))


def _is_visitors_own(error: PapanError) -> bool:
    """True if an error, including its causes, is about the visitor's input."""
    inner = [value for value in error.values.values() if isinstance(value, PapanError)]
    topic, dot, _ = error.message.partition(".")
    return bool(dot) and topic in _VISITORS_OWN and all(map(_is_visitors_own, inner))


@functools.lru_cache(256)
def _log(level: int, sentence: str, minute: int) -> None:
    """Logs a sentence, the same one at most once a minute."""
    _LOG.log(level, "%s", sentence)


#: Players that are not offered: people have their own seats, and bots of other libraries need
#: a library that may be missing.
NOT_OFFERED = (*PROGRAMS, "human", "openspiel")

#: Maximum values of options for visitors.
CEILINGS: Mapping[str, float] = {
    "hash": 64,
    "threads": 1,
    "time": 10,
    "population": 500,
    "generations": 500,
}

#: Maximum characters of a spec from a browser.
LONGEST_SPEC = 120

_SIZES = ("3", "4", "5", "6", "7", "8")


@dataclass(frozen=True)
class GameOption:
    """An option of a game in the setup form.

    Attributes:
        name: the name in specs.
        about: the name of its message.
        default: the default value.
        choices: the allowed values; empty for a number or text field.
        low: minimum.
        high: maximum; 0 for a text field.
    """

    name: str
    about: str
    default: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def __post_init__(self) -> None:
        # Specs write booleans as `yes` and `no`.
        if self.default in _YES_NO:
            object.__setattr__(self, "default", _YES_NO[self.default])

    @property
    def is_switch(self) -> bool:
        """True for yes or no."""
        return self.choices == SWITCH


_YES_NO = {"True": "yes", "False": "no"}

#: Values of a switch in a form.
SWITCH = ("no", "yes")


@dataclass(frozen=True)
class Allowed:
    """The games and players that the server offers."""

    settings: ServerSettings

    def games(self) -> dict[str, str]:
        """The games by the names that browsers send: name → spec."""
        return (
            {name: name for name in _OWN_ORDER if name in games.names()}
            | {name: name for name in games.names() if name not in _OWN_ORDER}
            | dict(self.settings.games)
        )

    def gallery(self) -> list[str]:
        """The names of further games on a separate page."""
        return list(gallery())

    def all_games(self) -> dict[str, str]:
        """All games including the gallery: name → spec."""
        offered = self.games()
        return offered | {name: name for name in self.gallery() if name not in offered}

    def game(self, name: str, options: Mapping[str, str]) -> Game:
        """Returns the game of a name with the options of a form.

        Raises:
            InvalidSpec: The game does not exist, or an option is not allowed.
        """
        offered = self.all_games()
        if name not in offered:
            raise spec.unknown("web.spec.game", name[:LONGEST_SPEC], offered)
        base = games.game(offered[name])
        wanted = {
            key: options[key].strip()
            for key in spec.options_of(type(base))
            if options.get(key, "").strip()
        }
        if any("," in value or len(value) > LONGEST_SPEC for value in wanted.values()):
            raise InvalidSpec("web.spec.long", most=LONGEST_SPEC)
        if not wanted:
            return base
        given = ",".join(f"{key}={value}" for key, value in wanted.items())
        changed = spec.build(type(base), base.name, given)
        return replace(base, **{key: getattr(changed, key) for key in wanted})

    def is_untaught(self, name: str) -> bool:
        """True for the operator's own game without weights, on a server for this machine only:
        other visitors cannot train it."""
        offered = self.settings.games
        return self.settings.private and name in offered and is_untaught(games.game(offered[name]))

    def options(self, name: str) -> list[GameOption]:
        """The options of a game."""
        base = games.game(self.all_games()[name])
        facts = spec.options_of(type(base))
        return [_as_option(base, key, facts[key]) for key in facts]

    def base_name(self, name: str) -> str:
        """Returns the name of an offered game whose options may be changed; unchanged if there is
        none."""
        base = name.partition(":")[0]
        return base if base in self.all_games() else name

    def current_options(self, name: str, game: Game) -> list[GameOption]:
        """The options of a game with its values as defaults; none if they cannot be changed.

        Args:
            name: the game, as written in addresses.
            game: its rules.
        """
        base = self.base_name(name)
        if base not in self.all_games():
            return []
        return [
            replace(option, default=str(getattr(game, option.name)))
            for option in self.options(base)
        ]

    def players(self) -> list[str]:
        """Returns the names of the offered players."""
        return [name for name in players.names() if name not in NOT_OFFERED]

    def player(self, text: str, game: Game) -> str:
        """Returns the spec of the player that a browser names: a level, `named:NAME`, or a spec.

        Raises:
            InvalidSpec: The player is not allowed here, or does not play this game.
        """
        name, rest = spec.split(text)
        if name == "named" and rest in self.settings.players:
            return self.settings.players[rest]
        if len(text) > LONGEST_SPEC:
            raise InvalidSpec("web.spec.long", most=LONGEST_SPEC)
        if name in PROGRAMS:
            raise InvalidSpec("web.spec.program", text=name)
        known = self.players()
        if name not in known:
            raise spec.unknown("spec.unknown-player", name, dict.fromkeys(known))
        player = players.player(text)
        _check_modest(player)
        if player.games and game.name not in player.games:
            plays = ", ".join(player.games)
            raise InvalidSpec("spec.wrong-game", text=text, game=game.name, known=plays)
        _check_evaluation(player, game)
        return player.spec

    @property
    def public(self) -> Public:
        """Public names of games and players for all shown texts."""
        return Public(self.settings)


_OWN_ORDER = ("adjacency", "platforms", "corners")


def _check_modest(player: Any) -> None:
    """Raises an error for options above the limits of visitors."""
    for key, most in CEILINGS.items():
        value = getattr(player, key, 0)
        if isinstance(value, int | float) and value > most:
            raise InvalidSpec(
                "spec.bad-value", option=key, text=f"{value:g}", expected=f"≤ {most:g}"
            )


def _check_evaluation(player: Any, game: Game) -> None:
    """Raises an error if the game does not have the evaluation."""
    wanted = getattr(player, "evaluation", "")
    if isinstance(wanted, str) and wanted and wanted not in game.evaluations:
        raise spec.unknown("spec.unknown-evaluation", wanted, game.evaluations)


def _as_option(base: Game, key: str, facts: Mapping[str, Any]) -> GameOption:
    """Returns an option as a form field."""
    default, about = facts["default"], str(facts["about"])
    current, low, high = str(getattr(base, key)), facts["low"], facts["high"]
    choices = tuple(map(str, facts["choices"]))
    if isinstance(default, bool):
        choices = SWITCH
    elif facts["parse"] is not None:
        choices = _accepted_values(base, key)
        choices = choices if current in choices else ()
    elif isinstance(default, int) and not choices:
        if high is None:  # as many as fit
            return GameOption(key, about, "", low=int(low or 0), high=_HIGHEST)
        low = int(low or 0)
        if high - low >= _MOST_CHOICES:
            return GameOption(key, about, current, low=low, high=int(high))
        choices = tuple(map(str, range(low, int(high) + 1)))
    return GameOption(key, about, current, choices)


#: Maximum of a number without a limit, and the number of values from which on a number is typed.
_HIGHEST = 999
_MOST_CHOICES = 10


def _accepted_values(base: Game, key: str) -> tuple[str, ...]:
    """Returns those of a few likely values that the game allows."""
    found = []
    for value in _SIZES:
        try:
            spec.build(type(base), base.name, f"{key}={value}")
        except PapanError:
            continue
        found.append(value)
    return tuple(found)
