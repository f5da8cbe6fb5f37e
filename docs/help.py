"""A hook of mkdocs: puts the help of each command on the page of commands, as it is printed."""

from __future__ import annotations

import contextlib
import io
import os
from typing import Any
from unittest import mock

from papan.cli import main

PAGE = "reference/commands.md"

#: What the help is wrapped to, and written in.
SURROUNDINGS = {"COLUMNS": "88", "PAPAN_LANG": "en", "NO_COLOR": "1"}


def commands() -> list[str]:
    """The commands in the order of `papan --help`, those of a group with the group's name."""
    from papan.cli.app import application
    from papan.cli.command import Group

    found = []
    for name, command in application().subcommands().items():
        inner = command.subcommands() if isinstance(command, Group) else {}
        found += [name, *(f"{name} {each}" for each in inner)]
    return found


def help_of(command: str) -> str:
    """The output of `papan COMMAND --help`."""
    printed = io.StringIO()
    with mock.patch.dict(os.environ, SURROUNDINGS), contextlib.redirect_stdout(printed):
        status = main([*command.split(), "--help"])
    assert status == 0, command
    return printed.getvalue().strip()


def on_page_markdown(markdown: str, page: Any, **_event: object) -> str:
    """The page with the help of each command behind it."""
    if page.file.src_uri != PAGE:
        return markdown
    parts = [f"### `papan {name}`\n\n```text\n{help_of(name)}\n```" for name in commands()]
    return "\n\n".join([markdown, "## Every option", *parts, ""])
