"""Sixty kinds of hostile bots: each ends its game as it should, at once, and leaves nothing."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import papan
from attack.amounts import AMOUNTS
from attack.conftest import Wanted
from attack.hostile_bots import PROGRAM, TABLE, TIME
from papan.play.referee import play_game
from papan.players.base import Player
from papan.players.external import PythonPlayer, UgiPlayer
from papan.players.simple import FirstMove
from papan.protocol.guards import Guards
from papan.search.limits import Limit
from players.test_external import GAME, LIMIT, SEEN, SHORT, fake_command, left_over

#: One that floods, or forks, gets no more than this.
GUARDS = replace(SEEN, memory_mb=400, processes=16)


def made(name: str, folder: Path) -> Player:
    """A bot of the table."""
    bot = TABLE[name]
    if bot.kind == "mode":
        return UgiPlayer(fake_command(bot.text), GUARDS)
    path = folder / "bot.py"
    if bot.kind == "function":
        path.write_text(f"def choose(p, limit):\n    {bot.text}\n")
        return PythonPlayer(str(path), Guards(memory_mb=400, processes=16, ready_seconds=10.0))
    path.write_text(PROGRAM.replace("{says}", bot.text), encoding="utf-8")
    return UgiPlayer(shlex.join([sys.executable, "-I", "-S", str(path)]), GUARDS)


def test_every_kind_of_bot_loses_its_game_as_it_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Wanted
) -> None:
    pids = tmp_path / "pids"
    pids.touch()
    monkeypatch.setenv("FAKE_PIDS", str(pids))
    count, wrong = wanted("hostile bots"), []
    names = list(TABLE)[:: len(TABLE) // count][:count]
    for name in names:
        limit: Limit = SHORT if TABLE[name].ending is TIME else LIMIT
        bot = made(name, tmp_path)
        try:
            played = play_game({"x": bot, "o": FirstMove()}, papan.game(GAME).start(), limit)
        finally:
            bot.close()
        if played.termination is not TABLE[name].ending or not shows(played.detail):
            wrong.append((name, played.termination, played.detail))
    assert not wrong
    assert len(names) == count
    assert left_over(pids) == []


def shows(detail: str) -> bool:
    """True if a sentence, and lines that the program printed, are safe on a terminal."""
    sentence, *printed = detail.split("\n")
    return sentence.isprintable() and len(printed) <= 20 and all(map(_is_plain, printed))


def _is_plain(line: str) -> bool:
    return line.replace("\t", " ").isprintable()


def test_the_table_has_sixty_kinds() -> None:
    assert len(TABLE) == AMOUNTS["hostile bots"].thorough == 60
