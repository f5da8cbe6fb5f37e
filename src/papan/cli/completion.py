"""Offers for the shell when the tab key is pressed: games, players, algorithms, their options, and
files; and the scripts that make bash, zsh and fish ask for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from papan.cli.terminal import Terminal
from papan.core import spec
from papan.errors import PapanError, UsageError
from papan.messages import Messages, preferred_language
from papan.whole_files import write_whole

#: The variable by which a shell's script asks: `<shell>_complete`.
VARIABLE = "_PAPAN_COMPLETE"

#: For each shell the file below the home folder that it reads at its start, and the line in it
#: that loads the script.
PLACES = {
    "bash": (".bashrc", f'eval "$({VARIABLE}=bash_source papan)"'),
    "zsh": (".zshrc", f'eval "$({VARIABLE}=zsh_source papan)"'),
    "fish": (".config/fish/completions/papan.fish", f"{VARIABLE}=fish_source papan | source"),
}

#: Where bash starts a new word, although a spec goes on.
_BREAKS = ":="

#: Words, or items that have a description or stand for files.
Offers = list[Any]


def files(typed: str) -> Offers:
    """Any files: the shell knows them."""
    return [CompletionItem(typed, type="file")]


def folders(typed: str) -> Offers:
    """Any folders: the shell knows them."""
    return [CompletionItem(typed, type="dir")]


def games(typed: str) -> Offers:
    """Games, and after a colon their options; files where no game begins so."""
    from papan.usercode import registry
    from papan.usercode.gallery import gallery

    names = [*registry.names(), *gallery()]
    offers = specs(typed, names, registry.game_class, "game.")
    return offers if offers or ":" in typed else files(typed)


def gallery_games(typed: str) -> Offers:
    """The games of the gallery."""
    from papan.usercode.gallery import gallery

    return list(gallery())


def players(typed: str) -> Offers:
    """Players that need no person, and after a colon their options."""
    return [offer for offer in participants(typed) if offer.value != "human"]


def bots(typed: str) -> Offers:
    """Players, or files and folders where no player begins so."""
    offers = players(typed)
    return offers if offers or ":" in typed else files(typed)


def participants(typed: str) -> Offers:
    """People and players, and after a colon their options."""
    from papan.players import registry

    return specs(typed, registry.names(), registry.player_class, "player.")


def algorithms(typed: str) -> Offers:
    """Search algorithms, and after a colon their options."""
    from papan.search import registry

    return specs(typed, registry.names(), lambda name: type(registry.algorithm(name)), "")


def traceable(typed: str) -> Offers:
    """Search algorithms and the player `genetic`: all that has a tree to draw."""
    return [*algorithms(typed), *(each for each in players(typed) if "genetic" in each.value)]


def evaluations(typed: str) -> Offers:
    """The evaluations of all games: while a value is being typed, the parser does not yet tell
    which game it is for."""
    from papan.usercode import registry

    lists = [registry.game_class(name).evaluations for name in registry.names()]
    names = sorted({"learned", "none", *(evaluation for each in lists for evaluation in each)})
    return names if any(name.startswith(typed) for name in names) else files(typed)


def benches(typed: str) -> Offers:
    """Kinds of measurements."""
    from papan.cli.bench import KINDS

    return list(KINDS)


def formats(typed: str) -> Offers:
    """Formats of tournaments."""
    from papan.arena.schedule import FORMATS

    return list(FORMATS)


def sections(typed: str) -> Offers:
    """Sections of the sources' tables."""
    from papan.cli.reproduce import SECTIONS

    return list(SECTIONS)


def results(typed: str) -> Offers:
    """Results of games."""
    from papan.records.model import RESULTS

    return list(RESULTS)


