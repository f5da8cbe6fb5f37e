"""Papan's engine as the `Thinker` of a UGI server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from papan.core import spec
from papan.core.game import Game, Position
from papan.core.spec import option
from papan.learn import choice
from papan.players.search import secured_by_rule
from papan.players.ugi_limits import limit_of
from papan.protocol.messages import Go, Info, UgiOption
from papan.protocol.server import Thinker, change_option, declare_options
from papan.rules.operations import Evaluation
from papan.search.algorithm import Algorithm, search
from papan.search.limits import LARGEST_MB, Limit, Stop
from papan.search.registry import algorithm
from papan.search.result import Line, SearchResult

#: Name that selects the strongest evaluation of the current game.
STRONGEST = "strongest"


@dataclass(frozen=True)
class EngineSettings:
    """Options of the engine in UGI."""

    threads: int = option(1, "option.threads", low=1, high=64)
    hash: int = option(16, "option.hash", low=1, high=LARGEST_MB)
    multipv: int = option(1, "option.lines", low=1, high=64)
    evaluation: str = option(STRONGEST, "option.evaluation")
    sure: bool = option(True, "option.sure")


class EngineThinker(Thinker):
    """Searches with the engine and the game's strongest evaluation, like the player `engine`."""

    def __init__(self) -> None:
        self.settings = EngineSettings()
        self._algorithm: Algorithm | None = None
        self._prepared: object = None

    def options(self, game: Game) -> list[UgiOption]:
        choices = (STRONGEST, *game.evaluations)
        return [
            replace(known, kind="combo", choices=choices) if known.name == "evaluation" else known
            for known in declare_options(self.settings)
        ]

    def set_option(self, game: Game, name: str, value: str) -> None:
        if name == "evaluation" and value not in (STRONGEST, *game.evaluations):
            raise spec.unknown("spec.unknown-evaluation", value, game.evaluations)
        self.settings = change_option(self.settings, name, value)
        self._algorithm = None

    def prepare(self, game: Game) -> None:
        subject = (game, self.settings)
        if self._prepared != subject:
            self.algorithm.prepare(game.start(), self.evaluation(game))
            self._prepared = subject

    def forget(self) -> None:
        self._algorithm = None

    def begin(self, position: Position, go: Go) -> EngineThought:
        limit = limit_of(go, position)
        evaluation = self.evaluation(position.game)
        return EngineThought(position, limit, self.algorithm, evaluation, self.settings.sure)

    @property
    def algorithm(self) -> Algorithm:
        """The search, created again after a change of options and for each new game."""
        if self._algorithm is None:
            chosen = self.settings
            options = f"threads={chosen.threads},hash={chosen.hash},lines={chosen.multipv}"
            self._algorithm = algorithm(f"engine:{options}")
        return self._algorithm

    def evaluation(self, game: Game) -> Evaluation:
        """Returns the selected evaluation; the strongest one if the game has none of that name.

        The strongest evaluation may be trained weights, if they were measured to be stronger.
        """
        named = game.evaluations.get(self.settings.evaluation)
        return choice.strongest(game) if named is None else named


@dataclass
class EngineThought:
    """One search, with the sure moves of the player `engine`."""

    position: Position
    limit: Limit
    algorithm: Algorithm
    evaluation: Evaluation
    sure: bool
    _stop: Stop = field(default_factory=Stop)

    def run(self, on_info: Callable[[Info], None]) -> str:
        """Searches, reports each result, and returns the move."""

        def tell(result: SearchResult) -> None:
            for info in infos(result):
                on_info(info)

        result = search(
            self.position,
            self.limit,
            algorithm=self.algorithm,
            evaluation=self.evaluation,
            on_result=tell,
            stop=self._stop,
        )
        sure = secured_by_rule(self.position, result) if self.sure else None
        if sure is not None:
            on_info(Info(sure.depth, sure.value, sure.nodes, result.seconds, sure.pv))
            return sure.move
        assert result.move is not None
        return result.move

    def stop(self) -> None:
        """Stops the search."""
        self._stop.set()


def infos(result: SearchResult) -> list[Info]:
    """Returns one info line for each variation of a result."""
    lines = result.lines or (Line(result.value, result.pv),)
    return [
        Info(
            result.depth,
            line.value,
            result.nodes,
            result.seconds,
            line.moves,
            multipv=rank if len(lines) > 1 else None,
        )
        for rank, line in enumerate(lines, 1)
    ]
