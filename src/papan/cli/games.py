"""`papan games`: the games there are and their options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from papan.cli.parameters import Json
from papan.cli.terminal import Terminal
from papan.core import spec
from papan.messages import Messages


def games(ctx: typer.Context, as_json: Json = False) -> None:
    """Lists the games with their options and evaluations."""
    from papan.core import registry

    terminal = ctx.ensure_object(Terminal)
    found = [description(registry.game_class(name), terminal.say) for name in registry.names()]
    if as_json:
        terminal.json({"games": found})
    else:
        for part in _listing(found, terminal.say):
            terminal.show(part)


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


def _listing(found: list[dict[str, Any]], say: Messages) -> Iterator[Any]:
    """For each game what it is about, and a table of its options and evaluations."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    for game in found:
        yield Text.assemble((game["name"], "bold"), f"  {game['about']}")
        table = Table.grid(padding=(0, 3, 0, 0))
        for name, option in game["options"].items():
            default = f" ({option['default']})" if option["default"] else ""
            table.add_row(name, option["expected"] + default, option["about"])
        table.add_row("--evaluation", " | ".join(game["evaluations"]), say("cli.option.evaluation"))
        yield Padding(table, (0, 0, 1, 4))
