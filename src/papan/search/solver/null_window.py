"""Solving by search: null-window alpha–beta to the end of the game, with a table of proofs.

It works for every game without a repetition rule whose end is in sight; `deepening` uses the same
search where it is not. A game can help it by the operations of `papan.kernel.operations`.

Each question put to the search is "is the value at least beta?" (a null window). The answers
close in on the value from both sides, as in MTD(f) (Plaat et al., 1996); what was proven on the
way stays in the table. Then every other move of the root is asked whether it is as good.
"""

from __future__ import annotations

import numpy as np

from papan.core.game import Position
from papan.errors import Unsolved
from papan.kernel.bits import NONE
from papan.kernel.compiler import kernel
from papan.kernel.dispatch import helper
from papan.kernel.operations import (
    INFINITY,
    MAX_PLY,
    State,
    head,
    is_over,
    is_win_distance,
    max_plies_left,
    more,
    moves,
    play,
    remembers,
    repetition_limit,
    symmetry_count,
    tail,
    terminal_points,
    transform,
    transform_move,
    value_above,
    win_value,
    window_below,
)
from papan.kernel.repetition import position_key
from papan.kernel.solving import exact_key, solving_hint, static_bounds
from papan.search.order import packed, take_best
from papan.search.solver.base import DEEP, FULL, SolvedRoot, Solver, Work, best_of
from papan.search.solver.proof_table import (
    Proof,
    Proofs,
    find_proof,
    grown,
    keep_proof,
    new_proofs,
    tag_of,
)
from papan.search.workspace import Workspace, fits, should_stop

#: Nearer to the end than this, mirrored positions are not recognised: searching a position again
#: is cheaper than turning it around.
LEAST_PLIES_TO_FOLD = 10

#: Nearer to the end than this, positions are not kept: searching again is cheaper than looking up.
LEAST_PLIES_TO_KEEP = 4

#: The move that was best before comes first whatever the hints of the others.
_BEST_BEFORE = 1 << 20


@helper
def folded(state: State, plies: int) -> tuple[np.uint64, np.uint64, int]:
    """The least exact_key among a position's mirror images, and the symmetry that leads there."""
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
    """A bound as the table has it, where wins and losses are counted from the position, as a
    search at `ply` sees it; with −`ply`, the other way round."""
    if is_win_distance(state, value):
        return value - ply if value > 0 else value + ply
    return value


@helper
def in_question(state: State, ply: int, beta: int) -> int:
    """The most plies that it takes to tell whether the value is at least beta.

    Where a win's length counts, a win that comes later than beta asks for makes no difference.
    """
    plies = min(max_plies_left(state), MAX_PLY)
    if win_value(state) > 0:
        plies = min(plies, win_value(state) - abs(beta) - ply)
    return plies


@helper
def beta_below(state: State, child: State, beta: int) -> int:
    """The question "is the value of `state` at least beta?" as it is put to `child`."""
    return window_below(state, child, (beta - 1, beta))[1]


@helper
def drawn_by_history(state: State, workspace: Workspace) -> bool:
    """True if the position stood so often before the root that it is a draw when it comes."""
    limit = repetition_limit(state)
    if limit == 0 or workspace.salt == NONE:
        return False
    own = position_key(state)
    times = 1
    for index in range(workspace.root):
        if workspace.path[index] == own:
            times += 1
    return times >= limit


@helper
def write_hints(state: State, ply: int, known: tuple[int, int], workspace: Workspace) -> int:
    """Writes a node's moves with their scores to its row of `ordered`; returns their number.

    `known` is the tag of the best move of before, or −1, and the symmetry under which it was kept.
    """
    count = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not fits(state, count, move, workspace):
            break
        score = solving_hint(state, move)
        if known[0] >= 0 and tag_of(transform_move(state, move, known[1])) == known[0]:
            score += _BEST_BEFORE
        workspace.ordered[ply, count] = packed(score, move)
        count += 1
    return count


