"""Complete random games, each in one compiled call."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.core.game import Outcome, Position
from papan.jit.compiler import border_kernel, entry_of
from papan.jit.python_lists import append, new_list
from papan.rules.dispatch import helper
from papan.rules.operations import (
    State,
    count_moves,
    final_value,
    head,
    more,
    moves,
    next_key,
    nth_move,
    play,
    remembers,
    repetition_is_forbidden,
    repetition_limit,
    side_to_move,
    tail,
)
from papan.rules.operations import key as key_of
from papan.rules.repetition import known_position_key, next_position_key
from papan.rules.splitmix import GOLDEN, below, numbers, scramble
from papan.rules.walk import draw_move

#: A game of this many plies is left unfinished.
MOST_PLIES = 1 << 17

_NO_MOVE = -1


class RandomGame(NamedTuple):
    """A random game.

    Attributes:
        codes: its moves, as numbers.
        outcome: its result; None if it was left unfinished after 131,072 plies.
    """

    codes: list[int]
    outcome: Outcome | None


def random_games(position: Position, games: int, seed: int) -> list[RandomGame]:
    """Returns random games from a position; all moves of a position have the same probability."""
    state, past = position.state, position.past
    room = len(past) + MOST_PLIES if remembers(state) else 0
    keys = np.zeros(room, dtype=np.uint64)
    keys[: len(past)] = past
    known = len(past)
    play_one = entry_of(random_game, state, np.uint64(0), keys, known)
    played = []
    for chance in numbers(seed, games).tolist():
        codes, ended, value, side = play_one(state, chance, keys, known)
        played.append(RandomGame(codes, Outcome.of_value(value, side) if ended else None))
    return played


@border_kernel
def random_game(state: State, chance: np.uint64, keys: NDArray[np.uint64], known: int) -> Any:
    """Plays a random game; returns its moves, whether it ended, its final value, and for which side
    that is.

    Args:
        state: the start.
        chance: state of the random number generator.
        keys: starts with the `known` position keys of earlier positions, gets those of the game.
        known: number of earlier positions.
    """
    codes, key = new_list(), key_of(state)
    for ply in range(known, known + MOST_PLIES):
        chance += GOLDEN
        move = draw(state, chance)
        if move == _NO_MOVE:
            return codes, True, final_value(state), side_to_move(state)
        if remembers(state):
            keys[ply] = known_position_key(state, key)
            limit = repetition_limit(state)
            if limit > 0 and _stood(keys[ply], keys, ply) >= limit - 1:
                return codes, True, 0, side_to_move(state)
        if repetition_is_forbidden(state) and _is_forbidden(state, key, move, keys, ply):
            chance += GOLDEN
            move = _allowed_move(state, key, chance, keys, ply)
            if move == _NO_MOVE:
                return codes, True, final_value(state), side_to_move(state)
        append(codes, move)
        if remembers(state):
            key = next_key(state, key, move)
        state = play(state, move)
    return codes, False, 0, 0


@helper
def draw(state: State, chance: np.uint64) -> int:
    """Returns a random legal move; −1 if there is none."""
    number = scramble(chance)
    move = draw_move(state, number)
    if move == _NO_MOVE:
        count = count_moves(state)
        move = nth_move(state, below(number, count)) if count > 0 else _NO_MOVE
    return move


@helper
def _stood(key: np.uint64, keys: NDArray[np.uint64], end: int) -> int:
    """Returns how often a key occurs before an index."""
    count = 0
    for index in range(end):
        if keys[index] == key:
            count += 1
    return count


@helper
def _is_forbidden(
    state: State, key: np.uint64, move: int, keys: NDArray[np.uint64], ply: int
) -> bool:
    """Returns whether a move repeats a position up to `ply`."""
    return _stood(next_position_key(state, key, move), keys, ply + 1) > 0


@helper
def _allowed_move(
    state: State, key: np.uint64, chance: np.uint64, keys: NDArray[np.uint64], ply: int
) -> int:
    """Returns a random move that repeats no position; −1 if there is none."""
    chosen, allowed, rest = _NO_MOVE, 0, moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not _is_forbidden(state, key, move, keys, ply):
            allowed += 1
            chance += GOLDEN
            if below(scramble(chance), allowed) == 0:
                chosen = move
    return chosen
