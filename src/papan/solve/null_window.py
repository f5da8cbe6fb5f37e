"""Solving by search: null-window alpha–beta to the end of the game, with a proof table.

It works for every game without a repetition rule whose remaining length is small enough. Otherwise
`deepening` uses the same search. A game can speed it up with the operations of
`papan.rules.operations`.

Each test is "is the value at least beta?" (a null window). The results close in on the value from
both sides, as in MTD(f) (Plaat et al., 1996). Intermediate proofs stay in the table. Then every
other move of the root is tested against the value.

Several threads work together on tests that take long; the first result is used. The value does not
depend on which thread is first, since every result is proven.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from papan.core.game import Position
from papan.rules.operations import (
    INFINITY,
    MAX_PLY,
    State,
    play,
    remembers,
    value_above,
    win_value,
)
from papan.search.workspace import Workspace
from papan.solve.base import (
    DEEP,
    FULL,
    OVERTAKEN,
    SolvedRoot,
    Solver,
    Work,
    best_of,
    plies_of,
)
from papan.solve.kept_proofs import kept_proofs
from papan.solve.move_order import prefers_few_replies
from papan.solve.proof_table import Proofs, grow_table, is_first, new_proofs
from papan.solve.prove import beta_below, prove


class NullWindowSolver(Solver):
    """Solves by search to the end of the game, for games without a repetition rule."""

    method = "search"
    keeps = True

    def __init__(self, by_replies: bool = False) -> None:
        self.proofs: Proofs | None = None
        self.by_replies = by_replies

    @classmethod
    def accepts(cls, position: Position) -> bool:
        return not remembers(position.state)

    @classmethod
    def prepare(cls, position: Position) -> None:
        # With `stop` set, the kernels are compiled or loaded, but return at the root.
        work = Work(position, 1.0)
        work.workspace.stop = 1
        proofs = new_proofs(work)
        prove(position.state, 0, 0, grow_table(proofs, work), work.workspace)

    def solve(self, work: Work) -> SolvedRoot:
        state = work.position.state
        value = self.exact(work, state, 0)
        work.value_nodes = work.nodes
        plies = plies_of(int(win_value(state)), value)
        if work.every:
            codes = work.position.codes()
            values = {code: self.after(work, code, value) for code in codes}
            return best_of(values, plies)
        return SolvedRoot(value, plies, self.as_good_as(work, value), {})

    def as_good_as(self, work: Work, value: int) -> list[int]:
        """Returns the root's moves that reach its value."""
        state, good = work.position.state, []
        for code in work.position.codes():
            # One null-window test for each move, because worse moves need no exact value.
            child = play(state, code)
            bound = self.ask(work, child, 1, beta_below(state, child, value))
            if value_above(state, child, bound) >= value:
                good.append(code)
        return good

    def after(self, work: Work, code: int, guess: int) -> int:
        """Returns the value of a root's move; the search starts at `guess`."""
        state = work.position.state
        child = play(state, code)
        return value_above(
            state, child, self.exact(work, child, 1, value_above(state, child, guess))
        )

    def exact(self, work: Work, state: State, ply: int, guess: int | None = None) -> int:
        """Returns the value of a state at `ply`; the first test is at `guess`."""
        *_, (lower, _) = self.close_in(work, state, ply, guess)
        return lower

    def close_in(
        self, work: Work, state: State, ply: int, guess: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yields the bounds of the value of a state at `ply` after each test, until they meet."""
        lower, upper = -INFINITY, INFINITY
        beta = 1 if guess is None else guess
        while lower < upper:
            bound = self.ask(work, state, ply, beta)
            if bound >= beta:
                lower = bound
            else:
                upper = bound
            # The next test is just beyond the proven bound.
            beta = lower + 1 if bound >= beta else upper
            yield lower, upper

    def ask(self, work: Work, state: State, ply: int, beta: int) -> int:
        """Returns a lower bound ≥ beta of the value, or an upper bound < beta.

        Enlarges the table when it is full; from then on, moves with few replies come first in
        games where that helps.
        """
        # Tables are allocated and copied aside: meanwhile no positions are visited, which the watch
        # would take for a hanging rule.
        if self.proofs is None:
            with work.switch.aside():
                if work.keep is not None:  # a table for long work, which never grows
                    self.by_replies = prefers_few_replies(work.position.game, type(self))
                self.proofs = self.ordered(
                    new_proofs(work) if work.keep is None else kept_proofs(work, work.keep)
                )
        while True:
            bound = _first_bound(state, ply, beta, self.proofs, work)
            if work.workspace.stop == DEEP:
                raise work.unsolved_error("solve.too-deep", text=work.position, value=MAX_PLY)
            if work.workspace.stop != FULL:
                work.check()
                if ply == 0:  # a test of a move's child is not a bound of the position
                    work.bounds.learn(bound, beta)
                return bound
            # The test starts again with the larger table, which has its proofs so far.
            work.workspace.stop = 0
            work.check()
            with work.switch.aside():
                self.by_replies = prefers_few_replies(work.position.game, type(self))
                self.proofs = self.ordered(grow_table(self.proofs, work))

    def ordered(self, proofs: Proofs) -> Proofs:
        """Returns a table with this solver's order of moves."""
        return proofs._replace(by_replies=int(self.by_replies))


def _first_bound(state: State, ply: int, beta: int, proofs: Proofs, work: Work) -> int:
    """Returns the result of `prove` from this thread, or from the first of several threads.

    Helper threads start once the proofs exceed the first table. With a node limit there are no
    helper threads, so that the same nodes are visited each time.
    """
    main, answers = work.workspace, list[int]()

    def search(workspace: Workspace) -> None:
        bound = int(prove(state, ply, beta, proofs, workspace))
        # A stopped search has no result. The first complete one stops the main thread; `helping`
        # stops the other threads.
        if workspace.stop == 0:
            answers.append(bound)
            main.stop = OVERTAKEN

    if work.threads == 1 or is_first(proofs) or main.node_limit < np.iinfo(np.int64).max:
        return int(prove(state, ply, beta, proofs, main))
    with work.helpers.helping(search):
        search(main)
    # Any other reason to stop must reach the caller.
    if answers and main.stop == OVERTAKEN:
        main.stop = 0
    return answers[0] if answers else 0
