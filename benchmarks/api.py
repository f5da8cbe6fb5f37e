"""The Python API: plies per second of random games, next to OpenSpiel's C++ games.

Both libraries play the same loops in the same run, in turns: with numbers of moves, with moves as
text, and with an observation and a mask of legal actions (Papan through its PettingZoo adapter).
Speeds are processor time; the fastest turn counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import papan
from benchmarks.peers.environment import ROOT
from benchmarks.tools.report import CannotMeasure, Report, Table
from benchmarks.tools.timing import cpu_seconds, in_turns, pinned
from papan.core import readiness
from papan.core.game import Game, Position

#: Games of the gallery and of OpenSpiel with the same name.
GAMES = ("connect_four", "othello")

TURNS = 5
#: Processor time of each measurement in seconds.
SECONDS, QUICK_SECONDS = 1.0, 0.1

#: Games between two looks at the clock.
_GAMES = 20

Play = Callable[[Any], int]


def run(quick: bool) -> Report:
    """Measures both libraries; goals are shares of OpenSpiel's speed."""
    try:
        import pyspiel
    except ModuleNotFoundError as error:
        raise CannotMeasure("install open_spiel and pettingzoo to compare with them") from error
    columns = ("game", "loop", "Papan, plies/s", "OpenSpiel, plies/s", "ratio")
    table = Table("random games in Python", columns)
    plain = Table("random games before the rules are compiled", ("game", "codes, plies/s"))
    report = Report([table, plain])
    seconds = QUICK_SECONDS if quick else SECONDS
    readiness.stay_plain()
    with pinned():
        for name in GAMES:
            plain.add(name, _speed(partial(with_codes, _game(name).start()), seconds))
            theirs = pyspiel.load_game(name)
            for loop, start in zip(LOOPS, _starts(name), strict=True):
                ours, other = in_turns(
                    TURNS,
                    partial(_speed, partial(loop.ours, start), seconds),
                    partial(_speed, partial(loop.theirs, theirs), seconds),
                )
                ratio = max(ours) / max(other)
                table.add(name, loop.title, max(ours), max(other), ratio)
                report.expect_least(f"{loop.title}, {name}", ratio, loop.least)
    return report


def _game(name: str) -> Game:
    return papan.game(str(ROOT / "examples" / "games" / f"{name}.py"))


def _starts(name: str) -> tuple[Position, Position, Any]:
    """Returns what the loops start from: positions with compiled rules, and an environment."""
    try:
        from papan.adapters import pettingzoo
    except ModuleNotFoundError as error:
        raise CannotMeasure("install pettingzoo to compare the adapter") from error
    game = _game(name)
    readiness.prepare(game)
    return game.start(), game.start(), pettingzoo.env(game)


def _speed(play: Callable[[], int], seconds: float) -> float:
    """Returns plies per second of repeated games."""
    plies, taken = 0, 0.0
    while taken < seconds:
        made, more = cpu_seconds(lambda: sum(play() for _ in range(_GAMES)))
        plies, taken = plies + made, taken + more
    return plies / taken


# --- the loops ------------------------------------------------------------------------------------


def played(list_moves: Callable[[Position], Sequence[Any]], position: Position) -> int:
    """Plays a random game with moves as `list_moves` lists them; returns its plies."""
    plies = 0
    while moves := list_moves(position):
        position = position.play(random.choice(moves))
        plies += 1
    return plies


with_codes, with_texts = partial(played, Position.codes), partial(played, Position.moves)


def with_observation(env: Any) -> int:
    """Plays a random episode in PettingZoo; returns its plies."""
    env.reset()
    plies = 0
    for _ in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else _drawn(seen["action_mask"]))
        plies += not over
    return plies


def their_codes(game: Any) -> int:
    """Plays a random game with actions; returns its plies."""
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        plies += 1
    return plies


def their_texts(game: Any) -> int:
    """Plays a random game with written actions; returns its plies."""
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        moves = [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(state.string_to_action(random.choice(moves)))
        plies += 1
    return plies


def their_observation(game: Any) -> int:
    """Plays a random game with observations and masks; returns its plies."""
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        state.observation_tensor()
        state.apply_action(_drawn(state.legal_actions_mask()))
        plies += 1
    return plies


def _drawn(mask: Any) -> int:
    action: int = random.choice(np.flatnonzero(mask).tolist())
    return action


class Loop(NamedTuple):
    """A loop over the plies of a random game in both libraries, and the promised ratio."""

    title: str
    ours: Play
    theirs: Play
    least: float


LOOPS = (
    Loop("codes", with_codes, their_codes, 0.5),
    Loop("texts", with_texts, their_texts, 0.25),
    Loop("observation and mask", with_observation, their_observation, 0.4),
)