@kernel
def prove(state: State, ply: int, beta: int, proofs: Proofs, workspace: Workspace) -> int:
    """A bound of a position's value: a lower one if that is ≥ beta, else an upper one.

    Means nothing once `workspace.stop` is set.
    """
    workspace.nodes += 1
    if is_over(state):
        return terminal_points(state, ply)
    if should_stop(workspace):
        return 0
    if ply >= MAX_PLY:
        workspace.stop = DEEP
        return 0

    # 1. Values that need no search.
    if ply > 0 and drawn_by_history(state, workspace):
        return 0
    sight = static_bounds(state, ply)
    if sight.upper < beta:
        return sight.upper
    if sight.lower >= beta:
        return sight.lower
    # No value lies in the gap: a question about its inside is one about its upper end.
    if sight.gap_from < beta < sight.gap_to:
        beta = sight.gap_to

    # 2. Bounds that were proven before.
    plies = in_question(state, ply, beta)
    a, b, index = NONE, NONE, 0
    lower, upper, tag = -INFINITY, INFINITY, -1
    if plies >= LEAST_PLIES_TO_KEEP:
        # A mirror image of a position has another history, so that none is used where it counts.
        a, b, index = folded(state, plies if workspace.salt == NONE else 0)
        known = find_proof(proofs, a, b)
        lower = seen_from(state, known.lower, ply)
        upper = seen_from(state, known.upper, ply)
        tag = known.move
        if lower >= beta:
            return lower
        if upper < beta:
            return upper

    # 3. The moves, until one is good enough.
    best = -INFINITY
    best_move = -1
    count = write_hints(state, ply, (tag, index), workspace)
    for i in range(count):
        move = take_best(ply, i, count, workspace)
        child = play(state, move)
        question = beta_below(state, child, beta)
        value = value_above(state, child, prove(child, ply + 1, question, proofs, workspace))
        if workspace.stop != 0:
            return 0
        if value > best:
            best = value
            best_move = move
            if value >= beta:
                break
    if sight.gap_from < best < sight.gap_to:
        best = sight.gap_from

    # 4. The bounds that are proven now.
    if plies >= LEAST_PLIES_TO_KEEP:
        if best >= beta:
            lower = best
        else:
            upper = best
        found = Proof(
            seen_from(state, lower, -ply),
            seen_from(state, upper, -ply),
            transform_move(state, best_move, index),
        )
        keep_proof(proofs, a, b, found, plies, workspace)
    return best


class NullWindowSolver(Solver):
    """Solving by search to the end of the game, for games that know no repetition."""

    method = "search"

    def __init__(self) -> None:
        self.proofs: Proofs | None = None

    @classmethod
    def accepts(cls, position: Position) -> bool:
        return not remembers(position.state)

    @classmethod
    def prepare(cls, position: Position) -> None:
        work = Work(position, 1.0)
        work.workspace.stop = 1
        proofs = new_proofs(work)
        prove(position.state, 0, 0, grown(proofs, work), work.workspace)

    def solve(self, work: Work) -> SolvedRoot:
        state = work.position.state
        value = self.exact(work, state, 0)
        plies = _plies(state, value)
        if work.every:
            codes = work.position.codes()
            values = {code: self.after(work, code, value) for code in codes}
            return best_of(values, plies)
        return SolvedRoot(value, plies, self.as_good_as(work, value), {})

    def as_good_as(self, work: Work, value: int) -> list[int]:
        """The root's moves that reach its value."""
        state, good = work.position.state, []
        for code in work.position.codes():
            child = play(state, code)
            bound = self.ask(work, child, 1, beta_below(state, child, value))
            if value_above(state, child, bound) >= value:
                good.append(code)
        return good

    def after(self, work: Work, code: int, guess: int) -> int:
        """The value of a root's move, sought from `guess` on."""
        state = work.position.state
        child = play(state, code)
        return value_above(
            state, child, self.exact(work, child, 1, value_above(state, child, guess))
        )

    def exact(self, work: Work, state: State, ply: int, guess: int | None = None) -> int:
        """The value of a state at `ply`, by questions that close in on it from `guess` on."""
        lower, upper = -INFINITY, INFINITY
        beta = 1 if guess is None else guess
        while lower < upper:
            bound = self.ask(work, state, ply, beta)
            if bound >= beta:
                lower = bound
            else:
                upper = bound
            beta = lower + 1 if bound >= beta else upper
        return lower

    def ask(self, work: Work, state: State, ply: int, beta: int) -> int:
        """A lower bound ≥ beta of the value, or an upper one < beta; the table grows as needed."""
        if self.proofs is None:
            self.proofs = new_proofs(work)
        while True:
            bound = int(prove(state, ply, beta, self.proofs, work.workspace))
            if work.workspace.stop == DEEP:
                raise Unsolved("solve.too-deep", text=work.position, value=MAX_PLY)
            if work.workspace.stop != FULL:
                work.check()
                return bound
            work.workspace.stop = 0
            work.check()
            self.proofs = grown(self.proofs, work)


def _plies(state: State, value: int) -> int | None:
    """Number of plies to the end of the game, where the value is a distance; else None."""
    win = win_value(state)
    return win - abs(value) if win > 0 and value else None
