"""`papan games` and `papan rules GAME`: the games with their options and rules."""

from __future__ import annotations

import inspect
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, option
from papan.cli.terminal import EXIT_DONE, Terminal
from papan.core import spec

if TYPE_CHECKING:
    from papan.core.game import Game
    from papan.messages import Messages

#: Spaces before options and between columns.
_INDENT, _GAP = 4, 3

#: Minimum width of a description in columns.
_NARROWEST = 24


@dataclass(frozen=True, kw_only=True)
class GamesOptions(JsonOptions):
    """Options of `papan games`."""

    all: bool = option("--all", "all", False)


@command(GamesOptions)
def games(options: GamesOptions, terminal: Terminal) -> int:
    """Lists the games with their options and evaluations."""
    from papan.usercode import registry
    from papan.usercode.gallery import gallery

    names = [*registry.names(), *(gallery() if options.all else ())]
    descriptions = [description(registry.game_class(name), terminal.say) for name in names]
    if options.as_json:
        terminal.json({"games": descriptions, "gallery": list(gallery())})
        return EXIT_DONE
    for line in _listing(descriptions, terminal.say):
        terminal.line(line)
    if not options.all:
        more = terminal.say("cli.games.gallery", names=", ".join(gallery()))
        for line in textwrap.wrap(more, shutil.get_terminal_size().columns):
            terminal.line(line)
    return EXIT_DONE


def description(cls: Any, say: Messages) -> dict[str, Any]:
    """Returns the description of a game: names, options, evaluations."""
    about = f"game.{cls.name}"
    return {
        "name": cls.name,
        "title": cls.title,
        "about": say(about) if say(about) != about else cls.__doc__.split("\n")[0],
        "options": {
            name: {
                "about": say(facts["about"]),
                "expected": spec.describe_expected(facts),
                "default": facts["default"],
            }
            for name, facts in spec.options_of(cls).items()
        },
        "evaluations": list(cls.evaluations),
    }


def _listing(descriptions: list[dict[str, Any]], say: Messages) -> Iterator[str]:
    """Returns the description of each game, and a table of options and evaluations."""
    columns = shutil.get_terminal_size().columns
    for game in descriptions:
        first, *others = textwrap.wrap(f"{game['name']}  {game['about']}", columns)
        yield first.replace(game["name"], _bold(game["name"]), 1)
        yield from others
        evaluations = (" | ".join(game["evaluations"]), say("cli.option.evaluation"))
        rows = [_cells(name, facts) for name, facts in game["options"].items()]
        yield from _table([*rows, ("--evaluation", *evaluations)], columns)
        yield ""


def _cells(name: str, facts: dict[str, Any]) -> tuple[str, str, str]:
    default = f" ({facts['default']})" if facts["default"] else ""
    return name, facts["expected"] + default, facts["about"]


def _table(rows: list[tuple[str, str, str]], columns: int) -> Iterator[str]:
    """Returns rows of three cells; the last cell is wrapped at the width of the terminal."""
    first, second = (max(len(row[index]) for row in rows) + _GAP for index in (0, 1))
    before = _INDENT + first + second
    width = max(_NARROWEST, columns - before)
    for name, expected, about in rows:
        start = " " * _INDENT + f"{name:{first}}{expected:{second}}"
        for line in textwrap.wrap(about, width):
            yield start + line
            start = " " * before


def _bold(text: str) -> str:
    """Returns the text in bold, or unchanged in a pipe and with `NO_COLOR`."""
    plain = not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain else f"\x1b[1m{text}\x1b[0m"


@dataclass(frozen=True, kw_only=True)
class RulesOptions(GameArgument, JsonOptions):
    """Options of `papan rules`."""


@command(RulesOptions)
def rules(options: RulesOptions, terminal: Terminal) -> int:
    """Prints the rules of a game."""
    from papan.usercode import registry

    chosen = registry.game(options.game)
    language = terminal.say.language
    text = rules_text(chosen, language)
    if options.as_json:
        terminal.json({"game": chosen.spec, "language": language, "rules": text})
        return EXIT_DONE
    from rich.markdown import Markdown

    terminal.show(Markdown(text))
    return EXIT_DONE


def rules_text(game: Game, language: str) -> str:
    """Returns the Markdown file `rules.<language>.md` next to the game's class, else the English
    one, else the description of the class."""
    folder = Path(inspect.getfile(type(game))).parent
    for file in (folder / f"rules.{language}.md", folder / "rules.en.md"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return inspect.getdoc(game) or game.title
