"""Solver by null-window alpha–beta to the end of the game, with a table of proofs.

It works for games without a repetition rule and with a near end; `deepening` uses the same search
for other games. A game can speed it up with the operations of `papan.rules.operations`.

Each search tests whether the value is at least beta. The results approach the value from both
sides, as in MTD(f) (Plaat et al., 1996), and all proofs stay in the table. Then each other root
move is tested for the same value.

Several threads run long tests together, and the first result counts. The value does not depend on
the thread, because every result is proven.
"""

from __future__ import annotations

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
from papan.solve.proof_table import Proofs, grow_table, is_first, new_proofs
from papan.solve.prove import beta_below, prove


class NullWindowSolver(Solver):
    """Solver by search to the end, for games without a repetition rule."""

    method = "search"
    keeps = True

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
        """Returns the root moves that reach its value."""
        state, good = work.position.state, []
        for code in work.position.codes():
            child = play(state, code)
            bound = self.ask(work, child, 1, beta_below(state, child, value))
            if value_above(state, child, bound) >= value:
                good.append(code)
        return good

    def after(self, work: Work, code: int, guess: int) -> int:
        """Returns the value of a root move, starting from `guess`."""
        state = work.position.state
        child = play(state, code)
        return value_above(
            state, child, self.exact(work, child, 1, value_above(state, child, guess))
        )

    def exact(self, work: Work, state: State, ply: int, guess: int | None = None) -> int:
        """Returns the value of a state at `ply`, by null windows starting from `guess`."""
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
        """Returns a lower bound ≥ beta of the value, or an upper bound < beta; the table grows
        as needed."""
        if self.proofs is None:
            with work.switch.aside():
                self.proofs = (
                    new_proofs(work) if work.keep is None else kept_proofs(work, work.keep)
                )
        while True:
            bound = _first_bound(state, ply, beta, self.proofs, work)
            if work.workspace.stop == DEEP:
                raise work.unsolved_error("solve.too-deep", text=work.position, value=MAX_PLY)
            if work.workspace.stop != FULL:
                work.check()
                if ply == 0:
                    work.bounds.learn(bound, beta)
                return bound
            work.workspace.stop = 0
            work.check()
            with work.switch.aside():
                self.proofs = grow_table(self.proofs, work)


def _first_bound(state: State, ply: int, beta: int, proofs: Proofs, work: Work) -> int:
    """Returns the result of `prove` from this thread or the first of several threads.

    Helpers join when the first table is full. With a node limit there are no helpers, so that the
    same nodes are searched each time.
    """
    main, answers = work.workspace, list[int]()

    def search(workspace: Workspace) -> None:
        bound = int(prove(state, ply, beta, proofs, workspace))
        if workspace.stop == 0:
            answers.append(bound)
            main.stop = OVERTAKEN

    if work.threads == 1 or is_first(proofs) or main.node_limit < np.iinfo(np.int64).max:
        return int(prove(state, ply, beta, proofs, main))
    with work.helpers.helping(search):
        search(main)
    if answers and main.stop == OVERTAKEN:
        main.stop = 0
    return answers[0] if answers else 0
