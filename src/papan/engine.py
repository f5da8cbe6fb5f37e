"""The engine: principal variation search with a combination of techniques.

- iterative deepening and aspiration windows
- a transposition table that recognises mirror images
- move ordering by table, game, killers and history
- several threads with a shared table
- several principal variations

Each technique is an option, so that its gain can be measured.

The values equal those of minimax with the same evaluation, except in games that state captures
(`is_quiet`) or passes (`may_pass`): quiescence, null moves and late-move reductions change them.
`lmr` reduces late moves in other games as well: they are first searched to a smaller depth.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from papan.core.game import Game, Position
from papan.core.spec import option
from papan.rules.dispatch import is_replaced
from papan.rules.operations import INFINITY, Evaluation, State, is_quiet, may_pass, unit
from papan.search.algorithm import OPEN_WINDOW, Task, Window, in_points, is_proven
from papan.search.alphabeta.algorithms import Remembering
from papan.search.alphabeta.leaves import Quiescence, Static
from papan.search.alphabeta.memory import Mirrored, NoMemory
from papan.search.alphabeta.negamax import negamax_root
from papan.search.alphabeta.order import HINT_WEIGHT, KILLER_WEIGHT, BestFirst, begin_ordering
from papan.search.alphabeta.techniques import (
    Abdada,
    Late,
    NoPass,
    NoReduction,
    NullMove,
    NullWindow,
    OpenWindow,
    SingleThread,
    Techniques,
    new_team,
)
from papan.search.alphabeta.threads import HelperThreads
from papan.search.limits import Limit
from papan.search.result import Bound, Line, SearchResult
from papan.search.workspace import Workspace, principal_variation
from papan.solve import solve as solving
from papan.solve.base import Solution
from papan.solve.solve import certainly_solves, cheap_solution

#: Smallest depth with a narrow window; values at smaller depths vary too much.
ASPIRATION_DEPTH = 3
#: Factor by which the window is widened if the value is outside.
ASPIRATION_GROWTH = 4
#: Depth of timed searches with one legal move.
FORCED_DEPTH = 4

#: Number of moves that are searched to the full depth where late moves are reduced by default.
FULL_MOVES = 5
#: Smallest depth at which a search is long enough for several threads.
HELPERS_DEPTH = 5

#: Share of a move's time for solving.
SOLVER_SHARE = 0.5
#: Lower bound of the solver's speed, in sets of empty squares per second.
SOLVER_RATE = 5_000_000
#: Maximum number of sets to solve during a search; each takes a byte.
LARGEST_SOLVED = 1 << 26


@dataclass
class Engine(Remembering):
    """The strongest search in Papan."""

    name = "engine"

    threads: int = option(1, "option.threads", low=1, high=64)
    lines: int = option(1, "option.lines", low=1, high=64)
    table_on: bool = option(True, "option.table")
    scout: bool = option(True, "option.scout")
    aspiration: int = option(1, "option.aspiration", low=0, high=10_000)
    order_hint: bool = option(True, "option.order-hint")
    killers: bool = option(True, "option.killers")
    heuristic: bool = option(True, "option.history")
    symmetry: int = option(4, "option.symmetry", low=-1, high=16)
    lmr: int = option(-1, "option.lmr", low=-1, high=64)
    quiescence: int = option(8, "option.quiescence", low=0, high=64)
    null_move: int = option(2, "option.null-move", low=0, high=8)
    share: bool = option(True, "option.share")
    solve: bool = option(True, "option.solve")

    _helpers: HelperThreads | None = field(init=False, repr=False, compare=False, default=None)
    _team: Abdada = field(init=False, repr=False, compare=False, default_factory=new_team)

    def techniques(self) -> Techniques:
        """Returns the techniques that the options select."""
        order = BestFirst(
            HINT_WEIGHT * self.order_hint, KILLER_WEIGHT * self.killers, int(self.heuristic)
        )
        # Without a table, threads cannot share results.
        shares = self.share and self.threads > 1 and self.table_on
        return Techniques(
            memory=Mirrored(self.table, self.symmetry) if self.table_on else NoMemory(),
            order=order,
            window=NullWindow() if self.scout else OpenWindow(),
            reduction=Late(self.lmr if self.lmr > 0 else FULL_MOVES) if self.lmr else NoReduction(),
            team=self._team if shares else SingleThread(),
            passing=NullMove(self.null_move) if self.null_move else NoPass(),
            leaves=Quiescence(self.quiescence) if self.quiescence else Static(),
        )

    def techniques_for(self, state: State) -> Techniques:
        """Returns the techniques for the game of a state.

        Only games that state captures have quiescence, and only games that state passes have null
        moves and, by default, reductions, because passes already change their values.
        """
        techniques = self.techniques()
        if isinstance(techniques.leaves, Quiescence) and not is_replaced(is_quiet, state):
            techniques = techniques._replace(leaves=Static())
        if is_replaced(may_pass, state):
            return techniques
        if self.lmr < 0 and isinstance(techniques.reduction, Late):
            techniques = techniques._replace(reduction=NoReduction())
        return techniques._replace(passing=NoPass())

    def evaluation_for(self, game: Game, limit: Limit) -> Evaluation:
        """Returns the strongest evaluation, or the default one if only the depth is limited.

        The default evaluation makes values comparable with those of other algorithms.
        """
        return game.default_evaluation if limit.only_depth else game.strongest_evaluation

    def value_at(self, task: Task, depth: int) -> int:
        begin_ordering(task.workspace)
        return self.root_value(task, depth, OPEN_WINDOW, root_moves(task))

    def prepare_for_time(self, position: Position) -> None:
        # Prepared even for large games, whose endings are solved during searches.
        if self.solve and certainly_solves(position, sys.maxsize):
            solving.prepare(position)

    def steps(self, task: Task) -> Iterator[SearchResult]:
        """Yields results of growing depth; an interrupted search counts if it found a better move.

        If the position can be solved in part of the time, the solution is the only result.
        """
        if (solution := self._solution(task)) is not None:
            yield self._solved_result(task, solution)
            return
        begin_ordering(task.workspace)
        candidates = root_moves(task)
        helped = self.threads > 1
        self._helpers = HelperThreads(task.position, self.threads - 1) if helped else None
        # Separate guesses for even and odd depths: values depend on the side of the last move.
        guesses = [[0] * self.lines] * 2
        for depth in self._depths(task):
            lines = list(self._lines(task, depth, candidates, guesses[depth % 2]))
            if not lines or (task.stopped and self.lines > 1):
                return
            candidates = _to_front(candidates, [moves[0] for _, moves in lines])
            guesses[depth % 2] = [value for value, _ in lines]
            result = self._result_of(task, depth, lines)
            yield result
            settled = all(is_proven(task.state, value, depth) for value, _ in lines)
            if task.stopped or settled or self._is_forced(task, depth, candidates):
                return

    def _solution(self, task: Task) -> Solution | None:
        """Returns the exact solution if the search is timed and solving certainly takes only part
        of it.
        """
        seconds = task.limit.seconds
        if not self.solve or self.lines > 1 or seconds is None:
            return None
        share = SOLVER_SHARE * seconds
        nodes = min(int(share * SOLVER_RATE), LARGEST_SOLVED)
        if not certainly_solves(task.position, nodes):
            return None
        return cheap_solution(task.position, seconds=share, nodes=nodes, stop=task.stop)

    def _solved_result(self, task: Task, solution: Solution) -> SearchResult:
        task.workspace.nodes += solution.nodes
        plies, moves = solution.plies or 0, solution.moves[:1]
        return task.result(self, moves, solution.value, depth=plies, proven=True)

    def root_value(self, task: Task, depth: int, window: Window, candidates: Any) -> int:
        """Returns the value of the best candidate within a window; leaves the pv in the
        workspace.
        """
        techniques = self.techniques_for(task.state)._replace(observer=self.observer)
        root = (task.state, task.key, task.evaluation)

        def work(workspace: Workspace) -> int:
            return negamax_root(*root, depth, window, candidates, techniques, workspace)

        if self._helpers is None or depth < HELPERS_DEPTH:
            return work(task.workspace)
        with self._helpers.helping(work):
            return work(task.workspace)

    def _lines(
        self, task: Task, depth: int, candidates: Any, guesses: list[int]
    ) -> Iterator[tuple[int, list[int]]]:
        """Yields the best lines as value and moves, each without the first moves of earlier
        lines.
        """
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
        """Returns the value from a search with a window around a guess; widens the window until it
        fits.
        """
        width = self.aspiration * unit(task.evaluation) if depth >= ASPIRATION_DEPTH else 0
        if width == 0:
            return self.root_value(task, depth, OPEN_WINDOW, candidates)
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
        return task.result(
            self,
            shown[0].moves,
            shown[0].value,
            depth=depth,
            proven=not task.stopped and is_proven(task.state, ranked[0][0], depth),
            bound=Bound.LOWER if task.stopped else Bound.EXACT,
            lines=shown if self.lines > 1 else (),
        )

    def nodes(self, task: Task) -> int:
        return super().nodes(task) + (self._helpers.nodes() if self._helpers else 0)

    def _is_forced(self, task: Task, depth: int, candidates: Any) -> bool:
        """True if more time cannot change the move: a timed search with one legal move."""
        timed = task.limit.seconds is not None and task.limit.depth is None
        return timed and candidates.size == 1 and depth >= FORCED_DEPTH


def root_moves(task: Task) -> Any:
    """Returns the root's legal moves as an int64 array."""
    return np.array(task.position.codes(), dtype=np.int64)


def _to_front(candidates: Any, best: list[int]) -> Any:
    """Returns the candidates with the best ones first and the others in their old order."""
    others = candidates[~np.isin(candidates, best)]
    return np.concatenate([np.array(best, dtype=np.int64), others])
