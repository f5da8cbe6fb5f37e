"""The search of all solvers: tests whether the value of a position is at least beta.

Null-window alpha–beta to the end of the game or to the depth of the test, with a table of proofs
that all tests share. Before searching the moves of a node, it looks one move ahead
(`papan.solve.foresight`). Threads that search one position with one table skip what another thread
searches (`papan.search.alphabeta.techniques.Abdada`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.bits import NONE
from papan.rules.dispatch import helper
from papan.rules.operations import (
    INFINITY,
    MAX_PLY,
    Moves,
    State,
    head,
    is_over,
    is_win_distance,
    max_plies_left,
    more,
    play,
    repetition_limit,
    side_to_move,
    symmetry_count,
    tail,
    terminal_points,
    transform,
    transform_move,
    value_above,
    win_value,
    window_below,
)
from papan.rules.repetition import position_key
from papan.rules.solving import exact_key, solving_hint, static_bounds
from papan.search.alphabeta.order import history_place, pack_move, take_best
from papan.search.alphabeta.techniques import NO_TASK, TAKEN, claim, put_back
from papan.search.workspace import Workspace, fits, should_stop
from papan.solve.base import DEEP
from papan.solve.foresight import (
    finds_win,
    promising,
    range_ahead,
    sees_far,
    wins_at_once,
)
from papan.solve.proof_table import (
    Proof,
    Proofs,
    find_proof,
    keep_proof,
    spread,
    tag_of,
)

#: Below this number of plies, mirror images are not used: searching again is cheaper
#: than transforming the position.
LEAST_PLIES_TO_FOLD = 10

#: Below this number of plies, positions are not stored: searching again is cheaper than a look-up.
LEAST_PLIES_TO_KEEP = 4

#: Tests of fewer plies end before another thread could profit from claiming them.
LEAST_PLIES_TO_SHARE = 12

#: Score of the stored best move, above all other scores.
_BEST_BEFORE = 1 << 30

#: Weight of a point of a game's hint; history scores end at `HISTORY_LIMIT`.
_HINT_WEIGHT = 1 << 15
HISTORY_LIMIT = 1 << 14


@helper
def canonical_key(state: State, plies: int) -> tuple[np.uint64, np.uint64, int]:
    """Returns the smallest `exact_key` among the mirror images of a position, and its symmetry."""
    a, b = exact_key(state)
    index = 0
    if plies >= LEAST_PLIES_TO_FOLD:
        for other in range(1, symmetry_count(state)):
            c, d = exact_key(transform(state, other))
            if c < a or (c == a and d < b):
                a, b, index = c, d, other
    return a, b, index


@helper
def seen_from(state: State, value: int, ply: int) -> int:
    """Converts a bound of the table, where wins are counted from the position, to a search at
    `ply`; with −`ply`, the other way."""
    if is_win_distance(state, value):
        return value - ply if value > 0 else value + ply
    return value


@helper
def known_bounds(
    state: State, ply: int, words: tuple[np.uint64, np.uint64], proofs: Proofs
) -> tuple[int, int, int]:
    """Returns the stored bounds of a position, as a search at `ply` sees them, and the tag of
    its move."""
    known = find_proof(proofs, words[0], words[1])
    lower, upper = seen_from(state, known.lower, ply), seen_from(state, known.upper, ply)
    return lower, upper, known.move


@helper
def keep_bounds(
    state: State,
    ply: int,
    words: tuple[np.uint64, np.uint64],
    bounds: tuple[int, int],
    move: int,
    plies: int,
    proofs: Proofs,
    workspace: Workspace,
) -> None:
    """Stores the bounds of a position at `ply`, which took this number of plies."""
    lower, upper = seen_from(state, bounds[0], -ply), seen_from(state, bounds[1], -ply)
    keep_proof(proofs, words[0], words[1], Proof(lower, upper, move), plies, workspace)


@helper
def in_question(state: State, ply: int, beta: int) -> int:
    """Returns the number of plies that decides whether the value is at least beta.

    If the length of a win counts, wins later than beta requires do not matter.
    """
    plies = min(max_plies_left(state), MAX_PLY)
    if win_value(state) > 0:
        plies = min(plies, win_value(state) - abs(beta) - ply)
    return plies


@helper
def beta_below(state: State, child: State, beta: int) -> int:
    """Returns the beta of a child for the test of `state`."""
    return window_below(state, child, (beta - 1, beta))[1]


@helper
def drawn_by_history(state: State, workspace: Workspace) -> bool:
    """True if the position occurred so often before the root that its next occurrence is a draw."""
    limit = repetition_limit(state)
    if limit == 0 or workspace.history_hash == NONE:
        return False
    own = position_key(state)
    times = 1
    for index in range(workspace.root):
        if workspace.path[index] == own:
            times += 1
    return times >= limit


@helper
def claim_question(state: State, plies: int, may_defer: bool, proofs: Proofs) -> Any:
    """Claims the test of `state` at this depth for this thread (`claim`)."""
    if plies < LEAST_PLIES_TO_SHARE:
        return NO_TASK
    a, b = exact_key(state)
    return claim(proofs.team, spread(a, b), plies, may_defer)


@helper
def write_hints(
    state: State, rest: Moves, ply: int, known: tuple[int, int], workspace: Workspace
) -> int:
    """Writes the moves of a node with scores to its row of `ordered`; returns their number.

    `known` is the tag of the earlier best move, or −1, and the symmetry under which it was stored.
    """
    count, side = 0, side_to_move(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not fits(state, count, move, workspace):
            break
        score = _HINT_WEIGHT * solving_hint(state, move)
        score += int(workspace.history[side, history_place(state, move)])
        if known[0] >= 0 and tag_of(transform_move(state, move, known[1])) == known[0]:
            score += _BEST_BEFORE
        workspace.ordered[ply, count] = pack_move(score, move)
        count += 1
    return count


@helper
def learn_from(state: State, move: int, plies: int, workspace: Workspace) -> None:
    """Updates the move order after a move decided a test of this number of plies."""
    side, place = side_to_move(state), history_place(state, move)
    workspace.history[side, place] += plies
    if workspace.history[side, place] >= HISTORY_LIMIT:
        for other in range(workspace.history.shape[1]):
            workspace.history[0, other] >>= 1
            workspace.history[1, other] >>= 1


@kernel
def prove(state: State, ply: int, beta: int, proofs: Proofs, workspace: Workspace) -> int:
    """Returns a bound of a position's value: a lower bound if it is ≥ beta, else an upper bound.

    The result is invalid if `workspace.stop` is set.
    """
    if is_over(state):
        return terminal_points(state, ply)
    if ply > 0 and drawn_by_history(state, workspace):
        return 0
    # 1. A win at once. If the game defines safe moves, the parent played one, so there is none.
    far = sees_far(state, workspace)
    if not (far and ply > 1) and wins_at_once(state):
        return win_value(state) - ply - 1
    workspace.nodes += 1
    if should_stop(workspace):
        return 0
    if ply >= MAX_PLY:
        workspace.stop = DEEP
        return 0
    # 2. Values without search.
    sight = static_bounds(state, ply)
    if sight.lower >= beta or sight.upper < beta:
        return sight.lower if sight.lower >= beta else sight.upper
    rest = promising(state, workspace)
    if far:
        least, most = range_ahead(state, rest, ply)
        if least >= beta or most < beta:
            return least if least >= beta else most
    # No value is in the gap, so a beta inside it is the same as its upper end.
    if sight.gap_from < beta < sight.gap_to:
        beta = sight.gap_to

    # 3. Stored bounds.
    plies = in_question(state, ply, beta)
    a, b, index = NONE, NONE, 0
    lower, upper, tag = -INFINITY, INFINITY, -1
    if plies >= LEAST_PLIES_TO_KEEP:
        # A mirror image has another history, so symmetry is off if the history counts.
        a, b, index = canonical_key(state, plies if workspace.history_hash == NONE else 0)
        lower, upper, tag = known_bounds(state, ply, (a, b), proofs)
        if lower >= beta or upper < beta:
            return lower if lower >= beta else upper
    # A stored move means that the moves were already searched once.
    if tag < 0 and finds_win(state):
        return win_value(state) - ply - 1

    # 4. The moves, until one reaches beta.
    best, best_move = -INFINITY, -1
    count = write_hints(state, rest, ply, (tag, index), workspace)
    i, late, first_round = 0, 0, True
    while i < count or late > 0:
        if i == count:  # those that were another thread's, which may have answered by now
            i, count, late, first_round = 0, late, 0, False
        move, i = take_best(ply, i, count, workspace), i + 1
        child = play(state, move)
        # All threads search the first move, because it decides most tests.
        task = claim_question(child, plies - 1, first_round and i > 1, proofs)
        if task == TAKEN:
            workspace.ordered[ply, late] = workspace.ordered[ply, i - 1]
            late += 1
            continue
        value = prove(child, ply + 1, beta_below(state, child, beta), proofs, workspace)
        value = value_above(state, child, value)
        put_back(proofs.team, task)
        if workspace.stop != 0:
            return 0
        if value > best:
            best, best_move = value, move
            if value >= beta:
                learn_from(state, move, plies, workspace)
                break
    if sight.gap_from < best < sight.gap_to:
        best = sight.gap_from

    # 5. Store the new bounds.
    if plies >= LEAST_PLIES_TO_KEEP:
        bounds = (best, upper) if best >= beta else (lower, best)
        stored_move = transform_move(state, best_move, index)
        keep_bounds(state, ply, (a, b), bounds, stored_move, plies, proofs, workspace)
    return best
