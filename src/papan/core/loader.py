"""Games in files of their own: a path to a Python file is a game's name.

    papan play mygame.py            papan match mygame.py:size=4 engine mcts

The file holds one subclass of `Game` and the rules of its state. It is loaded once in each process
for each of its contents, under a module name made of them, so that compiled code is found again.

Then the game is rehearsed: played in plain Python before anything is compiled, which takes some
milliseconds. An error in its rules shows there first, and is reported with its line.
`papan.testing.check_game` tries far more.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

import numpy as np

from papan.core.game import Game
from papan.errors import InvalidGame, MissingOperation, PapanError
from papan.kernel import operations as rules
from papan.kernel.bits import is_field
from papan.kernel.dispatch import Operation, note_source
from papan.kernel.operations import Evaluation, State

T = TypeVar("T")

#: A spec that begins with a path: the path, and the options behind a colon.
_SPEC = re.compile(r"(.+?\.py)(?::(.*))?", flags=re.DOTALL)
_PREFIX = "papan_game_"


def split(text: str) -> tuple[str, str] | None:
    """The path and the options of a spec that names a file; None if it names none."""
    found = _SPEC.fullmatch(text.strip())
    return (found[1], found[2] or "") if found else None


def load(text: str) -> type[Game]:
    """The game of the file at that path.

    Raises:
        InvalidGame: there is no such file, it cannot be run, or it does not hold just one game.
    """
    cls = load_class(text, _game_of)
    cls.name = text  # the same contents may lie elsewhere by now, or be a step further away
    return cls


def is_loaded(text: str) -> bool:
    """True if the file at that path was loaded in this process, whatever it holds by now."""
    try:
        path = str(Path(text).expanduser().resolve())
    except (OSError, ValueError, RuntimeError):  # no such user; NUL; links in a circle
        return False
    loaded = (module for name, module in sys.modules.items() if name.startswith(_PREFIX))
    return any(module.__file__ == path for module in loaded)


def load_class(text: str, pick: Callable[[ModuleType, Path], type[T]]) -> type[T]:
    """The class that `pick` finds in the module of the file at that path.

    Raises:
        InvalidGame: there is no such file, or it cannot be run.
    """
    try:
        source = Path(text).expanduser().read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # NUL; no such user
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidGame("game-file.unreadable", text=text, reason=reason) from None
    path = Path(text).expanduser().resolve()
    stem = re.sub(r"\W", "_", path.stem)
    name = f"{_PREFIX}{stem}_{hashlib.sha256(source).hexdigest()[:16]}"
    if name not in sys.modules:
        _run(source, path, name, pick)
    return pick(sys.modules[name], path)


def _run(source: bytes, path: Path, name: str, pick: Callable[[ModuleType, Path], object]) -> None:
    """Makes a module of a file, with what stands beside the file for it to import."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # a suffix `.py` has a loader
    module = importlib.util.module_from_spec(spec)
    before = dict(sys.modules)
    sys.modules[name] = module
    try:
        with _beside(path):
            exec(_compiled(source, path), vars(module))
        pick(module, path)  # a file that holds nothing of use is no module
    except BaseException:
        del sys.modules[name]
        raise
    for other, imported in sys.modules.items():
        file = getattr(imported, "__file__", None)
        if other not in before and file and Path(file).is_relative_to(path.parent):
            note_source(Path(file), other)


def _compiled(source: bytes, path: Path) -> CodeType:
    try:
        return compile(source, str(path), "exec")
    except (SyntaxError, ValueError) as error:
        line, reason = getattr(error, "lineno", None) or 1, getattr(error, "msg", str(error))
        raise InvalidGame("game-file.syntax", text=path.name, line=line, reason=reason) from None


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """While inside, modules in the file's folder can be imported, and what the file raises is
    said with its line."""
    sys.path.insert(0, str(path.parent))
    try:
        yield
    except PapanError:
        raise
    except Exception as error:
        raise failure("game-file.raises", error, path) from error
    finally:
        sys.path.remove(str(path.parent))


