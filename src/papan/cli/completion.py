"""Shell completion: games, players, algorithms, their options, and files; and the scripts for
bash, zsh and fish."""

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

#: Environment variable of a completion request: `<shell>_complete`.
VARIABLE = "_PAPAN_COMPLETE"

#: For each shell its start file below the home folder, and the line
#: that loads the script.
PLACES = {
    "bash": (".bashrc", f'eval "$({VARIABLE}=bash_source papan)"'),
    "zsh": (".zshrc", f'eval "$({VARIABLE}=zsh_source papan)"'),
    "fish": (".config/fish/completions/papan.fish", f"{VARIABLE}=fish_source papan | source"),
}

#: Characters at which bash splits words, even inside a spec.
_BREAKS = ":="

#: Words, or items with a description or for files.
Offers = list[Any]


def files(typed: str) -> Offers:
    """Returns any files; the shell lists them."""
    return [CompletionItem(typed, type="file")]


def folders(typed: str) -> Offers:
    """Returns any folders; the shell lists them."""
    return [CompletionItem(typed, type="dir")]


def games(typed: str) -> Offers:
    """Returns games, and after a colon their options; files if no game matches."""
    from papan.usercode import registry
    from papan.usercode.gallery import gallery

    names = [*registry.names(), *gallery()]
    offers = specs(typed, names, registry.game_class, "game.")
    return offers if offers or ":" in typed else files(typed)


def gallery_games(typed: str) -> Offers:
    """Returns the games of the gallery."""
    from papan.usercode.gallery import gallery

    return list(gallery())


def players(typed: str) -> Offers:
    """Returns players except people, and after a colon their options."""
    return [offer for offer in participants(typed) if offer.value != "human"]


def bots(typed: str) -> Offers:
    """Returns players, or files and folders if no player matches."""
    offers = players(typed)
    return offers if offers or ":" in typed else files(typed)


def participants(typed: str) -> Offers:
    """Returns people and players, and after a colon their options."""
    from papan.players import registry

    return specs(typed, registry.names(), registry.player_class, "player.")


def algorithms(typed: str) -> Offers:
    """Returns search algorithms, and after a colon their options."""
    from papan.search import registry

    return specs(typed, registry.names(), lambda name: type(registry.algorithm(name)), "")


def traceable(typed: str) -> Offers:
    """Returns the algorithms with a tree to draw: search algorithms and the player `genetic`."""
    return [*algorithms(typed), *(each for each in players(typed) if "genetic" in each.value)]


def evaluations(typed: str) -> Offers:
    """Returns the evaluations of all games, because the game is not known yet while a value is
    typed."""
    from papan.usercode import registry

    lists = [registry.game_class(name).evaluations for name in registry.names()]
    names = sorted({"learned", "none", *(evaluation for each in lists for evaluation in each)})
    return names if any(name.startswith(typed) for name in names) else files(typed)


def benches(typed: str) -> Offers:
    """Returns the kinds of measurements."""
    from papan.cli.bench import KINDS

    return list(KINDS)


def formats(typed: str) -> Offers:
    """Returns the formats of tournaments."""
    from papan.arena.event import FORMATS

    return list(FORMATS)


def results(typed: str) -> Offers:
    """Returns the results of games."""
    from papan.records.model import RESULTS

    return list(RESULTS)


def specs(
    typed: str, names: Iterable[str], class_of: Callable[[str], type], topic: str
) -> list[CompletionItem[str]]:
    """Returns completions of a partial spec.

    Args:
        typed: the typed text.
        names: names that the spec may have.
        class_of: the class with the options of a name.
        topic: the prefix of description messages; empty for none.
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
    """Returns the matching completions with their descriptions, if any."""
    return [
        CompletionItem(offer, help=about if about != (unknown or {}).get(offer, "") else None)
        for offer, about in offers.items()
        if offer.startswith(typed)
    ]


# --- shells


class SpecsInBash(BashComplete):
    """Completion for bash, which splits words at `:` and `=` and replaces only the last piece.
    So pieces are joined before completion, and the other pieces are removed afterwards."""

    # No space after a word that ends with a colon or an equals sign.
    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)",
        'COMPREPLY+=("$value")\n            [[ $value == *[=:] ]] && compopt -o nospace',
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """Returns the words before the current one, and the current word."""
        pieces = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
        *before, last = join_pieces(pieces)
        return split_arg_string("\n".join(before))[1:], last.lstrip("'\"")

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Returns a completion for the script: its type, and the part that bash does not have
        yet."""
        _, typed = self.get_completion_args()
        if typed.startswith("-"):
            typed = typed.partition("=")[2]  # the value of `--option=value` is completed alone
        known = typed[: max(typed.rfind(character) for character in _BREAKS) + 1]
        return f"{item.type},{item.value.removeprefix(known)}"


class SpecsInFish(FishComplete):
    """Completion for fish, whose script would cut completions at the first comma."""

    source_template = FishComplete.source_template.replace(
        'string split ","', 'string split --max 1 ","'
    )


def join_pieces(pieces: Iterable[str]) -> list[str]:
    """Returns the words that bash split into these pieces."""
    words: list[str] = []
    for piece in pieces:
        breaks = set(_BREAKS)
        if words and piece and (set(piece) <= breaks or words[-1][-1:] in breaks):
            words[-1] += piece
        else:
            words.append(piece)
    return words


def shell(name: str) -> type[ShellComplete]:
    """Returns the completion class of a shell.

    Raises:
        UsageError: The shell is not supported.
    """
    add_completion_class(SpecsInBash)
    add_completion_class(SpecsInFish)
    completion = get_completion_class(name) if name in PLACES else None
    if completion is None:
        raise UsageError("cli.completion.unknown-shell", text=name, known=", ".join(PLACES))
    return completion


def answer(command: click.Command, terminal: Terminal, instruction: str) -> None:
    """Prints the script (`bash_source`) or the completions (`bash_complete`) for a shell."""
    name, _, action = instruction.partition("_")
    completion = shell(name)(command, {"obj": terminal}, "papan", VARIABLE)
    print(completion.complete() if action == "complete" else completion.source())


def shell_in_use() -> str:
    """Returns the name of the user's shell.

    Raises:
        UsageError: The shell is not supported.
    """
    name = Path(os.environ.get("SHELL", "")).name
    shell(name)
    return name


def install(name: str) -> Path:
    """Adds the completion script to the start file of a shell; returns the file.

    Raises:
        UsageError: The file cannot be written.
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
