"""Games of Papan and the same games of OpenSpiel: each module here has a tuple of pairs, `TWINS`.

Random games are played in both at once. The side to move, the legal moves, the end and the result
must be equal at every ply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pyspiel

import papan
from papan.core.game import Position

HERE = Path(__file__).parent
GAMES = HERE.parent.parent / "examples" / "games"

State = Any  # OpenSpiel's


def goes_on(position: Position, state: State) -> bool:
    """The usual `Twin.stops`: nothing but the end ends a comparison."""
    return False


class Twin(NamedTuple):
    """A game as it is called in Papan and in OpenSpiel, and how its moves are said there."""

    papan: str  # the spec of a file in examples/games: `hex.py:size=5`
    spiel: str  # `hex(board_size=5)`
    #: A move of a position as the strings of OpenSpiel's actions: one, or several that make it.
    actions: Callable[[Position, str], Sequence[str]]
    #: True where OpenSpiel ends a game by a rule of its own, and so the comparison.
    stops: Callable[[Position, State], bool] = goes_on
    #: OpenSpiel's number of the side that begins.
    first: int = 0


class Difference(Exception):
    """The two do not agree; says after which moves."""


def names() -> list[str]:
    """The modules that have twins."""
    return sorted(file.stem for file in HERE.glob("*.py") if file.stem != "__init__")


def twins(name: str) -> tuple[Twin, ...]:
    """The twins of a module."""
    found: tuple[Twin, ...] = import_module(f"{__name__}.{name}").TWINS
    return found


def side_by_side(twin: Twin, chance: Random) -> int:
    """Plays a random game in both; returns its plies.

    Raises:
        Difference: they do not agree.
    """
    position, played = papan.game(f"{GAMES}/{twin.papan}").start(), list[str]()
    state = pyspiel.load_game(twin.spiel).new_initial_state()
    while moves := position.moves():
        if twin.stops(position, state):
            return len(played)
        said = {move: tuple(twin.actions(position, move)) for move in moves}
        _require(played, "side", position.side, "xo"[state.current_player() ^ twin.first])
        _compare_moves(played, state, said.values())
        move = chance.choice(moves)
        position = position.play(move)
        played.append(move)
        for action in said[move]:
            state.apply_action(_legal(state)[action])
    _require(played, "end", True, state.is_terminal() or twin.stops(position, state))
    outcome = position.outcome()
    assert outcome is not None
    if not twin.stops(position, state):
        returns = state.returns()[:: -1 if twin.first else 1]
        found = None if returns[0] == returns[1] else "x" if returns[0] > returns[1] else "o"
        _require(played, "winner", outcome.winner, found)
    return len(played)


def _legal(state: State) -> dict[str, int]:
    """OpenSpiel's actions by their strings."""
    return {state.action_to_string(action): action for action in state.legal_actions()}


def _compare_moves(played: list[str], state: State, said: Iterable[tuple[str, ...]]) -> None:
    """Requires that the first actions are those that are legal, and so on after each of them."""
    legal, later = _legal(state), dict[str, list[tuple[str, ...]]]()
    for first, *others in said:
        later.setdefault(first, [])
        later[first] += [tuple(others)] if others else []
    _require(played, "moves", sorted(later), sorted(legal))
    for first, others in later.items():
        if others:
            _compare_moves([*played, first], state.child(legal[first]), others)


def _require(played: list[str], what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Difference(f"{what} after {' '.join(played)}: Papan {ours}, OpenSpiel {theirs}")
