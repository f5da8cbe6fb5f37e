"""The compiled rules: thousands of random games, and the same games in plain Python.

A rule may be wrong in rare positions only, and correct Python can be wrong when compiled: integers
overflow at 64 bits, `uint64 + int` is signed, indices out of bounds read garbage, globals are
constants. So a kernel plays random games from a seed. At each ply it calls every operation that a
search calls, records the results, and compares them with each other. In plain Python the same
function plays the same games, as many as time allows, and must record the same.

Games with inconsistent results are then replayed in plain Python, where the invariants locate the
error.
"""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.jit.compiler import kernel
from papan.rules.bits import signed
from papan.rules.dispatch import helper
from papan.rules.keys import mixed
from papan.rules.operations import (
    INFINITY,
    MAX_PLY,
    Evaluation,
    State,
    count_moves,
    evaluate,
    evaluate_after,
    final_value,
    head,
    is_over,
    key,
    largest_move,
    max_plies_left,
    more,
    most_moves,
    moves,
    next_key,
    nth_move,
    order_hint,
    play,
    side_to_move,
    symmetry_count,
    tail,
    terminal_value,
    transform,
    transform_move,
    turns_alternate,
    value_above,
    win_value,
)
from papan.rules.solving import strategy_move, strategy_value
from papan.rules.splitmix import GOLDEN, scramble
from papan.usercode.watchdog import Watchdog

#: Maximum plies of a game; longer games count as unfinished.
MOST_PLIES = 2000
#: Maximum number of random games.
GAMES = 10_000
#: Half of the bits of a random number.
_HALF = np.uint64(32)
#: Time after which a compiled game counts as hanging, in seconds.
_HANGING = 5.0
#: Maximum number of replayed inconsistent games.
_LOOKED_AT = 3

Trail = np.ndarray[tuple[int], np.dtype[np.uint64]]


class Walked(NamedTuple):
    """The legal moves of a state.

    Attributes:
        total: their number; one more than allowed if the walk did not end.
        digest: a digest of all moves.
        in_order: 1 if they ascend from 0 to the largest allowed.
    """

    total: int
    digest: np.uint64
    in_order: int


class PlyNotes(NamedTuple):
    """The results of a game's rules at one ply of a random game, named like the operations; states
    are digests of their fields.

    Attributes:
        odd: 1 if any two results are inconsistent.
        move: the random move; −1 in a finished game.
        symmetry: the index of the random symmetry.
    """

    odd: int
    moves: np.uint64
    count_moves: int
    is_over: int
    side_to_move: int
    max_plies_left: int
    final_value: int
    key: np.uint64
    move: int
    play: np.uint64
    next_key: np.uint64
    symmetry: int
    order_hint: int
    strategy_move: int
    strategy_value: int
    evaluate: int
    evaluate_after: int
    transform: np.uint64
    transform_move: int


@helper
def walked(state: State) -> Walked:
    """Returns the legal moves of a state."""
    count, last, in_order, digest = 0, -1, 1, np.uint64(GOLDEN)
    most, largest = most_moves(state), largest_move(state)
    rest = moves(state)
    while count <= most and more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not last < move <= largest:
            in_order = 0
        digest = mixed((digest, move))
        count, last = count + 1, move
    if count > most:
        in_order = 0
    return Walked(count, digest, in_order)


@helper
def drawn(random: np.uint64, count: int) -> int:
    """Returns a number from 0 to `count` − 1 from a random one."""
    number: int = signed(((scramble(random) >> _HALF) * np.uint64(count)) >> _HALF)
    return number


@helper
def at_the_end(state: State, walk: Walked) -> PlyNotes:
    """Returns the results for a finished game."""
    value, win, side = final_value(state), win_value(state), side_to_move(state)
    odd = not is_over(state) or count_moves(state) != 0 or not 0 <= side <= 1
    if win > 0 and value != 0 and abs(value) != win:
        odd = True
    if abs(value) >= INFINITY:
        odd = True
    none, left, number = np.uint64(0), max_plies_left(state), key(state)
    return PlyNotes(
        int(odd), walk.digest, walk.total, 1, side, left, value, number,
        -1, none, none, 0, 0, 0, 0, 0, 0, none, 0,
    )  # fmt: skip


@helper
def in_between(
    state: State, evaluation: Evaluation, walk: Walked, ply: int, random: np.uint64
) -> PlyNotes:
    """Returns the results for an unfinished game and a random move."""
    move = nth_move(state, drawn(random, walk.total))
    child = play(state, move)
    side, number = side_to_move(state), key(state)
    following, value = next_key(state, number, move), evaluate(evaluation, state)
    # The value of a finished child is its final value in the unit of the evaluation.
    if is_over(child):
        below = terminal_value(evaluation, child, ply + 1)
    else:
        below = evaluate(evaluation, child)
    after = evaluate_after(evaluation, state, move, ply)
    index = drawn(~random, symmetry_count(state))
    moved, image = transform_move(state, move, index), transform(state, index)
    turned = mixed(transform(child, index))

    odd = walk.in_order == 0 or count_moves(state) != walk.total or is_over(state)
    if following != key(child) or after != value_above(state, child, below):
        odd = True
    if not 0 <= side <= 1 or (turns_alternate(state) and side_to_move(child) != 1 - side):
        odd = True
    most = INFINITY
    if win_value(state) > 0:
        most = win_value(state) - MAX_PLY
    if abs(value) >= most or turned != mixed(play(image, moved)):
        odd = True
    return PlyNotes(
        int(odd), walk.digest, count_moves(state), int(is_over(state)), side,
        max_plies_left(state), 0, number, move, mixed(child), following, index,
        order_hint(state, move), strategy_move(state), strategy_value(state), value, after, turned,
        moved,
    )  # fmt: skip


