"""The smoke test of a game in a file: plays it in plain Python before anything is compiled.

That takes some milliseconds. An error in its rules shows there first, and is reported with its
line; so are rules that do not come to an end, take all memory, or end the program. `papan check`
tries far more.
"""

from __future__ import annotations

import inspect
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from papan.core import spec
from papan.core.game import Game, Position
from papan.errors import InvalidGame, InvalidSpec, MissingOperation, PapanError, UsageError
from papan.rules import operations as rules
from papan.rules.dispatch import Operation
from papan.rules.fields import FIELD_TYPES, field_type, is_field
from papan.rules.operations import Evaluation, State
from papan.usercode.failures import RULE_ERRORS, failure, line_reached, rule_failure
from papan.usercode.watchdog import Watchdog, shielded, watched

_GAMES = 3  # played, each followed for at most `_PLIES`
_PLIES = 150
#: Once in so many plies, moves are walked again, and their names looked at.
_SAMPLED = 8
#: No game is begun, and none gone on with, after so many seconds.
_SECONDS = 1.0
#: The time to look for a rule that is known to fail, in seconds.
_SEARCH_SECONDS = 3.0
#: No more of a value than this is shown in a message.
_SHOWN = 120
#: The bounds of a game's moves, each with the largest one allowed.
_BOUNDS: dict[Operation[..., int], int] = {
    rules.most_moves: rules.MOST_MOVES,
    rules.largest_move: rules.LARGEST_MOVE,
}

_REQUIRED = (rules.moves, rules.play, rules.final_value)
#: Operations whose results must be integers.
_WHOLE = (
    rules.head,
    rules.max_plies_left,
    rules.side_to_move,
    rules.win_value,
    *_BOUNDS,
    rules.piece_at,
)
_WALKERS = (rules.more, rules.head, rules.tail)


def run_smoke_test(game: Game) -> None:
    """Plays some games.

    Raises:
        InvalidGame: a rule fails, or breaks an invariant.
    """
    # Numbers that overflow do so on purpose, where bits are multiplied.
    with np.errstate(over="ignore"), watched() as dog:
        smoke_test = SmokeTest(game, dog)
        try:
            with shielded(smoke_test.file):
                smoke_test.run()
        except PapanError:
            raise
        except Exception as error:  # of a property, say, that is no rule and is asked on the way
            if line_reached(error, smoke_test.file) is None:
                raise
            raise failure(error, smoke_test.file) from error


def find_overrun(position: Position) -> None:
    """Plays what may follow a position in plain Python, the nearest first, for a while, to find the
    line of a rule that does not come to an end.

    Raises:
        InvalidGame: a rule fails or breaks an invariant.
    """
    with np.errstate(over="ignore"), watched() as dog:
        smoke_test = SmokeTest(position.game, dog)
        end = time.monotonic() + _SEARCH_SECONDS
        following = deque([position.state])
        while following and time.monotonic() < end:
            state = following.popleft()
            following.extend(smoke_test.next(state, code) for code in smoke_test.moves(state))


