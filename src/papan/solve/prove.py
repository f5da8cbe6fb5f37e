"""The search of all solvers: is the value of a position at least beta?

A null-window alpha–beta search to the end of the game, or as deep as the test requires. The table
of proofs is kept between tests. Before a node's moves are searched, the rules look one move ahead
(`papan.solve.foresight`). Threads that share a position and a table avoid searching the same move
at once (`papan.search.alphabeta.techniques.Abdada`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.bits import NONE
from papan.rules.dispatch import helper, is_replaced
from papan.rules.operations import (
    INFINITY,
    MAX_PLY,
    Moves,
    State,
    count_moves,
    head,
    is_over,
    is_win_distance,
    max_plies_left,
    more,
    order_hint,
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

#: Smallest number of plies to the end at which mirror images share an entry. Nearer to the end,
#: searching a position again is cheaper than computing its images.
LEAST_PLIES_TO_FOLD = 10

#: Smallest number of plies to the end at which positions are stored. Nearer to the end, searching
#: again is cheaper than a lookup.
LEAST_PLIES_TO_KEEP = 4

#: Smallest number of plies of a shared test; smaller ones end before another thread could benefit.
LEAST_PLIES_TO_SHARE = 12

#: Score bonus of the move that was best before, larger than any other score.
_BEST_BEFORE = 1 << 30

#: Weight of a point of a game's hint; history scores are at most `HISTORY_LIMIT`.
_HINT_WEIGHT = 1 << 15
HISTORY_LIMIT = 1 << 14

#: Number of replies that a point of a game's `order_hint` is worth.
HINT_IN_REPLIES = 4


@helper
def canonical_key(state: State, plies: int) -> tuple[np.uint64, np.uint64, int]:
    """Returns the smallest exact_key of a position's mirror images, and the symmetry that leads to
    it.
    """
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
    """Converts a bound from the table to a search at `ply`; with −`ply`, in the other direction.

    The table counts plies to a win from the position, the search from the root.
    """
    if is_win_distance(state, value):
        return value - ply if value > 0 else value + ply
    return value


@helper
def known_bounds(
    state: State, ply: int, words: tuple[np.uint64, np.uint64], proofs: Proofs
) -> tuple[int, int, int]:
    """Returns the bounds at `ply` and the tag of the move that the table has for a position.

    `words` identify the position.
    """
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
    """Stores the bounds of a position at `ply`; `plies` is the cost of the proof."""
    lower, upper = seen_from(state, bounds[0], -ply), seen_from(state, bounds[1], -ply)
    keep_proof(proofs, words[0], words[1], Proof(lower, upper, move), plies, workspace)


@helper
def in_question(state: State, ply: int, beta: int) -> int:
    """Returns the largest number of plies that can affect whether the value is at least beta.

    If the length of a win counts, wins later than beta requires make no difference.
    """
    plies = min(max_plies_left(state), MAX_PLY)
    if win_value(state) > 0:
        plies = min(plies, win_value(state) - abs(beta) - ply)
    return plies


@helper
def beta_below(state: State, child: State, beta: int) -> int:
    """Returns the beta for `child` of the test whether `state` has at least the value beta."""
    return window_below(state, child, (beta - 1, beta))[1]


@helper
def drawn_by_history(state: State, workspace: Workspace) -> bool:
    """Returns whether the position is a draw because of its occurrences before the root."""
    limit = repetition_limit(state)
    if limit == 0 or workspace.history_hash == NONE:
        return False
    own = position_key(state)
    # Only positions before the root: no line of a forced win repeats a position (docs/solving.md).
    times = 1
    for index in range(workspace.root):
        if workspace.path[index] == own:
            times += 1
    return times >= limit


@helper
def claim_question(state: State, plies: int, may_defer: bool, proofs: Proofs) -> Any:
    """Returns the result of `claim` for a test of `state` that looks `plies` plies ahead."""
    if plies < LEAST_PLIES_TO_SHARE:
        return NO_TASK
    # Mirror images are different tasks: a missed match only costs time.
    a, b = exact_key(state)
    return claim(proofs.team, spread(a, b), plies, may_defer)


@helper
def hint_of(state: State, move: int, proofs: Proofs) -> int:
    """Returns the merit of a move: the game's `solving_hint`, or its `order_hint` and few replies.

    Few replies are soon searched, and a side with few moves is often near its end.
    """
    if is_replaced(solving_hint, state) or proofs.by_replies == 0:
        return solving_hint(state, move)
    return HINT_IN_REPLIES * order_hint(state, move) - count_moves(play(state, move))


@helper
def write_hints(
    state: State,
    rest: Moves,
    ply: int,
    known: tuple[int, int],
    proofs: Proofs,
    workspace: Workspace,
) -> int:
    """Writes the moves of a node with their scores to its row of `ordered`; returns their number.

    `known` is the tag of the previous best move, or −1, and the symmetry under which it was stored.
    """
    count, side = 0, side_to_move(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not fits(state, count, move, workspace):
            break
        score = _HINT_WEIGHT * hint_of(state, move, proofs)
        score += int(workspace.history[side, history_place(state, move)])
        if known[0] >= 0 and tag_of(transform_move(state, move, known[1])) == known[0]:
            score += _BEST_BEFORE
        workspace.ordered[ply, count] = pack_move(score, move)
        count += 1
    return count


@helper
def learn_from(state: State, move: int, plies: int, workspace: Workspace) -> None:
    """Raises the history score of a move that decided a test of `plies` plies."""
    side, place = side_to_move(state), history_place(state, move)
    workspace.history[side, place] += plies
    if workspace.history[side, place] >= HISTORY_LIMIT:
        for other in range(workspace.history.shape[1]):
            workspace.history[0, other] >>= 1
            workspace.history[1, other] >>= 1


@kernel
def prove(state: State, ply: int, beta: int, proofs: Proofs, workspace: Workspace) -> int:
    """Returns a lower bound of a position's value if it is ≥ beta, otherwise an upper bound.

    The result is invalid if `workspace.stop` is set.
    """
    if is_over(state):
        return terminal_points(state, ply)
    if ply > 0 and drawn_by_history(state, workspace):
        return 0
    # 1. Look for an immediate win. There is none after a safe move, if the game detects those.
    far = sees_far(state, workspace)
    if not (far and ply > 1) and wins_at_once(state):
        return win_value(state) - ply - 1
    workspace.nodes += 1
    if should_stop(workspace):
        return 0
    if ply >= MAX_PLY:
        workspace.stop = DEEP
        return 0
    # 2. Values that need no search.
    sight = static_bounds(state, ply)
    if sight.lower >= beta or sight.upper < beta:
        return sight.lower if sight.lower >= beta else sight.upper
    rest = promising(state, workspace)
    if far:
        least, most = range_ahead(state, rest, ply)
        if least >= beta or most < beta:
            return least if least >= beta else most
    # No value lies in the gap, so a beta inside it equals a beta at its upper end.
    if sight.gap_from < beta < sight.gap_to:
        beta = sight.gap_to

    # 3. Look up bounds in the table.
    plies = in_question(state, ply, beta)
    a, b, index = NONE, NONE, 0
    lower, upper, tag = -INFINITY, INFINITY, -1
    if plies >= LEAST_PLIES_TO_KEEP:
        # Mirror images have a different history, so they are not used if the history matters.
        a, b, index = canonical_key(state, plies if workspace.history_hash == NONE else 0)
        lower, upper, tag = known_bounds(state, ply, (a, b), proofs)
        if lower >= beta or upper < beta:
            return lower if lower >= beta else upper
    # A move in the table shows that this position was already checked for an immediate win.
    if tag < 0 and finds_win(state):
        return win_value(state) - ply - 1

    # 4. Search the moves until one reaches beta.
    best, best_move = -INFINITY, -1
    count = write_hints(state, rest, ply, (tag, index), proofs, workspace)
    i, late, first_round = 0, 0, True
    while i < count or late > 0:
        if i == count:  # deferred moves; the other thread may have finished them by now
            i, count, late, first_round = 0, late, 0, False
        move, i = take_best(ply, i, count, workspace), i + 1
        child = play(state, move)
        # Every thread searches the first move, because it decides most tests.
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

    # 5. Store the proven bounds.
    if plies >= LEAST_PLIES_TO_KEEP:
        bounds = (best, upper) if best >= beta else (lower, best)
        stored_move = transform_move(state, best_move, index)
        keep_bounds(state, ply, (a, b), bounds, stored_move, plies, proofs, workspace)
    return best
