"""The check itself: random games to their ends, each promise tried on every position."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from papan.core import registry
from papan.core.game import Game, Position
from papan.errors import BrokenContract
from papan.kernel import operations as rules
from papan.kernel.operations import State
from papan.testing import rules as rule_promises
from papan.testing import texts as text_promises
from papan.testing.visit import Visit, walk

#: The moves of a position that are followed; over many positions every kind of move comes up.
_SAMPLE = 3


def check_game(game: Game | str, *, games: int = 10, seed: int = 1) -> None:
    """Plays random games and tries every promise of the contract on each position.

    Args:
        game: a game or its spec.
        games: how many games are played to their ends. Ten take from one to ten seconds.
        seed: of everything that is chosen by chance.

    Raises:
        BrokenContract: a promise is broken; one line names promise, position and move.
    """
    game = registry.game(game) if isinstance(game, str) else game
    check = _GameCheck(game, Random(seed))
    check.options()
    for _ in range(games):
        check.one_game()


class _GameCheck:
    """A check under way, with the states and moves of the games so far."""

    def __init__(self, game: Game, random: Random) -> None:
        from papan.testing.compiled import compiled_rules_agree

        self.game, self.random = game, random
        self.promises = (
            *rule_promises.PROMISES,
            *text_promises.PROMISES,
            compiled_rules_agree,
            self.keys_differ,
        )
        self.states: dict[int, State] = {}
        self.moves: dict[int, None] = {}

    def options(self) -> None:
        """The spec names the game again, and there is an evaluation to search with."""
        visit = self.visit(self.game.start())
        if self.game.name in registry.names() or self.game.name.endswith(".py"):
            again = registry.game(self.game.spec)
            visit.require(again == self.game, "spec", found=again, expected=self.game)
        visit.require(bool(self.game.evaluations), "evaluations", found=0, expected="≥ 1")

    def one_game(self) -> None:
        """A random game from the start to its end, every position looked at."""
        visits = [self.visit(self.game.start())]
        while True:
            for promise in self.promises:
                with reported(visits[-1], promise.__doc__):
                    promise(visits[-1])
            legal = visits[-1].position.codes()
            if not legal:
                break
            most = self.game.max_plies
            visits[-1].require(
                len(visits) <= most, "max-plies", found=f"> {most}", expected=f"≤ {most}"
            )
            visits.append(self.visit(visits[-1].position.after(self.random.choice(legal))))
        for plies, visit in enumerate(reversed(visits)):
            bound = rules.max_plies_left(visit.state)
            visit.require(bound >= plies, "max-plies-left", found=bound, expected=f"≥ {plies}")
        for visit in visits:
            with reported(visit, rule_promises.strategy_moves_secure_their_value.__doc__):
                rule_promises.strategy_moves_secure_their_value(visit)

    def visit(self, position: Position) -> Visit:
        """A visit of a position, with moves to look at chosen by chance."""
        blank = Visit(position, [], [], [], self.random)
        with reported(blank, "moves, more, head, tail"):
            walked = walk(position.state)
        sample = self.random.sample(walked, min(_SAMPLE, len(walked)))
        elsewhere = self.random.sample(list(self.moves), min(1, len(self.moves)))
        foreign = [move for move in elsewhere if move not in walked]
        self.moves.update(dict.fromkeys(walked))
        return replace(blank, walked=walked, sample=sample, foreign=foreign)

    def keys_differ(self, visit: Visit) -> None:
        """Different states have different keys, and a state keeps its own."""
        for state in (visit.state, *(child for _, child in visit.children)):
            other = self.states.setdefault(int(rules.key(state)), state)
            visit.require(other == state, "keys-differ", found=other, expected=state)


@contextmanager
def reported(visit: Visit, promise: str | None) -> Iterator[None]:
    """Turns an exception of the game under test into a broken promise."""
    try:
        yield
    except BrokenContract:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        found = f"{type(error).__name__}: {reason}"
        raise visit.broken("raises", found=found, expected=promise) from error
