"""Games in files of their own: a path to a Python file is a game's name.

    papan play mygame.py            papan match mygame.py:size=4 engine mcts

The file holds one subclass of `Game` and the rules of its state. It is loaded once in each process
for each of its contents, under a module name made of them, so that compiled code is found again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

from papan.core.game import Game
from papan.errors import InvalidGame, PapanError
from papan.kernel.dispatch import note_source

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
    try:
        source = Path(text).expanduser().read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidGame("game-file.unreadable", text=text, reason=reason) from None
    path = Path(text).expanduser().resolve()
    stem = re.sub(r"\W", "_", path.stem)
    name = f"{_PREFIX}{stem}_{hashlib.sha256(source).hexdigest()[:16]}"
    if name not in sys.modules:
        _run(source, path, name)
    cls = _game_of(sys.modules[name], path)
    cls.name = text  # the same contents may lie elsewhere by now, or be a step further away
    return cls


def _run(source: bytes, path: Path, name: str) -> None:
    """Makes a module of a file, with what stands beside the file for it to import."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # a suffix `.py` has a loader
    module = importlib.util.module_from_spec(spec)
    before = dict(sys.modules)
    sys.modules[name] = module
    try:
        with _beside(path):
            exec(_compiled(source, path), vars(module))
        _game_of(module, path)
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
