"""Games and players that may be asked for over the web.

A browser sends names from the lists that it was offered, and options as fields of their own. A
spec typed by hand may name any player of Papan's but those that are programs, and no number in it
may ask for more memory or threads than a guest gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from papan.core import spec
from papan.core.game import Game
from papan.errors import InvalidSpec, PapanError
from papan.learn.weights import is_untaught
from papan.players import registry as players
from papan.usercode import registry as games
from papan.usercode.gallery import gallery
from papan.web.http.public import PROGRAMS, Public
from papan.web.http.settings import ServerSettings

#: Players that are of no use here: a person is a seat of its own, and bots of another library need
#: one that may not be installed.
NOT_OFFERED = (*PROGRAMS, "human", "openspiel")

#: The most that a guest may ask for, in a player's options.
CEILINGS: Mapping[str, float] = {
    "hash": 64,
    "threads": 1,
    "time": 10,
    "population": 500,
    "generations": 500,
}

#: Characters of a spec that a browser may send.
LONGEST_SPEC = 120

_SIZES = ("3", "4", "5", "6", "7", "8")


@dataclass(frozen=True)
class GameOption:
    """An option of a game as the set-up form offers it.

    Attributes:
        name: as in specs.
        about: the name of the message that explains it.
        default: what it is if nothing is chosen.
        choices: what can be chosen; empty for a number to be typed.
        low: the least number.
        high: the greatest number.
    """

    name: str
    about: str
    default: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


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
        """The names of further games, on a page of their own."""
        return list(gallery())

    def all_games(self) -> dict[str, str]:
        """All games, those of the gallery included: name → spec."""
        return {**{name: name for name in self.gallery()}, **self.games()}

    def game(self, name: str, options: Mapping[str, str]) -> Game:
        """The game of that name with options from a form.

        Raises:
            InvalidSpec: there is none, or an option is not allowed.
        """
        offered = self.all_games()
        if name not in offered:
            raise spec.unknown("spec.unknown-game", name[:LONGEST_SPEC], offered)
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
        """True for the operator's own game for which nothing is learnt yet, on a server that only
        this machine can reach: elsewhere a visitor cannot train it."""
        offered = self.settings.games
        return self.settings.private and name in offered and is_untaught(games.game(offered[name]))

    def options(self, name: str) -> list[GameOption]:
        """The options of a game."""
        base = games.game(self.all_games()[name])
        facts = spec.options_of(type(base))
        return [_as_option(base, key, facts[key]) for key in facts]

    def players(self) -> list[str]:
        """The names of the players that can be asked for."""
        return [name for name in players.names() if name not in NOT_OFFERED]

    def player(self, text: str, game: Game) -> str:
        """The spec of the player that a browser names: a level, `named:NAME`, or a spec.

        Raises:
            InvalidSpec: it may not be asked for here, or does not play this game.
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
        """Names of games and players, for all that is shown."""
        return Public(self.settings)


_OWN_ORDER = ("adjacency", "platforms", "corners")


def _check_modest(player: Any) -> None:
    """Refuses options that ask for more than a guest gets."""
    for key, most in CEILINGS.items():
        value = getattr(player, key, 0)
        if isinstance(value, int | float) and value > most:
            raise InvalidSpec(
                "spec.bad-value", option=key, text=f"{value:g}", expected=f"≤ {most:g}"
            )


def _check_evaluation(player: Any, game: Game) -> None:
    """Refuses an evaluation that the game does not have."""
    wanted = getattr(player, "evaluation", "")
    if isinstance(wanted, str) and wanted and wanted not in game.evaluations:
        raise spec.unknown("spec.unknown-evaluation", wanted, game.evaluations)


def _as_option(base: Game, key: str, facts: Mapping[str, Any]) -> GameOption:
    """An option as a form asks for it."""
    current = str(getattr(base, key))
    about = str(facts["about"])
    if facts["choices"]:
        return GameOption(key, about, current, tuple(map(str, facts["choices"])))
    if facts["parse"] is not None:
        return GameOption(key, about, current, _accepted_values(base, key))
    low, high = facts["low"], facts["high"]
    if isinstance(facts["default"], int) and low is not None and high is not None:
        return GameOption(key, about, current, tuple(map(str, range(int(low), int(high) + 1))))
    return GameOption(key, about, "", low=2, high=999)


def _accepted_values(base: Game, key: str) -> tuple[str, ...]:
    """Of a few likely values, those that an option takes."""
    found = []
    for value in _SIZES:
        try:
            spec.build(type(base), base.name, f"{key}={value}")
        except PapanError:
            continue
        found.append(value)
    return tuple(found)
