"""`papan rules GAME`: the rules of a game, for people."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from papan.cli.parameters import GameSpec, Json
from papan.cli.terminal import Terminal

if TYPE_CHECKING:
    from papan.core.game import Game


def rules(ctx: typer.Context, game: GameSpec, as_json: Json = False) -> None:
    """Prints the rules of a game."""
    from papan.core import registry

    terminal = ctx.ensure_object(Terminal)
    chosen = registry.game(game)
    text = rules_text(chosen, terminal.say.language)
    if as_json:
        terminal.json({"game": chosen.spec, "language": terminal.say.language, "rules": text})
        return
    from rich.markdown import Markdown

    terminal.show(Markdown(text))


def rules_text(game: Game, language: str) -> str:
    """The Markdown file `rules.<language>.md` beside the game's class, the English one if there
    is none, or what the class says of itself."""
    folder = Path(inspect.getfile(type(game))).parent
    for file in (folder / f"rules.{language}.md", folder / "rules.en.md"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return inspect.getdoc(game) or game.title
