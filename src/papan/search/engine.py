"""The engine: everything that helps, on top of principal variation search.

Iterative deepening, aspiration windows, a transposition table that knows mirrored positions,
moves ordered by table, game, killers and history, several threads on one table (Lazy SMP),
several principal variations. Each technique is an option, so that its gain can be measured.

Without late-move reductions (`lmr`) the values are those of plain minimax with the same
evaluation; with them, moves late in the order are searched less deeply at first.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from papan.games.base import Game, Position
from papan.kernel.bits import NONE
from papan.kernel.compiler import kernel
from papan.kernel.operation import helper
from papan.kernel.vocabulary import (
    Evaluation,
    State,
    ended_value,
    is_symmetric,
    key,
    next_key,
    play,
    plies_bound,
    symmetry_count,
    transform,
    transform_move,
    unit,
)
from papan.search import solver
from papan.search.algorithm import Task, in_points, is_proven
from papan.search.leaves import frontier, leaf_value
from papan.search.limits import Limit
from papan.search.ordering import (
    KILLER_WEIGHT,
    PROMISE_WEIGHT,
    Ordering,
    begin_ordering,
    reward,
    take_best,
    write_moves,
)
from papan.search.remembering import Known, Remembering, consult, remember
from papan.search.result import Bound, Line, SearchResult
from papan.search.solver import Solution, certainly_solves, cheap_solution
from papan.search.table import Table
from papan.search.workspace import (
    INFINITY,
    Workspace,
    end_pv,
    enter_salted,
    extend_pv,
    leave,
    new_workspace,
    principal_variation,
    repeats,
    salt_at,
    should_stop,
    start_pv,
    watch_return,
)
from papan.spec import option


class Techniques(NamedTuple):
    """What the kernel is to use.

    Attributes:
        table: 1 to use the transposition table.
        scout: 1 for null windows after the first move, 0 for plain alpha–beta.
        symmetry: mirrored positions share a table entry down to this ply; −1 for none.
        lmr: from this move of a node on, search less deeply at first; 0 for never.
        ordering: how moves are ordered.
    """

    table: int
    scout: int
    symmetry: int
    lmr: int
    ordering: Ordering


#: From this depth on the window is narrow at first; before it values still jump.
ASPIRATION_DEPTH = 3
#: How much wider a window becomes when the value lies outside.
ASPIRATION_GROWTH = 4
#: From this depth on an iteration is long enough for helping threads.
CREW_DEPTH = 5
#: So deep the only legal move is looked at when time is what is limited.
FORCED_DEPTH = 4

#: The part of a move's time that solving may take.
SOLVER_SHARE = 0.5
#: So many sets of empty squares a second the solver does at the very least.
SOLVER_RATE = 5_000_000
#: More of them are not solved in passing: each takes a byte.
LARGEST_SOLVED = 1 << 26

#: Nodes of less depth than this are never searched with a reduction.
LMR_LEAST_DEPTH = 3


@helper
def orient(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    ply: int,
    techniques: Techniques,
    workspace: Workspace,
) -> tuple[Any, int]:
    """The least key among a position's mirror images, and the symmetry that leads there."""
    least = own_key
    index = 0
    wanted = ply <= techniques.symmetry and is_symmetric(evaluation)
    # A salt tells of positions as they stood, not of their mirror images.
    if wanted and salt_at(state, ply, workspace) == NONE:
        for other in range(1, symmetry_count(state)):
            mirrored = key(transform(state, other))
            if mirrored < least:
                least = mirrored
                index = other
    return least, index


@helper
def turn_back(state: State, move: int, index: int, ply: int, workspace: Workspace) -> int:
    """The move of `state` that looks like `move` under symmetry `index`; −1 if there is none."""
    if index == 0 or move < 0:
        return move
    nothing = Ordering(0, 0, 0, 0)
    for i in range(write_moves(state, ply, nothing, workspace)):
        mine = workspace.ordered[ply, i] & 0xFFFF
        if transform_move(state, mine, index) == move:
            return mine
    return -1


