"""Exact solving: chooses the solver for a position and runs it. See docs/solving.md."""

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
    """The first of the game's own solvers, and of those for any game, that accepts a position."""
    general: tuple[type[Solver], ...] = (DeepeningSolver, NullWindowSolver)
    solvers = (*position.game.solvers(), *general)
    return next((solver for solver in solvers if solver.accepts(position)), None)


def solver_for(position: Position) -> type[Solver]:
    """The solver for a position.

    Raises:
        Unsolved: there is none.
    """
    solver = solver_of(position)
    if solver is not None:
        return solver
    forbidden = repetition_is_forbidden(position.state)
    why = "@solve.positions-forbidden" if forbidden else "@solve.margin-in-circles"
    raise Unsolved("solve.no-way", text=position, game=position.game.name, why=why)


def prepare(position: Position) -> None:
    """Compiles what solving this position takes, or loads its machine code from the cache.

    Raises:
        Unsolved: there is no way to solve it.
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
        position: what is to be solved, with the history that its game's rules look at.
        memory_mb: what tables may take, in MB.
        limit: time and nodes; without any, it goes on until it is done.
        every: True to have the value of every legal move.
        threads: how many search together, in solvers that search and once there is enough to do.
        keep: a file in which proofs are kept: the same call goes on from there.
        stop: a switch with which any thread can end the work.
        on_progress: called in a thread of its own, twice a second.

    Raises:
        Unsolved: memory, time or nodes do not suffice, or the work was stopped, or there is no
            way to solve positions of this game.
        InvalidLimit: the memory is out of range.
        UsageError: the file for proofs is of another game, or cannot be used.
    """
    if position.outcome() is not None:
        Work(position, memory_mb)  # refuses what is out of range here too
        return _over(position)
    solver = solver_for(position)
    if keep is not None and not solver.keeps:
        raise Unsolved("solve.no-keeping", game=position.game.spec)
    solver.prepare(position)
    work = Work(position, memory_mb, limit or Limit(), stop or Stop(), every, threads, keep=keep)
    answers: list[SolvedRoot] = []
    with reporting(work, on_progress):
        run_stoppable(lambda: answers.append(solver().solve(work)), work.switch, work.limit.seconds)
    return _solution(work, solver, answers[0])


def cheap_solution(
    position: Position, *, seconds: float, nodes: int, stop: Stop | None = None
) -> Solution | None:
    """The solution, if it can be had within `seconds` and `nodes`; else None.

    What certainly takes more nodes is not even begun, so asking costs nothing there.
    """
    if not can_begin(position, nodes):
        return None
    try:
        return solve(position, limit=Limit(seconds=seconds, nodes=nodes), stop=stop)
    except Unsolved:
        return None


def can_begin(position: Position, nodes: int) -> bool:
    """True if a position can perhaps be solved with `nodes`, judged without trying."""
    if position.outcome() is not None:
        return True
    solver = solver_of(position)
    return solver is not None and solver.least_nodes(position) <= nodes


def certainly_solves(position: Position, nodes: int) -> bool:
    """True if it is known, without trying, that `nodes` suffice to solve a position."""
    solver = solver_of(position)
    return solver is not None and solver.exact_cost and solver.least_nodes(position) <= nodes


def _over(position: Position) -> Solution:
    """The solution of a finished game."""
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
