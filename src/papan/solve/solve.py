"""Exact solving: selects and runs the solver for a position. See docs/solving.md."""

from __future__ import annotations

from pathlib import Path

from papan.core.game import Position
from papan.errors import Unsolved
from papan.rules import operations as rules
from papan.rules.operations import repetition_is_forbidden
from papan.search.limits import DEFAULT_MB, Limit, Stop, run_stoppable
from papan.solve.base import OnProgress, Solution, SolvedRoot, Solver, Work, reporting
from papan.solve.deepening import DeepeningSolver
from papan.solve.null_window import NullWindowSolver


def solver_of(position: Position) -> type[Solver] | None:
    """Returns the first solver that accepts a position; None if no solver does.

    The game's own solvers come before the general ones.
    """
    # If both accept a position, `DeepeningSolver` proves results near the end first.
    general: tuple[type[Solver], ...] = (DeepeningSolver, NullWindowSolver)
    solvers = (*position.game.solvers(), *general)
    return next((solver for solver in solvers if solver.accepts(position)), None)


def solver_for(position: Position) -> type[Solver]:
    """Returns the solver for a position.

    Raises:
        Unsolved: no solver accepts the position.
    """
    solver = solver_of(position)
    if solver is not None:
        return solver
    forbidden = repetition_is_forbidden(position.state)
    why = "@solve.positions-forbidden" if forbidden else "@solve.margin-in-circles"
    raise Unsolved("solve.no-way", text=position, game=position.game.name, why=why)


def prepare(position: Position) -> None:
    """Compiles the solver of a position, or loads its machine code from the cache.

    Raises:
        Unsolved: no solver accepts the position.
    """
    if position.outcome() is None:
        solver_for(position).prepare(position)


def solve(
    position: Position,
    *,
    memory_mb: float = DEFAULT_MB,
    limit: Limit | None = None,
    every: bool = False,
    threads: int = 1,
    keep: Path | None = None,
    stop: Stop | None = None,
    on_progress: OnProgress | None = None,
) -> Solution:
    """Solves a position: the value of best play by both sides, and all best moves, proven.

    Args:
        position: the position, with its history if the rules depend on it.
        memory_mb: memory limit of tables, in MB.
        limit: time and nodes; by default unlimited.
        every: True to include the value of every legal move.
        threads: number of threads, for solvers that can use several and tasks that are large
            enough.
        keep: a file for the proofs; the same call resumes the work from it.
        stop: a switch by which any thread can stop the work.
        on_progress: called in a separate thread, twice per second.

    Raises:
        Unsolved: a limit of memory, time or nodes was reached, the work was stopped, or no solver
            accepts the position.
        InvalidLimit: the memory is out of range.
        UsageError: the proof file belongs to another game, or cannot be used.
    """
    if position.outcome() is not None:
        Work(position, memory_mb)  # checks the memory limit
        return _over(position)
    solver = solver_for(position)
    if keep is not None and not solver.keeps:
        raise Unsolved("solve.no-keeping", game=position.game.spec)
    # Compiled before `Work` starts its clock, so that limits and times exclude the compilation.
    solver.prepare(position)
    work = Work(position, memory_mb, limit or Limit(), stop or Stop(), every, threads, keep=keep)
    answers: list[SolvedRoot] = []
    with reporting(work, on_progress):
        run_stoppable(lambda: answers.append(solver().solve(work)), work.switch, work.limit.seconds)
    return _solution(work, solver, answers[0])


def cheap_solution(
    position: Position, *, seconds: float, nodes: int, stop: Stop | None = None
) -> Solution | None:
    """Returns the solution if it takes at most `seconds` and `nodes`; otherwise None.

    Does not start if the solver's lower bound exceeds `nodes`.
    """
    if not can_begin(position, nodes):
        return None
    try:
        return solve(position, limit=Limit(seconds=seconds, nodes=nodes), stop=stop)
    except Unsolved:
        return None


def can_begin(position: Position, nodes: int) -> bool:
    """Returns whether `nodes` may suffice to solve a position, without trying."""
    if position.outcome() is not None:
        return True
    solver = solver_of(position)
    return solver is not None and solver.least_nodes(position) <= nodes


def certainly_solves(position: Position, nodes: int) -> bool:
    """Returns whether `nodes` certainly suffice to solve a position, without trying."""
    solver = solver_of(position)
    return solver is not None and solver.exact_cost and solver.least_nodes(position) <= nodes


def _over(position: Position) -> Solution:
    """Returns the solution of a finished game."""
    value = int(rules.final_value(position.state)) if position.is_over() else 0
    return Solution(position, value, 0, (), 1, 1, 0.0, "over")


def _solution(work: Work, solver: type[Solver], answer: SolvedRoot) -> Solution:
    write = work.position.game.write_move
    values = {write(move): value for move, value in answer.values.items()} if work.every else {}
    return Solution(
        position=work.position,
        value=answer.value,
        plies=answer.plies,
        moves=tuple(write(move) for move in answer.best),
        nodes=work.nodes,
        value_nodes=work.nodes if work.value_nodes is None else work.value_nodes,
        seconds=work.seconds,
        method=solver.method,
        values=values,
    )