@kernel
def best_value(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    table: Table,
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """A value of `state` at `depth` ≥ 1, side to move's view; see `alpha_beta` for the window."""
    depth = min(depth, plies_bound(state))
    if depth <= 1:
        return frontier(state, own_key, evaluation, ply, window, workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    # 1. What the table knows, of this position or of a mirror image.
    known = Known(0, 0, window[0], window[1], -INFINITY, INFINITY, -1)
    table_key, symmetry = orient(state, own_key, evaluation, ply, techniques, workspace)
    if techniques.table == 1:
        known = consult(table, state, table_key, depth, ply, window, workspace)
        if known.answered == 1:
            if symmetry > 0 and known.move >= 0:  # the variation has the mirror image's move
                own = turn_back(state, known.move, symmetry, ply, workspace)
                end_pv(workspace, ply, own)
            return known.value
    first = turn_back(state, known.move, symmetry, ply, workspace)
    # 2. The table's move, then the others, best first.
    before = (workspace.nodes, workspace.tainted)
    enter_salted(state, own_key, ply, workspace)
    alpha, beta = known.alpha, known.beta
    best, best_move, tried = -INFINITY, -1, 0
    count, index, move = -1, 0, first
    while True:
        if move < 0:
            if count < 0:
                count = write_moves(state, ply, techniques.ordering, workspace)
            if index >= count:
                break
            move = take_best(ply, index, count, workspace)
            index += 1
            if move == first:
                move = -1
                continue
        tried += 1
        workspace.nodes += 1
        watch_return(state, move, workspace)
        below = next_key(state, own_key, move)
        if repeats(state, below, ply + 1, workspace):
            value = 0
            start_pv(workspace, ply + 1)
        else:
            # 3. A null window, perhaps less deep, asks whether the move is better at all.
            child = play(state, move)
            scout = alpha + 1 if techniques.scout == 1 and tried > 1 else beta
            less = reduction(tried, depth, techniques)
            value = -best_value(
                child, below, evaluation, depth - 1 - less, ply + 1,
                (-scout, -alpha), table, techniques, workspace,
            )  # fmt: skip
            if value > alpha and (less > 0 or scout <= value < beta):
                value = -best_value(
                    child, below, evaluation, depth - 1, ply + 1,
                    (-beta, -alpha), table, techniques, workspace,
                )  # fmt: skip
        if workspace.stop != 0:
            break
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                extend_pv(workspace, ply, move)
                if value >= beta:
                    reward(state, move, depth, ply, workspace)
                    break
        move = -1
    leave(state, own_key, workspace)
    # 4. What was found, for the table.
    if tried == 0:
        return ended_value(evaluation, state, ply)
    if techniques.table == 1:
        result = (best, transform_move(state, best_move, symmetry))
        remember(table, state, table_key, depth, ply, known, result, before, workspace)
    return best


@kernel
def best_root_move(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    window: tuple[int, int],
    root_moves: Any,
    table: Table,
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """The value of the best of `root_moves` (int64, in the order to try them) at `depth`."""
    # A literal 1 would be a type of its own: numba would compile `best_value` for it too, calling
    # the other one in a way that crashes once both are loaded from the cache.
    one_ply: Any = np.int64(1)
    start_pv(workspace, 0)
    workspace.nodes += 1
    enter_salted(state, own_key, 0, workspace)
    alpha, beta = window
    best = -INFINITY
    for i in range(root_moves.size):
        move = root_moves[i]
        workspace.nodes += 1
        start_pv(workspace, 1)
        below = next_key(state, own_key, move)
        if depth == 1:
            value = leaf_value(state, own_key, evaluation, move, 0, workspace)
        elif repeats(state, below, 1, workspace):
            value = 0
        else:
            child = play(state, move)
            scout = alpha + 1 if techniques.scout == 1 and i > 0 else beta
            value = -best_value(
                child, below, evaluation, depth - 1, one_ply,
                (-scout, -alpha), table, techniques, workspace,
            )  # fmt: skip
            if scout <= value < beta and workspace.stop == 0:
                value = -best_value(
                    child, below, evaluation, depth - 1, one_ply,
                    (-beta, -alpha), table, techniques, workspace,
                )  # fmt: skip
        if workspace.stop != 0 and depth > 1:
            break
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_pv(workspace, 0, move)
                if value >= beta:
                    break
    leave(state, own_key, workspace)
    return best


@helper
def reduction(tried: int, depth: int, techniques: Techniques) -> int:
    """How many plies less deep a move is searched at first."""
    if techniques.lmr > 0 and tried > techniques.lmr and depth >= LMR_LEAST_DEPTH:
        return 1
    return 0


@dataclass
class Engine(Remembering):
    """The strongest search Papan has."""

    name = "engine"

    threads: int = option(1, "option.threads", low=1, high=64)
    lines: int = option(1, "option.lines", low=1, high=64)
    table_on: bool = option(True, "option.table")
    scout: bool = option(True, "option.scout")
    aspiration: int = option(1, "option.aspiration", low=0, high=10_000)
    promise: bool = option(True, "option.promise")
    killers: bool = option(True, "option.killers")
    heuristic: bool = option(True, "option.history")
    symmetry: int = option(4, "option.symmetry", low=-1, high=16)
    lmr: int = option(0, "option.lmr", low=0, high=64)
    solve: bool = option(True, "option.solve")

    _crew: Crew | None = field(init=False, repr=False, compare=False, default=None)

    def techniques(self, thread: int = 0) -> Techniques:
        """The options as the kernel wants them, for one of the threads."""
        ordering = Ordering(
            PROMISE_WEIGHT * self.promise, KILLER_WEIGHT * self.killers, int(self.heuristic), thread
        )
        return Techniques(int(self.table_on), int(self.scout), self.symmetry, self.lmr, ordering)

    def evaluation_for(self, game: Game, limit: Limit) -> Evaluation:
        """The strongest evaluation, for the best move; the plain one where only a depth is
        asked for, so that values can be compared with those of other algorithms."""
        return game.default_evaluation if limit.only_depth else game.strongest_evaluation

    def value_at(self, task: Task, depth: int) -> int:
        begin_ordering(task.workspace)
        return self.root_value(task, depth, (-INFINITY, INFINITY), root_moves(task))

    def prepare(self, position: Position, evaluation: Evaluation) -> None:
        super().prepare(position, evaluation)
        # Now, though it may be far too large still: its endings will be solved in thinking time.
        if self.solve and certainly_solves(position, sys.maxsize):
            solver.prepare(position)

    def steps(self, task: Task) -> Iterator[SearchResult]:
        """Results of growing depth; one cut short counts if it found a better move in time.

        Where the end is so near that the position can be solved in a part of the time, the
        solution is the only result.
        """
        if (solution := self._solution(task)) is not None:
            yield self._solved(task, solution)
            return
        begin_ordering(task.workspace)
        candidates = root_moves(task)
        crew = self._crew = Crew(self, task)
        # Guesses for even and for odd depths: it matters who makes the last move.
        guesses = [[0] * self.lines] * 2
        for depth in self._depths(task):
            with crew.helping(depth, candidates):
                lines = list(self._lines(task, depth, candidates, guesses[depth % 2]))
            if not lines or (task.stopped and self.lines > 1):
                return
            candidates = _to_front(candidates, [moves[0] for _, moves in lines])
            guesses[depth % 2] = [value for value, _ in lines]
            result = self._result_of(task, depth, lines)
            yield result
            settled = all(is_proven(task.state, value, depth) for value, _ in lines)
            if task.stopped or settled or self._forced(task, depth, candidates):
                return

    def _solution(self, task: Task) -> Solution | None:
        """The exact solution, where time is what is limited and it is certain to suffice."""
        seconds = task.limit.seconds
        if not self.solve or self.lines > 1 or seconds is None:
            return None
        share = SOLVER_SHARE * seconds
        nodes = min(int(share * SOLVER_RATE), LARGEST_SOLVED)
        if not certainly_solves(task.position, nodes):
            return None
        return cheap_solution(task.position, seconds=share, nodes=nodes, stop=task.stop)

    def _solved(self, task: Task, solution: Solution) -> SearchResult:
        task.workspace.nodes += solution.nodes
        return SearchResult(
            position=task.position,
            algorithm=self.spec,
            move=solution.moves[0],
            value=solution.value,
            bound=Bound.EXACT,
            depth=solution.plies or 0,
            nodes=self.nodes(task),
            seconds=task.seconds,
            pv=solution.moves[:1],
            proven=True,
            extra=self.extra(task),
        )

    def root_value(self, task: Task, depth: int, window: tuple[int, int], candidates: Any) -> int:
        """The value of the best candidate within a window; leaves the pv in the workspace."""
        return best_root_move(
            task.state,
            task.key,
            task.evaluation,
            depth,
            window,
            candidates,
            self.table,
            self.techniques(),
            task.workspace,
        )

    def _lines(
        self, task: Task, depth: int, candidates: Any, guesses: list[int]
    ) -> Iterator[tuple[int, list[int]]]:
        """The best lines, each without the first moves of those before it: value and moves."""
        left = candidates
        for number in range(min(self.lines, candidates.size)):
            guess = guesses[number] if number < len(guesses) else 0
            value = self._aspire(task, depth, guess, left)
            moves = principal_variation(task.workspace)
            if not moves or (task.stopped and depth == 1):
                return
            yield value, moves
            if task.stopped:
                return
            left = left[left != moves[0]]

    def _aspire(self, task: Task, depth: int, guess: int, candidates: Any) -> int:
        """The value found in a window around a guess, widened until it holds."""
        width = self.aspiration * unit(task.evaluation) if depth >= ASPIRATION_DEPTH else 0
        if width == 0:
            return self.root_value(task, depth, (-INFINITY, INFINITY), candidates)
        low, high = guess - width, guess + width
        while True:
            value = self.root_value(task, depth, (low, high), candidates)
            if task.stopped or low < value < high:
                return value
            width *= ASPIRATION_GROWTH
            if value <= low:
                low = max(-INFINITY, value - width)
            else:
                high = min(INFINITY, value + width)

    def _result_of(
        self, task: Task, depth: int, lines: list[tuple[int, list[int]]]
    ) -> SearchResult:
        write = task.position.game.write_move
        ranked = sorted(lines, key=lambda line: -line[0])
        shown = tuple(
            Line(in_points(task.evaluation, task.state, value), tuple(map(write, moves)))
            for value, moves in ranked
        )
        return SearchResult(
            position=task.position,
            algorithm=self.spec,
            move=shown[0].moves[0],
            value=shown[0].value,
            bound=Bound.LOWER if task.stopped else Bound.EXACT,
            depth=depth,
            nodes=self.nodes(task),
            seconds=task.seconds,
            pv=shown[0].moves,
            proven=not task.stopped and is_proven(task.state, ranked[0][0], depth),
            lines=shown if self.lines > 1 else (),
            extra=self.extra(task),
        )

    def nodes(self, task: Task) -> int:
        return super().nodes(task) + (self._crew.nodes() if self._crew else 0)

    def _forced(self, task: Task, depth: int, candidates: Any) -> bool:
        """Whether time would be wasted on the only legal move."""
        timed = task.limit.seconds is not None and task.limit.depth is None
        return timed and candidates.size == 1 and depth >= FORCED_DEPTH


def root_moves(task: Task) -> Any:
    """The root's legal moves as an int64 array."""
    return np.array(task.position.codes(), dtype=np.int64)


def _to_front(candidates: Any, best: list[int]) -> Any:
    """The candidates in a new order: the best first, the others as they were."""
    others = candidates[~np.isin(candidates, best)]
    return np.concatenate([np.array(best, dtype=np.int64), others])


class Crew:
    """The helping threads of a search (Lazy SMP): each searches the same root to the same depth
    in an order of its own, and what it finds reaches the others through the table."""

    def __init__(self, engine: Engine, task: Task) -> None:
        self.engine, self.task = engine, task
        self.workspaces = [new_workspace(task.position) for _ in range(engine.threads - 1)]
        for workspace in self.workspaces:
            begin_ordering(workspace)

    @contextmanager
    def helping(self, depth: int, candidates: Any) -> Iterator[None]:
        """Has the crew search to `depth` until the block is left."""
        busy = self.workspaces if depth >= CREW_DEPTH else []
        threads = [
            threading.Thread(
                target=self._search, args=(number, depth, candidates), name="papan-crew"
            )
            for number in range(len(busy))
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for workspace in busy:
                workspace.stop = 1
            for thread in threads:
                thread.join()
            for workspace in busy:
                workspace.stop = 0

    def nodes(self) -> int:
        """Positions visited by the crew."""
        return sum(int(workspace.nodes) for workspace in self.workspaces)

    def _search(self, number: int, depth: int, candidates: Any) -> None:
        task = self.task
        best_root_move(
            task.state,
            task.key,
            task.evaluation,
            depth,
            (-INFINITY, INFINITY),
            candidates,
            self.engine.table,
            self.engine.techniques(number + 1),
            self.workspaces[number],
        )
