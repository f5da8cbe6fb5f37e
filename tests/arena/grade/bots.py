"""Bots that somebody might hand in."""

from pathlib import Path

GOOD = """
def choose(position, limit):
    return position.moves()[0]
"""

ILLEGAL = """
def choose(position, limit):
    moves = position.moves()
    return "(-1, -1)" if len(moves) > 1 else moves[0]
"""

HANGING = """
import time

def choose(position, limit):
    time.sleep(600)
"""

#: A bot that moves once and then no more.
HANGING_LATER = """
import time

calls = []

def choose(position, limit):
    calls.append(position)
    time.sleep(600 if len(calls) > 1 else 0)
"""

CRASHING = """
def choose(position, limit):
    return [][1]
"""

#: A program that writes for ever.
YES = """#!/bin/sh
exec yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes
"""

BROKEN = """
def choose(
"""


def hand_in(folder: Path, **texts: str) -> Path:
    """A folder with these bots: name → what is in the file."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        file = folder / (f"{name}.py" if not text.startswith("#!") else name)
        file.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            file.chmod(0o755)
    return folder
