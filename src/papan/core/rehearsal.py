"""A game from a file is played in plain Python before anything is compiled: what is wrong with its
rules shows there first, and is said with the line it stands on.

`papan.testing.check_game` tries far more; this takes some milliseconds, whenever a file is loaded.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from papan.core.game import Game
from papan.core.loader import failure
from papan.errors import InvalidGame, MissingOperation, PapanError
from papan.kernel import operations as rules
from papan.kernel.dispatch import Operation
from papan.kernel.operations import Evaluation, State

#: So many games are played, each followed for so many plies.
_GAMES = 3
_PLIES = 150
#: A walk over moves that does not end by itself is cut off.
_MOST_MOVES = 1000

_REQUIRED = (rules.moves, rules.play, rules.final_value)


def rehearse(game: Game) -> None:
    """Plays some games.

    Raises:
        InvalidGame: a rule fails, or its result is not what the operation promises.
        MissingOperation: the state's class lacks an operation.
    """
    # Numbers that overflow do so on purpose, where bits are multiplied.
    with np.errstate(over="ignore"):
        _Rehearsal(game).run()


class _Rehearsal:
    """A game whose rules are tried out."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.file = Path(inspect.getfile(type(game)))

    def run(self) -> None:
        state = self.guarded("start_state", type(self.game).start_state, self.game.start_state)
        self.plain_numbers(state)
        for item in _REQUIRED:
            if item.find(type(state)) is None:
                name = type(state).__qualname__
                raise MissingOperation(
                    "kernel.missing-operation", operation=item.__name__, cls=name
                )
        for stride in range(_GAMES):
            self.play(state, stride)

    def play(self, state: State, stride: int) -> None:
        """One game: always the first move, or moves from all over the board."""
        for ply in range(_PLIES):
            codes = self.moves(state)
            if not codes:
                self.final(state)
                return
            for evaluation in self.game.evaluations.values():
                value = self.call(rules.evaluate, evaluation, state)
                whole = isinstance(value, int | np.integer)
                self.require(whole, rules.evaluate, evaluation, "whole", value, "int")
            state = self.next(state, codes[stride * (ply + 1) % len(codes)])

    def moves(self, state: State) -> list[int]:
        """The legal moves, which must ascend, and be there unless the game is over."""
        codes: list[int] = []
        rest = self.call(rules.moves, state)
        while self.call(rules.more, state, rest) and len(codes) < _MOST_MOVES:
            codes.append(int(self.call(rules.head, state, rest)))
            rest = self.call(rules.tail, state, rest)
        expected = sorted(set(codes))
        self.require(codes == expected, rules.moves, state, "ascending", codes, expected)
        over = bool(self.call(rules.is_over, state))
        self.require(over == (not codes), rules.is_over, state, "over", over, not codes)
        return codes

    def next(self, state: State, move: int) -> State:
        """The state after a move, which must be of the same kind, the other side's turn."""
        child = self.call(rules.play, state, move)
        kinds = [_kinds(state), _kinds(child)]
        same = type(child) is type(state)
        words = type(child).__qualname__, type(state).__qualname__
        self.require(same, rules.play, state, "state-class", *words)
        self.require(kinds[0] == kinds[1], rules.play, state, "same-types", kinds[1], kinds[0])
        sides = [int(self.call(rules.side_to_move, one)) for one in (state, child)]
        self.require(sides[0] + sides[1] == 1, rules.play, state, "sides", sides[1], 1 - sides[0])
        keys = self.call(rules.key, state), self.call(rules.key, child)
        whole = all(isinstance(key, np.uint64) for key in keys)
        self.require(whole, rules.key, state, "key-type", type(keys[0]).__name__, "numpy.uint64")
        found = self.call(rules.next_key, state, keys[0], move)
        self.require(found == keys[1], rules.next_key, state, "next-key", found, keys[1])
        return child

    def final(self, state: State) -> None:
        """The value of the finished game, which must have the stated size."""
        value, win = self.call(rules.final_value, state), self.call(rules.win_value, state)
        allowed = isinstance(value, int | np.integer) and (win == 0 or value in (-win, 0, win))
        expected = f"±{win}, 0" if win > 0 else "int"
        self.require(allowed, rules.final_value, state, "win-value", value, expected)

    def plain_numbers(self, state: State) -> None:
        """Requires that a state is a NamedTuple of integers."""
        name, start = type(state).__qualname__, type(self.game).start_state
        if not isinstance(state, tuple) or not hasattr(state, "_fields"):
            raise self.broken("start_state", start, "state-class", name, "NamedTuple")
        others = {field: kind for field, kind in _kinds(state).items() if kind not in _PLAIN}
        if others:
            raise self.broken("start_state", start, "state-fields", others, "int, numpy.uint64")

    def call(self, item: Operation[..., Any], *args: Any) -> Any:
        """What an operation returns."""
        return self.guarded(item.__name__, item.implementation(type(args[0])), lambda: item(*args))

    def guarded(self, name: str, rule: Callable[..., Any], run: Callable[[], Any]) -> Any:
        """What a rule returns; what it raises is said with its line."""
        try:
            return run()
        except PapanError:
            raise
        except Exception as error:
            raise failure("game-file.rule-raises", error, self.file, operation=name) from error

    def require(
        self,
        kept: bool,
        item: Operation[..., Any],
        first: State | Evaluation,
        promise: str,
        *found_and_expected: object,
    ) -> None:
        """Raises an error that names the rule, by its first argument, unless its promise was
        kept."""
        if not kept:
            rule = item.implementation(type(first))
            raise self.broken(item.__name__, rule, promise, *found_and_expected)

    def broken(self, name: str, rule: Any, promise: str, *words: object) -> InvalidGame:
        found, expected = words
        return InvalidGame(
            "game-file.broken",
            text=Path(rule.__code__.co_filename).name,
            line=rule.__code__.co_firstlineno,
            operation=name,
            promise=f"@contract.{promise}",
            found=found,
            expected=expected,
        )


_PLAIN = ("int", "uint64")


def _kinds(state: Any) -> dict[str, str]:
    """The name of each field's type."""
    fields = getattr(type(state), "_fields", ())
    return {name: type(value).__name__ for name, value in zip(fields, state, strict=False)}
