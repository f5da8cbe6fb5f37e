"""OpenSpiel's bots as players: `openspiel:mcts`, `openspiel:mcts,simulations=200`.

    mcts      its Monte Carlo tree search in Python (the one in C++ crashes with games written in
              Python)
    random    its uniform random bot

OpenSpiel is loaded when a game begins. Its bots have no time limits, so this module stops the
search when the time is up. A node limit counts simulations.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Self

from papan.core import spec
from papan.core.game import Game, Position
from papan.core.spec import option
from papan.errors import InvalidSpec, UsageError
from papan.players.base import Choice, Player
from papan.search.limits import Limit, tightest

if TYPE_CHECKING:
    from papan.adapters.openspiel import Bot

BOTS = ("mcts", "random")

#: Seconds of a move's time that are reserved for the work before and after the search.
_RESERVE = 0.05


@dataclass
class OpenSpielPlayer(Player):
    """A bot of OpenSpiel.

    Attributes:
        bot: name of the bot.
        simulations: maximum number of simulations.
        exploration: factor of the exploration term in UCT.
        time: seconds per move; 0 for no limit.
    """

    name = "openspiel"

    bot: str = option("mcts", "option.openspiel-bot", choices=BOTS)
    simulations: int = option(100, "option.openspiel-simulations", low=1, high=1_000_000)
    exploration: float = option(2.0, "option.exploration", low=0.0, high=100.0)
    time: float = option(0.0, "option.time", low=0.0)

    _thinking: Bot | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        for key, facts in spec.options_of(type(self)).items():
            spec.check(key, getattr(self, key), facts)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Returns the player for a text such as `mcts` or `mcts,simulations=200`.

        The name of the bot comes first. An empty text selects all defaults.

        Raises:
            InvalidSpec: the text is invalid.
            UsageError: OpenSpiel is not installed.
        """
        bot, _, rest = (text or cls.bot).partition(",")
        if bot not in BOTS:
            raise InvalidSpec("adapter.bot", text=text, known=", ".join(BOTS))
        player = spec.build(cls, cls.name, ",".join(filter(None, [f"bot={bot}", rest])))
        player._look_for_openspiel()
        return player

    @property
    def spec(self) -> str:
        _, options = spec.split(spec.canonical(self.name, self))
        others = [part for part in options.split(",") if part and not part.startswith("bot=")]
        return f"{self.name}:{','.join([self.bot, *others])}"

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._look_for_openspiel()
        from papan.adapters.openspiel import bot

        self._thinking = bot(self, game, seed)

    def choose(self, position: Position, limit: Limit) -> Choice:
        assert self._thinking is not None, "new_game comes first"
        began = time.monotonic()
        limit = tightest(limit, Limit(seconds=self.time or None, nodes=self.simulations))
        assert limit.nodes is not None
        deadline = None if limit.seconds is None else began + limit.seconds - _RESERVE
        return self._thinking.choose(position, limit.nodes, deadline)

    def close(self) -> None:
        self._thinking = None

    def _look_for_openspiel(self) -> None:
        if find_spec("pyspiel") is None:
            raise UsageError("adapter.missing", text=self.spec, extra="papan[openspiel]")
