"""`papan new game NAME`: creates the file of a new game."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from papan.cli import completion
from papan.cli.command import Group, command
from papan.cli.options import JsonOptions, argument, option
from papan.cli.terminal import EXIT_DONE, Terminal
from papan.errors import UsageError, naming
from papan.whole_files import write_whole

#: The subcommands in the order of the help page.
COMMANDS = {"game": "papan.cli.new:game"}

new = Group("new", "cli.new", COMMANDS, below="cli.new")

#: Template of a playable game: `TITLE`, `FILE` and `NewGame` are replaced.
TEMPLATE = '''"""TITLE: put a stone on a square that touches no other; if you cannot move, you lose.

papan play FILE
"""

from typing import NamedTuple

import papan.gamekit as rules

BOARD = rules.Grid(5, 5)
SQUARES = BOARD.mask


class State(NamedTuple):
    mine: rules.Bits  # the stones of the side to move
    theirs: rules.Bits
    side: int  # 0 if x is to move, 1 if o is


@rules.moves.register(State)
def _(state: State) -> rules.Bits:
    stones = state.mine | state.theirs
    return SQUARES & ~(stones | rules.orthogonal(stones))


@rules.play.register(State)
def _(state: State, move: int) -> State:
    return State(state.theirs, state.mine | rules.bit(move), 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -rules.WIN  # the side to move cannot move and loses


class NewGame(rules.Game):
    """Put a stone on a square that touches no other along an edge. If you cannot move, you lose."""

    board = BOARD

    def start_state(self) -> State:
        return State(rules.NONE, rules.NONE, 0)
'''


@dataclass(frozen=True, kw_only=True)
class NewGameOptions(JsonOptions):
    """Options of `papan new game`."""

    name: str = argument("NAME", "new-name")
    like: str | None = option("--like GAME", "like", None, complete=completion.gallery_games)


@command(NewGameOptions, "cli.new.game")
def game(options: NewGameOptions, terminal: Terminal) -> int:
    """Writes the file of a new game and prints the next steps."""
    words = _words(options.name)
    file = Path("_".join(words).lower() + ".py")
    text = rename_game(_source(options.like), words, file.name)
    if os.path.lexists(file):
        raise UsageError("new.exists", text=file)
    with naming(file):
        write_whole(file, text)
    if options.as_json:
        terminal.json({"file": str(file)})
    else:
        terminal.line(terminal.say("new.written", file=file).strip())
    return EXIT_DONE


def _words(name: str) -> list[str]:
    """Returns the words of a name: the same for `four-corners`, `four corners` and `FourCorners`.

    Raises:
        UsageError: The name does not start with a letter, or has characters that file names should
            not have.
    """
    stem = name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*([ _-][A-Za-z0-9]+)*", stem):
        raise UsageError("new.name", text=name)
    return re.split(r"[ _-]|(?<=[a-z0-9])(?=[A-Z])", stem)


def _source(like: str | None) -> str:
    """Returns the text of the new file.

    Raises:
        UsageError: The gallery has no game of this name.
    """
    if like is None:
        return TEMPLATE
    from papan.core import spec
    from papan.usercode.gallery import gallery

    files = gallery()
    stem = like.removesuffix(".py").replace("-", "_")
    if stem not in files:
        raise spec.unknown("new.unknown", like, files)
    return files[stem].read_text(encoding="utf-8")


def rename_game(source: str, words: list[str], file: str) -> str:
    """Returns the text of a game's file with another class name, title and file name."""
    title = " ".join(words).capitalize()
    cls = "".join(word[:1].upper() + word[1:] for word in words)
    if source is TEMPLATE:
        old, source = "NewGame", source.replace("TITLE", title).replace("FILE", file)
    else:
        [old] = re.findall(r"^class (\w+)\((?:rules\.)?Game\):", source, flags=re.MULTILINE)
        source = re.sub(r'\A"""[^:\n]*:', f'"""{title}:', source)
        source = re.sub(r"\bexamples/games/\w+\.py", file, source)
    return re.sub(rf"\b{old}\b", cls, source)
