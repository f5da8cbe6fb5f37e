"""`papan games`: the games there are and their options."""

from __future__ import annotations

from typing import Any

import typer

from papan import spec
from papan.cli.parameters import Json
from papan.cli.terminal import Terminal
from papan.messages import Messages


def games(ctx: typer.Context, as_json: Json = False) -> None:
    """Lists the games with their options and evaluations."""
    from papan.games import registry

    terminal = ctx.ensure_object(Terminal)
    found = [description(registry.game_class(name), terminal.say) for name in registry.names()]
    if as_json:
        terminal.json({"games": found})
    else:
        terminal.show(_table(found, terminal.say))


def description(cls: Any, say: Messages) -> dict[str, Any]:
    """What a person needs to know to name a game."""
    about = f"game.{cls.name}"
    return {
        "name": cls.name,
        "title": cls.title,
        "about": say(about) if say(about) != about else cls.__doc__.split("\n")[0],
        "options": {
            name: {
                "about": say(facts["about"]),
                "expected": spec.expected(facts),
                "default": facts["default"],
            }
            for name, facts in spec.options_of(cls).items()
        },
        "evaluations": list(cls.evaluations),
    }


def _table(found: list[dict[str, Any]], say: Messages) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    columns = (say(f"games.{column}") for column in ("game", "option", "values", "about"))
    table = Table(*columns, box=box.SIMPLE_HEAD)
    for game in found:
        table.add_row(Text(game["name"], style="bold"), "", "", game["about"])
        for name, option in game["options"].items():
            default = f" ({option['default']})" if option["default"] else ""
            table.add_row("", name, option["expected"] + default, option["about"])
    return table
