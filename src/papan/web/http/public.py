"""The names that visitors see. Commands, paths and keys are only in the log.

All shown texts that may contain a spec pass through `Public.text`: specs of games and players,
names of events, records, error messages. Specs of the server's options appear under their offered
names; of other specs only the kind is shown.
"""

from __future__ import annotations

import functools
import logging
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from papan.core import spec
from papan.errors import PapanError, RuleFailure
from papan.messages import ENGLISH, Messages
from papan.records.model import Record
from papan.usercode import loader
from papan.web.http.settings import ServerSettings

_LOG = logging.getLogger("papan.web")

#: Kinds of players that start a program or read a file.
PROGRAMS = ("ugi", "gtp", "python")

#: Public name of a game file that is not offered.
FILE = "file"

#: First parts of the names of messages about the visitor's input. Other messages (about
#: the store, programs and files) go to the log.
_VISITORS_OWN = frozenset(
    {"web", "spec", "position", "move", "limit", "game", "record", "solve", "tree"}
)

#: Event names of the arena (`papan.arena.event`): specs between words and a digest.
_EVENT = re.compile(r"(?P<head>[a-z-]+) (?P<specs>.+) (?P<digest>[0-9a-f]{12})", re.DOTALL)
_BETWEEN = " – "

#: The spec of a program or a path within a sentence, up to its end: commands may contain spaces.
_PROGRAM = re.compile(rf"\b({'|'.join(PROGRAMS)}):.*", re.DOTALL)
_PATH = re.compile(
    r"""\w+://\S+|(?<![\w.])(?:[A-Za-z]:\\|~?/|\.{1,2}/|\\\\)[^\s'"]+|[^\s'"]+\.(?:py|sqlite)\b\S*"""
)


@dataclass(frozen=True)
class Public:
    """Public names in place of commands and paths.

    Attributes:
        settings: specs of the server with their public names.
    """

    settings: ServerSettings

    def text(self, text: str) -> str:
        """Returns a text without commands and paths: a spec, the name of an event, or a
        sentence."""
        if event := _EVENT.fullmatch(text):
            specs = _BETWEEN.join(map(self.text, event["specs"].split(_BETWEEN)))
            return f"{event['head']} {specs} {event['digest']}"
        named = self._name_of(text)
        if named is not None:
            return named
        for secret, name in self._secrets():
            text = text.replace(secret, name)
        return _PATH.sub("…", _PROGRAM.sub(r"\1", text))

    def record(self, record: Record) -> Record:
        """Returns a record without commands, paths and the output of programs."""
        shown = replace(
            record,
            game=self.text(record.game),
            x=self.text(record.x),
            o=self.text(record.o),
            event=self.text(record.event),
            given=self.text(record.given),
        )
        changed = (shown.game, shown.x, shown.o) != (record.game, record.x, record.o)
        return replace(shown, detail="" if changed else self.text(record.detail))

    def explain(self, error: PapanError, language: str) -> str:
        """Returns the message of an error for a visitor; errors that are not about the visitor's
        input go to the log instead."""
        say = Messages(language)
        if _is_visitors_own(error):
            return self.text(say.explain(error))
        minute = int(time.monotonic() / 60)
        if isinstance(error, RuleFailure):
            _log(logging.ERROR, ENGLISH.explain(error), minute)
            return say("web.sorry.rule")
        _log(logging.WARNING, ENGLISH.explain(error), minute)
        return say("web.sorry.hidden")

    def _name_of(self, text: str) -> str | None:
        """Returns the public name of a spec; None for texts that are no specs or may be shown."""
        for offered in (self.settings.players, self.settings.games):
            for name, known in offered.items():
                if text == known:
                    return name
        kind = spec.split(text)[0]
        if kind in PROGRAMS:
            return kind
        in_file = loader.split(text)
        return self._in_file(*in_file) if in_file and " '" not in text else None

    def _in_file(self, path: str, options: str) -> str:
        """Returns the name of a game in a file with its options."""
        for name, known in self.settings.games.items():
            if (found := loader.split(known)) and found[0] == path:
                return f"{name}:{options}" if options else name
        return FILE

    def _secrets(self) -> Iterator[tuple[str, str]]:
        """The specs and paths of the server's options, longest first, with their names."""
        given = [*self.settings.players.items(), *self.settings.games.items()]
        found = [(known, name) for name, known in given if known != name]
        found += [(path[0], name) for name, known in given if (path := loader.split(known))]
        return iter(sorted(found, key=lambda pair: -len(pair[0])))


def _is_visitors_own(error: PapanError) -> bool:
    """True if an error, including its causes, is about the visitor's input."""
    inner = [value for value in error.values.values() if isinstance(value, PapanError)]
    topic, dot, _ = error.message.partition(".")
    return bool(dot) and topic in _VISITORS_OWN and all(map(_is_visitors_own, inner))


@functools.lru_cache(256)
def _log(level: int, sentence: str, minute: int) -> None:
    """Logs a sentence, the same one at most once a minute."""
    _LOG.log(level, "%s", sentence)
