"""Games in files: the path of a Python file is the name of its game.

    papan play mygame.py            papan match mygame.py:size=4 engine mcts

The file has one subclass of `Game` and the rules of its state. Each process loads it once for each
content, under a module name with a digest of the content, so that compiled code is found again.

Then the smoke test plays the game (`papan.usercode.smoke_test`). A file that is new to this machine
is first loaded and tested in a child process (`papan.usercode.sandbox`).
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

#: A spec with a path, and options after a colon.
_SPEC = re.compile(r"(.+?\.py)(?::(.*))?", flags=re.DOTALL)
_PREFIX = "papan_game_"
#: Held while a file is loaded, because its module is in `sys.modules` and its folder in `sys.path`
#: before it is complete. Reentrant, because a file may load another one.
_loading = threading.RLock()
_loaded: set[type[Game]] = set()


def split(text: str) -> tuple[str, str] | None:
    """Returns the path and the options of a spec that names a file; None for other specs."""
    found = _SPEC.fullmatch(text.strip())
    return (found[1], found[2] or "") if found else None


def load(text: str, name: str = "") -> type[Game]:
    """Returns the game class of a file; `name` replaces the path in specs.

    Raises:
        InvalidGame: The file does not exist, cannot be run, or does not have exactly one game.
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
    """Tests a readable file in a child process; returns true if it was tested just now."""
    path = None
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # NUL; no such user
        path = Path(text).expanduser().resolve(strict=True)
    if path is not None and path.is_file() and os.access(path, os.R_OK):
        return require_harmless(path, options)
    return False


def build(text: str, options: str, name: str = "") -> Game:
    """Returns the tested game of a file with options as in a spec; `name` as in `load`.

    Raises:
        InvalidSpec: An option is not allowed.
        InvalidGame: As `load`; or the game cannot be created, or violates an invariant.
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
    """True if this process loaded the file at that path, with any content."""
    try:
        path = str(Path(text).expanduser().resolve())
    except (OSError, ValueError, RuntimeError):  # no such user; NUL; links in a circle
        return False
    loaded = (module for name, module in list(sys.modules.items()) if name.startswith(_PREFIX))
    return any(module.__file__ == path for module in loaded)


def is_users(game: Game) -> bool:
    """True if a game comes from a user's file and not from the package."""
    return type(game).__module__.startswith(_PREFIX)


def load_class(text: str, pick: Callable[[ModuleType, Path], type[T]]) -> type[T]:
    """Returns the class that `pick` selects in the module of a file.

    Raises:
        InvalidGame: The file does not exist or cannot be run.
    """
    try:
        path = Path(text).expanduser().resolve()
        if path.exists() and not path.is_file() and not path.is_dir():
            # Reading a pipe would wait for its writer.
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
    """Runs a file as a module; modules in its folder can be imported."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # a suffix `.py` has a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    vars(module)["print"] = aside  # stdout is for what Papan says
    failures.add_file(path)
    try:
        with _beside(path):
            exec(_compiled(source, path), vars(module))
        pick(module, path)  # raises an error if the file has no game
    except BaseException:
        del sys.modules[name]
        raise


def _compiled(source: bytes, path: Path) -> CodeType:
    try:
        # Python compiles undecodable bytes in comments, and then cannot show the source.
        return compile(importlib.util.decode_source(source), str(path), "exec")
    except (SyntaxError, ValueError) as error:
        at = source.count(b"\n", 0, error.start) + 1 if isinstance(error, UnicodeDecodeError) else 1
        line, reason = getattr(error, "lineno", None) or at, getattr(error, "msg", str(error))
        raise InvalidGame("game-file.syntax", text=path.name, line=line, reason=reason) from None


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[None]:
    """Makes modules in the file's folder importable inside, and reports exceptions with their
    line."""
    sys.path.insert(0, str(path.parent))
    try:
        with failures.run_file(path):
            yield
    finally:
        sys.path.remove(str(path.parent))


def _game_of(module: ModuleType, path: Path) -> type[Game]:
    """Returns the only game that a module defines."""
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


# --- pickles: other processes cannot import the module of a user's file


def _game_pickled(game: Game) -> tuple[Any, ...]:
    return _game_of_spec, (game.spec,)


def _game_of_spec(spec: str) -> Game:
    """Returns the game of a pickle. Loading its file is safe, because unpickling runs code
    anyway."""
    from papan.usercode import registry

    return registry.game(spec)


def _position_pickled(position: Position) -> tuple[Any, ...]:
    if is_users(position.game):
        return _position_of_line, (position.game, str(position), position.past)
    return Position.unchecked, (position.game, position.state, position.past)


def _position_of_line(game: Game, line: str, past: tuple[int, ...]) -> Position:
    return Position.unchecked(game, game.read_state(line), past)


copyreg.pickle(Position, _position_pickled)