def failure(message: str, error: Exception, path: Path, **values: object) -> InvalidGame:
    """The error for what a user's file has raised: its last line that was reached, and why."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    line = lines[-1] if lines else "?"
    return InvalidGame(message, text=path.name, line=line, reason=reason, **values)


def _game_of(module: ModuleType, path: Path) -> type[Game]:
    """The one game that is defined in a module."""
    found = {
        item
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, Game) and item.__module__ == module.__name__
    }
    if len(found) != 1:
        names = ", ".join(sorted(cls.__name__ for cls in found))
        message = "game-file.two-games" if found else "game-file.no-game"
        raise InvalidGame(message, text=path.name, names=names)
    [cls] = found
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if inspect.isabstract(cls):
        names = ", ".join(missing)
        raise InvalidGame("game-file.abstract", text=path.name, cls=cls.__name__, names=names)
    if "__dataclass_params__" not in vars(cls):
        dataclass(frozen=True)(cls)  # options work without the decorator
    return cls


# --- the rehearsal --------------------------------------------------------------------------------

_GAMES = 3  # played, each followed for at most `_PLIES`
_PLIES = 150
#: The bounds of a game's moves, each with the largest one allowed.
_BOUNDS: dict[Operation[..., int], int] = {
    rules.most_moves: rules.MOST_MOVES,
    rules.largest_move: rules.LARGEST_MOVE,
}

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
        most, largest = (self.bound(item, state) for item in _BOUNDS)
        while self.call(rules.more, state, rest) and len(codes) <= most:
            codes.append(int(self.call(rules.head, state, rest)))
            rest = self.call(rules.tail, state, rest)
        expected = sorted(set(codes))
        self.require(codes == expected, rules.moves, state, "ascending", codes, expected)
        limits = f"≤ {most} (most_moves), 0 … {largest} (largest_move)"
        few = len(codes) <= most and all(0 <= code <= largest for code in codes)
        found = f"{len(codes)}, {min(codes, default=0)} … {max(codes, default=0)}"
        self.require(few, rules.moves, state, "move-numbers", found, limits)
        over = bool(self.call(rules.is_over, state))
        self.require(over == (not codes), rules.is_over, state, "over", over, not codes)
        return codes

    def bound(self, item: Operation[..., Any], state: State) -> int:
        """A bound of the game's moves, which must be one that searches have room for."""
        value, most = int(self.call(item, state)), _BOUNDS[item]
        self.require(0 < value <= most, item, state, "move-numbers", value, f"1 … {most}")
        return value

    def next(self, state: State, move: int) -> State:
        """The state after a move, which must be of the same kind, and the other side's turn unless
        the game has extra turns."""
        child = self.call(rules.play, state, move)
        kinds = [_kinds(state), _kinds(child)]
        same = type(child) is type(state)
        words = type(child).__qualname__, type(state).__qualname__
        self.require(same, rules.play, state, "state-class", *words)
        self.require(kinds[0] == kinds[1], rules.play, state, "same-types", kinds[1], kinds[0])
        sides = [int(self.call(rules.side_to_move, one)) for one in (state, child)]
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
            field: type(value).__name__
            for field, value in zip(state._fields, state, strict=True)
            if not is_field(value)
        }
        if others:
            raise self.broken("start_state", start, "state-fields", others, "int, numpy.uint64")

    def call(self, item: Operation[..., Any], *args: Any) -> Any:
        """The result of an operation."""
        return self.guarded(item.__name__, item.implementation(type(args[0])), lambda: item(*args))

    def guarded(self, name: str, rule: Callable[..., Any], run: Callable[[], Any]) -> Any:
        """The result of a rule; an exception of it is reported with its line."""
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


def _kinds(state: Any) -> dict[str, str]:
    """The name of each field's type."""
    fields = getattr(type(state), "_fields", ())
    return {name: type(value).__name__ for name, value in zip(fields, state, strict=False)}