class SmokeTest:
    """A game whose rules are tried out."""

    def __init__(self, game: Game, dog: Watchdog) -> None:
        self.game, self.watchdog = game, dog
        self.file = Path(inspect.getfile(type(game)))
        self.end = time.monotonic() + _SECONDS

    def run(self) -> None:
        self.option_names()
        self.letters()
        state = self.guarded("start_state", type(self.game).start_state, self.game.start_state)
        self.plain_numbers(state)
        for item in _REQUIRED:
            self.rule_of(item, state)
        for stride in range(_GAMES):
            self.play(state, stride)

    def play(self, state: State, stride: int) -> None:
        """One game: always the first move, or moves from all over the board."""
        last = _PLIES  # the ply at which the game must be over
        for ply in range(_PLIES):
            codes = self.moves(state)
            if ply % _SAMPLED == 0:
                self.same(codes, self.walk(state), rules.moves, state)
                self.names(state, codes)
            if ply % _SAMPLED <= 1:  # seen from both sides
                self.shown(state)
            last = min(last, ply + self.plies_left(state))
            self.require(ply <= last, rules.max_plies_left, state, "max-plies-left", last, ply)
            if not codes:
                self.final(state)
                return
            self.values(state)
            state = self.next(state, codes[stride * (ply + 1) % len(codes)])
            if time.monotonic() > self.end:
                return

    def moves(self, state: State) -> list[int]:
        """The legal moves, which must ascend, and be there unless the game is over."""
        codes = self.walk(state)
        most, largest = (self.bound(item, state) for item in _BOUNDS)
        endless = len(codes) > most and len(set(codes)) < len(codes)
        tail = rules.moves if self.is_default(rules.tail, state) else rules.tail
        self.require(not endless, tail, state, "walk-ends", codes, f"≤ {most} (most_moves)")
        expected = sorted(set(codes))
        self.require(codes == expected, rules.moves, state, "ascending", codes, expected)
        limits = f"≤ {most} (most_moves), 0 … {largest} (largest_move)"
        few = len(codes) <= most and all(0 <= code <= largest for code in codes)
        found = f"{len(codes)}, {min(codes, default=0)} … {max(codes, default=0)}"
        self.require(few, rules.moves, state, "move-numbers", found, limits)
        over = bool(self.call(rules.is_over, state))
        self.require(over == (not codes), rules.is_over, state, "over", over, not codes)
        return codes

    def walk(self, state: State) -> list[int]:
        """The moves as a search meets them; one more than allowed where there is no end."""
        rest = self.call(rules.moves, state)
        own = not self.is_default(rules.more, state)
        is_set = own or is_field(rest) or hasattr(rest, "_fields")
        self.require(is_set, rules.moves, state, "game-file.moves-set", type(rest).__name__, "Bits")
        codes: list[int] = []
        most = self.bound(rules.most_moves, state)
        while self.call(rules.more, state, rest) and len(codes) <= most:
            codes.append(int(self.call(rules.head, state, rest)))
            rest = self.call(rules.tail, state, rest)
        return codes

    def names(self, state: State, codes: list[int]) -> None:
        """Requires that moves are written, each by a word of its own."""
        write, steps = type(self.game).write_move, type(self.game).steps
        places, words = set(self.game.board.squares), dict[str, int]()
        for code in codes:
            taken = self.guarded("steps", steps, partial(self.game.steps, code))
            outside = [step for step in taken if not isinstance(step, str) and step not in places]
            if outside:
                # Where a game says no steps of its own, its moves are the numbers of places.
                is_own = steps is not Game.steps
                rule = steps if is_own else rules.moves.implementation(type(state))
                name, expected = "steps" if is_own else "moves", self.game.board.extent
                raise self.broken(name, rule, "game-file.off-board", outside[0], expected)
            word = self.guarded("write_move", write, partial(self.game.write_move, code))
            fine = isinstance(word, str) and word.isprintable() and word == "".join(word.split())
            if not fine or not word:
                raise self.broken("write_move", write, "game-file.move-word", repr(word), "'a1'")
            if word in words:
                found = f"{word} = {words[word]}, {code}"
                raise self.broken("write_move", write, "move-names", found, "≠")
            words[word] = code

    def option_names(self) -> None:
        """Requires that no option hides something that every game has, such as its name."""
        known = vars(Game).keys() | Game.__annotations__.keys()
        taken = [name for name in spec.options_of(type(self.game)) if name in known]
        if taken:
            reason, line = UsageError("game-file.option", text=taken[0]), self._class_line()
            raise InvalidGame("game-file.raises", text=self.file.name, line=line, reason=reason)

    def letters(self) -> None:
        """Requires that each kind of pieces has a letter of its own."""
        letters = [piece.letter for piece in self.game.pieces]
        twice = [letter for letter in dict.fromkeys(letters) if letters.count(letter) > 1]
        if twice:
            reason, line = UsageError("piece.twice", text=twice[0]), self._class_line()
            raise InvalidGame("game-file.raises", text=self.file.name, line=line, reason=reason)

    def _class_line(self) -> int:
        return line_of_class(type(self.game))

    def shown(self, state: State) -> None:
        """Requires that the position can be written, from whole numbers for its pieces."""
        if not self.is_default(rules.piece_at, state):
            for place in self.game.board.squares:
                self.call(rules.piece_at, state, place)
        write = type(self.game).write_state
        self.guarded("write_state", write, partial(self.game.write_state, state))

    def bound(self, item: Operation[..., Any], state: State) -> int:
        """A bound of the game's moves, which must be one that searches have room for."""
        value, most = int(self.call(item, state)), _BOUNDS[item]
        self.require(0 < value <= most, item, state, "move-numbers", value, f"1 … {most}")
        return value

    def plies_left(self, state: State) -> int:
        """The most plies that are left, which must not be negative."""
        left = int(self.call(rules.max_plies_left, state))
        self.require(left >= 0, rules.max_plies_left, state, "max-plies-left", left, "≥ 0")
        return left

    def values(self, state: State) -> None:
        """Tries the evaluations, whose values must be whole numbers below every win."""
        win = self.call(rules.win_value, state)
        most = win - rules.MAX_PLY if win > 0 else rules.INFINITY
        for evaluation in self.game.evaluations.values():
            value = self.call(rules.evaluate, evaluation, state)
            whole = isinstance(value, int | np.integer)
            self.require(whole, rules.evaluate, evaluation, "whole", value, "int")
            again = self.call(rules.evaluate, evaluation, state)
            self.same(value, again, rules.evaluate, evaluation)
            self.require(
                abs(int(value)) < most, rules.evaluate, evaluation, "apart", value, f"< {most}"
            )

    def next(self, state: State, move: int) -> State:
        """The state after a move, which must be of the same kind, and the other side's turn unless
        the game has extra turns."""
        child = self.call(rules.play, state, move)
        same = type(child) is type(state)
        words = type(child).__qualname__, type(state).__qualname__
        self.require(same, rules.play, state, "state-class", *words)
        kinds = [_kinds(state), _kinds(child)]
        self.require(kinds[0] == kinds[1], rules.play, state, "same-types", kinds[1], kinds[0])
        self.same(child, self.call(rules.play, state, move), rules.play, state)
        sides = [int(self.call(rules.side_to_move, one)) for one in (state, child)]
        two = all(side in (0, 1) for side in sides)
        self.require(two, rules.play, state, "game-file.two-sides", max(sides), "0, 1")
        fair = sides[0] + sides[1] == 1 or not self.call(rules.turns_alternate, state)
        self.require(fair, rules.play, state, "sides", sides[1], 1 - sides[0])
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
        others = {
            field: field_type(value)
            for field, value in zip(state._fields, state, strict=True)
            if not is_field(value)
        }
        if others:
            raise self.broken("start_state", start, "state-fields", others, FIELD_TYPES)

    # --- calling rules, and saying what is wrong with them

    def is_default(self, item: Operation[..., Any], state: State) -> bool:
        """True if the game leaves an operation to its default."""
        return item.find(type(state)) is item.find(tuple)

    def rule_of(self, item: Operation[..., Any], first: State | Evaluation) -> Callable[..., Any]:
        """The rule that an operation finds for its first argument."""
        try:
            return item.implementation(type(first))
        except MissingOperation as error:
            is_own = type(first).__module__ == type(self.game).__module__
            line = line_of_class(type(first if is_own else self.game))
            text = self.file.name
            raise InvalidGame("game-file.raises", text=text, line=line, reason=error) from error

    def call(self, item: Operation[..., Any], *args: Any) -> Any:
        """The result of an operation."""
        rule = self.rule_of(item, args[0])
        if item in _WALKERS and self.is_default(item, args[0]):
            # The game's own rule is the one that says what is walked over.
            rule = rules.moves.implementation(type(args[0]))
        found = self.guarded(item.__name__, rule, lambda: item(*args))
        if item in _WHOLE and not isinstance(found, int | np.integer):
            raise self.broken(item.__name__, rule, "game-file.whole", repr(found), "int")
        return found

    def guarded(self, name: str, rule: Callable[..., Any], run: Callable[[], Any]) -> Any:
        """The result of a rule; an exception of it is reported with its line."""
        self.watchdog.renew()
        try:
            return run()
        except (InvalidGame, InvalidSpec):
            raise
        except RULE_ERRORS as error:
            code = code_of(rule)
            is_own = code.co_filename == str(self.file)
            first = code.co_firstlineno if is_own else line_of_class(type(self.game))
            line = line_reached(error, self.file) or first
            raise rule_failure(name, error, self.file, line) from error

    def same(
        self, found: object, again: object, item: Operation[..., Any], first: State | Evaluation
    ) -> None:
        """Requires that a rule gives the same answer when it is asked again."""
        self.require(bool(found == again), item, first, "same-answer", again, found)

    def require(
        self,
        kept: bool,
        item: Operation[..., Any],
        first: State | Evaluation,
        promise: str,
        *found_and_expected: object,
    ) -> None:
        """Raises an error that names the rule, by its first argument, unless its invariant
        holds."""
        if not kept:
            rule = item.implementation(type(first))
            raise self.broken(item.__name__, rule, promise, *found_and_expected)

    def broken(self, name: str, rule: Any, promise: str, *words: object) -> InvalidGame:
        found, expected = (_shortened(word) for word in words)
        return InvalidGame(
            "game-file.broken",
            text=Path(code_of(rule).co_filename).name,
            line=code_of(rule).co_firstlineno,
            operation=name,
            promise=f"@{promise}" if "." in promise else f"@contract.{promise}",
            found=found,
            expected=expected,
        )


def _kinds(state: Any) -> dict[str, str]:
    """The name of each field's type."""
    fields = getattr(type(state), "_fields", ())
    return {name: field_type(value) for name, value in zip(fields, state, strict=False)}


def code_of(rule: Any) -> CodeType:
    """The code of a rule, as the game's file defines it."""
    code: CodeType = inspect.unwrap(rule).__code__
    return code


def line_of_class(cls: type) -> int:
    """The line of its file on which a class begins."""
    return inspect.getsourcelines(cls)[1]


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