@helper
def noted(state: State, evaluation: Evaluation, ply: int, random: np.uint64) -> PlyNotes:
    """Returns the results for one ply and the random move."""
    walk = walked(state)
    if walk.total == 0:
        return at_the_end(state, walk)
    return in_between(state, evaluation, walk, ply, random)


@kernel
def look(state: State, evaluation: Evaluation, ply: int, random: np.uint64) -> PlyNotes:
    """`noted`, callable from Python."""
    return noted(state, evaluation, ply, random)


@kernel
def random_game(state: State, evaluation: Evaluation, seed: np.uint64, trail: Trail) -> int:
    """Plays a random game and writes a digest of the results at each ply to `trail`.

    Returns the number of plies, `len(trail)` if the game did not end, or −1 − the ply of the first
    inconsistent results.
    """
    random, allowed = seed, len(trail)
    for ply in range(len(trail)):
        random += GOLDEN
        notes = noted(state, evaluation, ply, random)
        trail[ply] = mixed(notes)
        allowed = min(allowed, ply + notes.max_plies_left)
        if notes.odd or notes.max_plies_left < 0 or allowed < ply:
            return -1 - ply
        if notes.move < 0:
            return ply
        state = play(state, notes.move)
    return len(trail)


# --- thousands of games ---------------------------------------------------------------------------


class Played(NamedTuple):
    """Counts of compiled random games.

    Attributes:
        games: number of games.
        shortest: plies of the shortest finished game; 0 if there is none.
        longest: plies of the longest finished game.
        unfinished: number of games longer than `MOST_PLIES`.
        compared: positions that were compared with plain Python.
    """

    games: int = 0
    shortest: int = 0
    longest: int = 0
    unfinished: int = 0
    compared: int = 0

    def and_one(self, plies: int) -> Played:
        """Returns the counts with one more game."""
        if plies == MOST_PLIES:
            return self._replace(games=self.games + 1, unfinished=self.unfinished + 1)
        shortest = min(plies, self.shortest or plies)
        return self._replace(
            games=self.games + 1, shortest=shortest, longest=max(plies, self.longest)
        )


class RandomGames:
    """Random games of a game and an evaluation, from a seed.

    Args:
        seconds: processor time of the compiled games, and again of the games in plain Python.
    """

    def __init__(self, game: Game, evaluation: Evaluation, seed: int, seconds: float) -> None:
        self.evaluation, self.seed, self.seconds = evaluation, seed, seconds
        self.start = game.start_state()
        self.current = 0  # the number of the game that is played
        self.played = Played()
        self.odd: list[int] = []  # the numbers of odd games

    def seed_of(self, number: int) -> np.uint64:
        """Returns the seed of a game."""
        return np.uint64((self.seed << 32) + number)

    def play(self) -> None:
        """Plays compiled games until the time is up.

        Raises:
            InvalidGame: A rule cannot be compiled.
            TimeoutError: The current game hangs.
        """
        self._one(0, np.zeros(0, dtype=np.uint64))  # compiles
        # In a thread, since a kernel that hangs cannot be interrupted.
        thread = threading.Thread(target=self._play_many, name="papan-random-games", daemon=True)
        thread.start()
        last, since = self.current, time.monotonic()
        while thread.is_alive():
            thread.join(_HANGING / 50)
            if self.current != last:
                last, since = self.current, time.monotonic()
            if time.monotonic() - since > _HANGING:
                raise TimeoutError

    def _play_many(self) -> None:
        trail = np.zeros(MOST_PLIES, dtype=np.uint64)
        end = time.thread_time() + self.seconds
        while self.current < GAMES and time.thread_time() < end and len(self.odd) < _LOOKED_AT:
            plies = self._one(self.current, trail)
            if plies < 0:
                self.odd.append(self.current)
            else:
                self.played = self.played.and_one(plies)
            self.current += 1

    def _one(self, number: int, trail: Trail) -> int:
        return int(random_game(self.start, self.evaluation, self.seed_of(number), trail))

    def compare(self, watchdog: Watchdog) -> int | None:
        """Plays the same games in plain Python until the time is up; returns the number of the
        first game that differs."""
        trail = np.zeros(MOST_PLIES, dtype=np.uint64)
        end = time.thread_time() + self.seconds
        for number in range(self.played.games):
            self.current = number
            self._one(number, trail)
            state, random = self.start, self.seed_of(number)
            for ply, expected in enumerate(trail):
                watchdog.renew()
                random += GOLDEN
                notes = noted(state, self.evaluation, ply, random)
                if mixed(notes) != expected:
                    return number
                self.played = self.played._replace(compared=self.played.compared + 1)
                if notes.move < 0:
                    break
                if time.thread_time() > end:
                    return None
                state = play(state, notes.move)
        return None

    def differing(
        self, notes: PlyNotes, state: State, ply: int, random: np.uint64
    ) -> dict[str, Any]:
        """Returns the results of compiled rules that differ from plain Python."""
        compiled = look(state, self.evaluation, ply, random)
        return {
            name: theirs
            for name, ours, theirs in zip(notes._fields, notes, compiled, strict=True)
            if ours != theirs
        }
