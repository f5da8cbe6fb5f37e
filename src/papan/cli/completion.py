"""What the shell offers when the tab key is pressed: names of games, players and algorithms, and
their options."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterable, Iterator

from papan.core import spec
from papan.errors import InvalidSpec
from papan.messages import LANGUAGES

#: Where bash starts a new word, although a spec goes on.
_BREAKS = ":="


def games(incomplete: str) -> list[str]:
    """Games, and after a colon their options."""
    from papan.core import registry

    return specs(incomplete, registry.names(), registry.game_class)


def players(incomplete: str) -> list[str]:
    """Players that need nobody to be there, and after a colon their options."""
    return [offer for offer in participants(incomplete) if offer != "human"]


def participants(incomplete: str) -> list[str]:
    """People and players, and after a colon their options."""
    from papan.players import registry

    return specs(incomplete, registry.names(), registry.player_class)


def algorithms(incomplete: str) -> list[str]:
    """Search algorithms, and after a colon their options."""
    from papan.search import registry

    return specs(incomplete, registry.names(), lambda name: type(registry.algorithm(name)))


def evaluations() -> list[str]:
    """The evaluations of all games: while a value is being typed, the parser does not yet tell
    which game it is for."""
    from papan.core import registry

    return [
        evaluation
        for name in registry.names()
        for evaluation in registry.game_class(name).evaluations
    ]


def benches() -> list[str]:
    """What can be measured."""
    from papan.cli.bench import KINDS

    return list(KINDS)


def languages() -> list[str]:
    """The languages of the catalogue."""
    return list(LANGUAGES)


def specs(incomplete: str, names: Iterable[str], class_of: Callable[[str], type]) -> list[str]:
    """How a spec that was typed in part can go on."""
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return list(names)
    try:
        options = spec.options_of(class_of(name))
    except InvalidSpec:
        return []
    given, comma, last = rest.rpartition(",")
    start = f"{name}:{given}{comma}"
    key, equals, _ = last.partition("=")
    if not equals:
        return [f"{start}{option}=" for option in options]
    choices = options[key]["choices"] if key in options else ()
    return [f"{start}{key}={choice}" for choice in choices]


@contextlib.contextmanager
def whole_words() -> Iterator[None]:
    """While inside, completion for bash sees specs as whole words.

    bash breaks words at `:` and `=` and puts each completion in place of the last piece only. So
    the pieces are joined before completing, and what stands before the last one is cut off after.
    """
    if os.environ.get("_PAPAN_COMPLETE") != "complete_bash":
        yield
        return
    words = joined(os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1])
    os.environ.update(COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1))
    typed = words[-1][: max(words[-1].rfind(character) for character in _BREAKS) + 1]
    found = io.StringIO()
    try:
        with contextlib.redirect_stdout(found):
            yield
    finally:
        for line in found.getvalue().splitlines():
            print(line.removeprefix(typed))


def joined(pieces: Iterable[str]) -> list[str]:
    """The words that bash has broken into these pieces."""
    words: list[str] = []
    for piece in pieces:
        breaks = set(_BREAKS)
        if words and piece and (set(piece) <= breaks or words[-1][-1:] in breaks):
            words[-1] += piece
        else:
            words.append(piece)
    return words
