"""The examples on the help pages: every command has some, and each can be typed as it stands."""

import contextlib
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from papan.cli.app import application
from papan.cli.command import Group, Page
from papan.cli.new import TEMPLATE
from papan.cli.terminal import Terminal
from papan.messages import LANGUAGES, Messages
from papan.players import registry as players
from papan.records.model import Record
from papan.records.store import Store
from papan.records.text import read
from papan.usercode import registry as games
from support import GALLERY, environment

#: Seconds that an example runs for before Ctrl-C: time to say that a word is wrong.
SECONDS = 4.0

BOT = "def choose(position, limit):\n    return position.moves()[0]\n"
EXECUTABLE = "#!/bin/sh\nexec papan ugi corners\n"
CUP = 'game = "platforms"\nplayers = ["random", "first"]\n'
GAME = '[Game "platforms"]\n[X "ann"]\n[O "ben"]\n[Result "*"]\n[Termination "time"]\n[Id "{id}"]\n'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of somebody who types the examples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAPAN_STORE", str(tmp_path / "own.sqlite"))
    (tmp_path / "submissions").mkdir()
    files = {"bot.py": BOT, "submissions/ann.py": BOT, "mybot": EXECUTABLE, "class.toml": CUP}
    files |= {"mygame.py": TEMPLATE, "games.txt": "\n".join(GAME.format(id=n) for n in (3, 12))}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "mybot").chmod(0o755)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "games").symlink_to(GALLERY)
    return tmp_path


def commands() -> Iterator[tuple[str, Page]]:
    """Each command by the words that call it."""
    unseen: list[tuple[str, Page]] = [("papan", application())]
    while unseen:
        words, command = unseen.pop()
        yield words, command
        if isinstance(command, Group):
            unseen += [(f"{words} {name}", one) for name, one in command.subcommands().items()]


def examples(words: str, language: str = "en") -> list[tuple[str, str]]:
    """The examples of a command: lines to be typed, and what they do."""
    return dict(commands())[words].examples(Messages(language))


def named(words: list[str]) -> tuple[Any, list[str]]:
    """The command that is called by the first of these words, and the others."""
    found = dict(commands())
    for count in range(len(words), 0, -1):
        if " ".join(words[:count]) in found:
            return found[" ".join(words[:count])], words[count:]
    raise AssertionError(f"no command: {words}")


EXAMPLES = [typed for words, _ in commands() for typed, _ in examples(words)]


@pytest.mark.parametrize("words", dict(commands()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_examples_that_say_what_they_do(words: str, language: str) -> None:
    found = examples(words, language)
    assert found, f"add cli….examples for `{words}` to the catalogue"
    for typed, about in found:
        assert typed.startswith("papan ")
        assert about.strip()
    if words != "papan":
        assert all(typed == words or typed.startswith(f"{words} ") for typed, _ in found)


@pytest.mark.parametrize("words", dict(commands()))
def test_examples_are_the_same_in_every_language_and_explained_in_each(words: str) -> None:
    first, *others = (examples(words, one) for one in LANGUAGES)
    for other in others:
        assert [typed for typed, _ in other] == [typed for typed, _ in first]
        assert all(ours != theirs for (_, ours), (_, theirs) in zip(first, other, strict=True))


@pytest.mark.parametrize("typed", EXAMPLES)
def test_an_example_can_be_typed_as_it_stands(typed: str, desk: Path) -> None:
    command, rest = named(shlex.split(typed))
    terminal = Terminal(Messages("en"))
    if rest == ["--help"]:
        with pytest.raises(click.exceptions.Exit):
            command.make_context("papan", rest, obj=terminal)
        return
    context = command.make_context("papan", list(rest), obj=terminal)
    for name, value in context.params.items():
        for word in value if isinstance(value, list | tuple) else [value]:
            if name == "game" and word and not word.endswith(".py"):
                assert games.game(word)
            if name.startswith("player") and word and not is_given_elsewhere(word):
                assert players.player(word)


@pytest.mark.long
@pytest.mark.parametrize("typed", sorted(set(EXAMPLES)))
def test_an_example_runs_as_it_stands(typed: str, desk: Path) -> None:
    for name in ("own.sqlite", "class.sqlite"):
        with Store(desk / name, create=True) as store:
            for game in read((desk / "games.txt").read_text()):
                assert isinstance(game, Record)
                store.add(game)
    words = shlex.split(typed)[1:]
    if words[0] == "web":
        words += ["--port", "0", "--no-open"]
    done = subprocess.Popen(
        [sys.executable, "-m", "papan", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        done.wait(SECONDS)
    done.send_signal(signal.SIGINT)
    _, err = done.communicate(timeout=60)
    assert done.returncode in (0, 130), err


def is_given_elsewhere(word: str) -> bool:
    """Whether a word stands for somebody, for something of the reader's own, or names either."""
    return word in ("human", "submissions") or "=" in word.partition(":")[0]


def test_the_help_page_ends_with_the_examples(papan: Any) -> None:
    done = papan("perft --help")
    assert done.status == 0
    *_, title, first, about, second, _ = done.out.splitlines()
    assert title == "Examples:"
    assert first.startswith("  papan perft ")
    assert about.startswith("      ")
    assert "--divide" in second
    assert "Contoh:" in papan("perft --help --lang id").out


def test_long_examples_stay_on_one_line(papan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    [longest] = [typed for typed in EXAMPLES if "--sprt" in typed]
    assert f"  {longest}\n" in papan("match --help").out
