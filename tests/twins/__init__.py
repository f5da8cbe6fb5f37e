"""Games of Papan and the same games of OpenSpiel: each module here has a tuple of pairs, `TWINS`.

Random games are played in both at once. The side to move, the legal moves, the end and the result
must be equal at every ply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyspiel

import papan
from papan.core.game import Game, Position
from papan.jit.compiler import kernel
from papan.rules.operations import (
    head,
    more,
    most_moves,
    moves,
    play,
    repetition_is_forbidden,
    tail,
)
from papan.rules.repetition import position_key

HERE = Path(__file__).parent
GAMES = HERE.parent.parent / "examples" / "games"

State = Any  # OpenSpiel's
Numbers = np.ndarray[tuple[int], np.dtype[Any]]


def goes_on(position: Position, state: State) -> bool:
    """The usual `Twin.stops`: nothing but the end ends a comparison."""
    return False


def allows_all(position: Position, action: str) -> bool:
    """The usual `Twin.forbids`: our rules allow what OpenSpiel's do."""
    return False


class Twin(NamedTuple):
    """A game as it is called in Papan and in OpenSpiel, and how its moves are said there."""

    papan: str  # the spec of a file in examples/games: `hex.py:size=5`
    spiel: str  # `hex(board_size=5)`
    #: A move of a position as the strings of OpenSpiel's actions: one, or several that make it;
    #: none if OpenSpiel's rules forbid it, and so it is not made.
    actions: Callable[[Position, str], Sequence[str]]
    #: True where OpenSpiel ends a game by a rule of its own, and so the comparison.
    stops: Callable[[Position, State], bool] = goes_on
    #: OpenSpiel's number of the side that begins.
    first: int = 0
    #: True for an action of OpenSpiel that our rules forbid in a position.
    forbids: Callable[[Position, str], bool] = allows_all


class Difference(Exception):
    """The two do not agree; says after which moves."""


def names() -> list[str]:
    """The modules that have twins."""
    return sorted(file.stem for file in HERE.glob("*.py") if file.stem != "__init__")


def twins(name: str) -> tuple[Twin, ...]:
    """The twins of a module."""
    found: tuple[Twin, ...] = import_module(f"{__name__}.{name}").TWINS
    return found


#: A game of OpenSpiel, loaded once: it may print what is known to be wrong with it.
_openspiel = cache(pyspiel.load_game)


@cache
def _named(game: Game, code: int) -> str:
    """The notation of a move: the same ones come again in each game."""
    return game.write_move(code)


def side_by_side(
    twin: Twin, chance: Random, legal: Callable[[Position], list[int]] = Position.codes
) -> int:
    """Plays a random game in both; returns its plies.

    Args:
        legal: finds our moves; those of `compiled_moves` are found by the compiled rules.

    Raises:
        Difference: they do not agree.
    """
    position, played = papan.game(f"{GAMES}/{twin.papan}").start(), list[str]()
    state = _openspiel(twin.spiel).new_initial_state()
    while codes := legal(position):
        if twin.stops(position, state):
            return len(played)
        names = {code: _named(position.game, code) for code in codes}
        said = {code: tuple(twin.actions(position, name)) for code, name in names.items()}
        _require(played, "side", position.side, "xo"[state.current_player() ^ twin.first])
        allowed = {name for name in _legal(state) if not twin.forbids(position, name)}
        _compare_moves(played, state, allowed, filter(None, said.values()))
        code = chance.choice([code for code in codes if said[code]])
        position = position.after(code)
        played.append(names[code])
        for action in said[code]:
            state.apply_action(_legal(state)[action])
    _require(played, "end", True, state.is_terminal() or twin.stops(position, state))
    outcome = position.outcome()
    assert outcome is not None
    if not twin.stops(position, state):
        returns = state.returns()[:: -1 if twin.first else 1]
        found = None if returns[0] == returns[1] else "x" if returns[0] > returns[1] else "o"
        _require(played, "winner", outcome.winner, found)
    return len(played)


def compiled_moves(position: Position) -> list[int]:
    """The legal moves of a position as the compiled rules find them: `Position.codes`."""
    size = int(most_moves(position.state))
    codes, keys = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.uint64)
    count = int(list_moves(position.state, codes, keys))
    if position.outcome() is not None:  # by a repetition
        return []
    if repetition_is_forbidden(position.state):
        stood = {*position.past, position.position_key}
        return [
            code
            for code, key in zip(codes[:count].tolist(), keys[:count].tolist(), strict=True)
            if key not in stood
        ]
    return [int(code) for code in codes[:count]]


@kernel
def list_moves(state: Any, codes: Numbers, keys: Numbers) -> int:
    """Writes the moves of a state to `codes`, and to `keys` the `position_key` after each where
    the rules ask for it; returns their number."""
    count, rest = 0, moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        codes[count] = move
        if repetition_is_forbidden(state):
            keys[count] = position_key(play(state, move))
        count += 1
    return count


def _legal(state: State) -> dict[str, int]:
    """OpenSpiel's actions by their strings."""
    return {state.action_to_string(action): action for action in state.legal_actions()}


def _compare_moves(
    played: list[str], state: State, allowed: Iterable[str], said: Iterable[tuple[str, ...]]
) -> None:
    """Requires that the first actions are those that are allowed, and so on after each of them."""
    legal, later = _legal(state), dict[str, list[tuple[str, ...]]]()
    for first, *others in said:
        later.setdefault(first, [])
        later[first] += [tuple(others)] if others else []
    _require(played, "moves", sorted(later), sorted(allowed))
    for first, others in later.items():
        if others:
            below = state.child(legal[first])
            _compare_moves([*played, first], below, _legal(below), others)


def _require(played: list[str], what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Difference(f"{what} after {' '.join(played)}: Papan {ours}, OpenSpiel {theirs}")