def specs(
    typed: str, names: Iterable[str], class_of: Callable[[str], type], topic: str
) -> list[CompletionItem[str]]:
    """Ways for a spec that was typed in part to go on.

    Args:
        typed: what there is so far.
        names: what the spec may name.
        class_of: the class with the options of a name.
        topic: the beginning of the messages that describe the names; empty for none.
    """
    say = Messages(preferred_language())
    name, colon, rest = typed.partition(":")
    if not colon:
        offers = {each: f"{topic}{each}" for each in names}
        return _items(typed, {each: say(about) for each, about in offers.items()}, offers)
    try:
        options = spec.options_of(class_of(name))
    except PapanError:
        return []
    before, comma, last = rest.rpartition(",")
    start = f"{name}:{before}{comma}"
    key, equals, _ = last.partition("=")
    if not equals:
        return _items(typed, {f"{start}{each}=": say(options[each]["about"]) for each in options})
    choices = options[key]["choices"] if key in options else ()
    return _items(typed, {f"{start}{key}={choice}": "" for choice in choices})


def _items(
    typed: str, offers: dict[str, str], unknown: dict[str, str] | None = None
) -> list[CompletionItem[str]]:
    """Offers that begin with what was typed, with their descriptions unless those are missing."""
    return [
        CompletionItem(offer, help=about if about != (unknown or {}).get(offer, "") else None)
        for offer, about in offers.items()
        if offer.startswith(typed)
    ]


# --- shells


class SpecsInBash(BashComplete):
    """Completion for bash, which breaks words at `:` and `=` and puts each offer in place of the
    last piece only. So the pieces are joined before, and what stands before the last is cut off
    after."""

    # A word that ends with a colon or an equals sign goes on: no space behind it.
    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)",
        'COMPREPLY+=("$value")\n            [[ $value == *[=:] ]] && compopt -o nospace',
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is being typed, and this one."""
        pieces = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
        *before, last = join_pieces(pieces)
        return split_arg_string("\n".join(before))[1:], last.lstrip("'\"")

    def format_completion(self, item: CompletionItem[str]) -> str:
        """An offer for the script: its type, and the part of it that bash has not yet."""
        _, typed = self.get_completion_args()
        if typed.startswith("-"):
            typed = typed.partition("=")[2]  # the value of `--option=value` is completed alone
        known = typed[: max(typed.rfind(character) for character in _BREAKS) + 1]
        return f"{item.type},{item.value.removeprefix(known)}"


class SpecsInFish(FishComplete):
    """Completion for fish, whose script would cut an offer at its first comma."""

    source_template = FishComplete.source_template.replace(
        'string split ","', 'string split --max 1 ","'
    )


def join_pieces(pieces: Iterable[str]) -> list[str]:
    """The words that bash has broken into these pieces."""
    words: list[str] = []
    for piece in pieces:
        breaks = set(_BREAKS)
        if words and piece and (set(piece) <= breaks or words[-1][-1:] in breaks):
            words[-1] += piece
        else:
            words.append(piece)
    return words


def shell(name: str) -> type[ShellComplete]:
    """The class that completes for a shell.

    Raises:
        UsageError: there is no completion for it.
    """
    add_completion_class(SpecsInBash)
    add_completion_class(SpecsInFish)
    completion = get_completion_class(name) if name in PLACES else None
    if completion is None:
        raise UsageError("cli.completion.unknown-shell", text=name, known=", ".join(PLACES))
    return completion


def answer(command: click.Command, terminal: Terminal, instruction: str) -> None:
    """Prints what a shell asks for: its script (`bash_source`) or offers (`bash_complete`)."""
    name, _, action = instruction.partition("_")
    completion = shell(name)(command, {"obj": terminal}, "papan", VARIABLE)
    print(completion.complete() if action == "complete" else completion.source())


def shell_in_use() -> str:
    """The name of the user's shell.

    Raises:
        UsageError: there is no completion for it.
    """
    name = Path(os.environ.get("SHELL", "")).name
    shell(name)
    return name


def install(name: str) -> Path:
    """Makes a shell load its script at each start; returns the file that was changed for it.

    Raises:
        UsageError: the file cannot be written.
    """
    place, line = PLACES[name]
    file = Path.home() / place
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if line not in before.splitlines():
            gap = "\n" if before and not before.endswith("\n") else ""
            write_whole(file, f"{before}{gap}{line}\n")
    except OSError as error:
        raise UsageError("usage.unwritable", text=file, reason=error.strerror) from None
    return file
