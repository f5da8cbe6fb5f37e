"""Writes the help of all commands to a Markdown file: `python -m docs.help`.

The page of commands includes this file. A test compares the file with the output of the commands.
"""

from __future__ import annotations

import contextlib
import io
import os
from unittest import mock

from docs.measures import MADE
from papan.cli import main

PIECE = MADE / "help.md"

#: Environment of the commands: width and language of the help.
SURROUNDINGS = {"COLUMNS": "88", "PAPAN_LANG": "en", "NO_COLOR": "1"}


def commands() -> list[str]:
    """Returns the commands in the order of `papan --help`; subcommands follow their group."""
    from papan.cli.app import application
    from papan.cli.command import Group

    found = []
    for name, command in application().subcommands().items():
        inner = command.subcommands() if isinstance(command, Group) else {}
        found += [name, *(f"{name} {each}" for each in inner)]
    return found


def help_of(command: str) -> str:
    """Returns the output of `papan COMMAND --help`."""
    printed = io.StringIO()
    with mock.patch.dict(os.environ, SURROUNDINGS), contextlib.redirect_stdout(printed):
        status = main([*command.split(), "--help"])
    assert status == 0, command
    return printed.getvalue().strip()


def piece() -> str:
    """Returns the Markdown with the help of all commands."""
    parts = [f"### `papan {name}`\n\n```text\n{help_of(name)}\n```" for name in commands()]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PIECE.write_text(piece(), encoding="utf-8")
