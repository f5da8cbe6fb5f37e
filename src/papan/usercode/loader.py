"""Games in files of their own: a path to a Python file is a game's name.

    papan play mygame.py            papan match mygame.py:size=4 engine mcts

The file holds one subclass of `Game` and the rules of its state. It is loaded once in each process
for each of its contents, under a module name made of them, so that compiled code is found again.

Then the game is tried out (`papan.usercode.smoke_test`). A file that is new to this machine is
first loaded and tried out in a process of its own (`papan.usercode.sandbox`).
"""

from __future__ import annotations

import contextlib
import copyreg
import errno
import functools
import hashlib
import importlib.util
import inspect
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

from papan.core import spec as specs
from papan.core.game import Game, Position
from papan.errors import InvalidGame
from papan.rules.dispatch import aside
from papan.usercode import failures
from papan.usercode.contract.locate import line_of_class
from papan.usercode.sandbox import require_harmless
from papan.usercode.smoke_test import run_smoke_test
from papan.usercode.watchdog import guard

T = TypeVar("T")

#: A spec that begins with a path: the path, and the options behind a colon.
_SPEC = re.compile(r"(.+?\.py)(?::(.*))?", flags=re.DOTALL)
_PREFIX = "papan_game_"
#: Held while a file is loaded: its module is in `sys.modules`, and its folder in `sys.path`, before
#: it is complete. A file may itself load another one.
_loading = threading.RLock()
_loaded: set[type[Game]] = set()


def split(text: str) -> tuple[str, str] | None:
    """The path and the options of a spec that names a file; None if it names none."""
    found = _SPEC.fullmatch(text.strip())
    return (found[1], found[2] or "") if found else None


def load(text: str, name: str = "") -> type[Game]:
    """The game of the file at that path; `name` is what specs call it, if not by the path.

    Raises:
        InvalidGame: there is no such file, it cannot be run, or it does not hold just one game.
    """
    with _loading:
        if not name:  # the gallery's files have been tried in every way
            _try_apart(text, None)
        return _load(text, name)


def _load(text: str, name: str) -> type[Game]:
    cls = load_class(text, _game_of)
    if cls not in _loaded:
        guard(cls, Game)
        failures.explain_methods(cls)
        _loaded.add(cls)
    copyreg.pickle(cls, _game_pickled)
    cls.name = name or text  # the same contents may lie elsewhere by now, or be a step further away
    return cls


def _try_apart(text: str, options: str | None) -> bool:
    """Has a file tried out in a process of its own, if it can be read at all; True if it was."""
    path = None
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # NUL; no such user
        path = Path(text).expanduser().resolve(strict=True)
    if path is not None and path.is_file() and os.access(path, os.R_OK):
        return require_harmless(path, options)
    return False


def build(text: str, options: str, name: str = "") -> Game:
    """The game of the file at that path, with options as in a spec, tested; `name` as in `load`.

    Raises:
        InvalidSpec: an option is not allowed.
        InvalidGame: as `load`; or the game cannot be made, or breaks an invariant.
    """
    with _loading:
        was_tested = _try_apart(text, options)
        cls = _load(text, name)
        with failures.run_file(Path(inspect.getfile(cls))):
            found = specs.build(cls, name or text, options)
        if not was_tested:
            _test_once(found)
        return found


@functools.cache
def _test_once(game: Game) -> None:
    """Runs the smoke test of a game once in this process."""
    run_smoke_test(game)


def is_loaded(text: str) -> bool:
    """True if the file at that path was loaded in this process, whatever it holds by now."""
    try:
        path = str(Path(text).expanduser().resolve())
    except (OSError, ValueError, RuntimeError):  # no such user; NUL; links in a circle
        return False
    loaded = (module for name, module in list(sys.modules.items()) if name.startswith(_PREFIX))
    return any(module.__file__ == path for module in loaded)


def is_users(game: Game) -> bool:
    """True if a game comes from a file of its own, and not with the package."""
    return type(game).__module__.startswith(_PREFIX)


def load_class(text: str, pick: Callable[[ModuleType, Path], type[T]]) -> type[T]:
    """The class that `pick` finds in the module of the file at that path.

    Raises:
        InvalidGame: there is no such file, or it cannot be run.
    """
    try:
        path = Path(text).expanduser().resolve()
        if path.exists() and not path.is_file() and not path.is_dir():
            # To read a pipe is to wait for its writer.
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        source = path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # NUL; no such user
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidGame("game-file.unreadable", text=text, reason=reason) from None
    stem = re.sub(r"\W", "_", path.stem)
    name = f"{_PREFIX}{stem}_{hashlib.sha256(source).hexdigest()[:16]}"
    with _loading:
        if name not in sys.modules:
            _run(source, path, name, pick)
        return pick(sys.modules[name], path)


def _run(source: bytes, path: Path, name: str, pick: Callable[[ModuleType, Path], object]) -> None:
    """Makes a module of a file, with what stands beside the file for it to import."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # a suffix `.py` has a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    vars(module)["print"] = aside  # stdout is for what Papan says
    failures.add_file(path)
    try:
        with _beside(path):
            exec(_compiled(source, path), vars(module))
        pick(module, path)  # a file that holds nothing of use is no module
    except BaseException:
        del sys.modules[name]
        raise


def _compiled(source: bytes, path: Path) -> CodeType:
    try:
        # Python compiles bytes that are no text in a comment, and then cannot show the source.
        return compile(importlib.util.decode_source(source), str(path), "exec")
    except (SyntaxError, ValueError) as error:
        at = source.count(b"\n", 0, error.start) + 1 if isinstance(error, UnicodeDecodeError) else 1
        line, reason = getattr(error, "lineno", None) or at, getattr(error, "msg", str(error))
        raise InvalidGame("game-file.syntax", text=path.name, line=line, reason=reason) from None


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[None]:
    """While inside, modules in the file's folder can be imported, and what the file raises is
    said with its line."""
    sys.path.insert(0, str(path.parent))
    try:
        with failures.run_file(path):
            yield
    finally:
        sys.path.remove(str(path.parent))


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
    where = {"text": path.name, "line": line_of_class(cls), "cls": cls.__name__}
    if inspect.isabstract(cls):
        raise InvalidGame("game-file.abstract", names=", ".join(missing), **where)
    if "__dataclass_params__" not in vars(cls):
        dataclass(frozen=True)(cls)  # options work without the decorator
    if cls.__init__.__code__.co_filename == str(path):
        raise InvalidGame("game-file.own-init", **where)
    return cls


# --- pickles: the classes of a file are in no module that another process can import


def _game_pickled(game: Game) -> tuple[Any, ...]:
    return _game_of_spec, (game.spec,)


def _game_of_spec(spec: str) -> Game:
    """The game in a pickle. Its file is loaded: who unpickles trusts the pickle anyway."""
    from papan.usercode import registry

    return registry.game(spec)


def _position_pickled(position: Position) -> tuple[Any, ...]:
    if is_users(position.game):
        return _position_of_line, (position.game, str(position), position.past)
    return Position.unchecked, (position.game, position.state, position.past)


def _position_of_line(game: Game, line: str, past: tuple[int, ...]) -> Position:
    return Position.unchecked(game, game.read_state(line), past)


copyreg.pickle(Position, _position_pickled)
