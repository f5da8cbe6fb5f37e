"""The techniques of alpha–beta: each is a type, and its operations are resolved by that type.

`negamax` is one loop. `Techniques` holds one technique of each kind, which the loop applies at
each node:

    memory     NoMemory · Table · Mirrored                 (papan.search.alphabeta.memory)
    order      GameOrder · BestFirst · FixedOrder          (papan.search.alphabeta.order)
    window     OpenWindow · NullWindow
    reduction  NoReduction · Late
    passing    NoPass · NullMove
    leaves     Static · Quiescence                     (papan.search.alphabeta.leaves)
    team       SingleThread · Abdada
    observer   NoObserver · Log                            (papan.search.trace.log)

A technique without effect compiles to no code. To write your own, register a `NamedTuple` for the
operations of its kind: docs/how-to/own-technique.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    INFINITY,
    Evaluation,
    State,
    evaluate,
    key,
    may_pass,
    pass_turn,
    quiet_gain,
)
from papan.search.alphabeta.leaves import Static
from papan.search.alphabeta.memory import NoMemory, ProbeResult
from papan.search.alphabeta.order import GameOrder
from papan.search.workspace import Workspace

# --- the window ----------------------------------------------------------------------------------


class OpenWindow(NamedTuple):
    """Searches every move with the node's own window, as in plain alpha–beta."""


class NullWindow(NamedTuple):
    """Searches the first move with the full window and the others with a null window.

    A move that proves better than the best so far is searched again with the full window.

    Marsland & Campbell, "Parallel search of strongly ordered game trees", Computing Surveys
    14(4), 1982; as NegaScout, Reinefeld, ICCA Journal 6(4), 1983.
    """


@operation
def bound_for(kind: Any, alpha: int, beta: int, tried: int) -> int:
    """The upper end of the window for move number `tried`, counted from 1."""


@operation
def is_unsure(kind: Any, bound: int, value: int, beta: int) -> bool:
    """True if `value` is only a lower bound, so that the move must be searched again up to beta."""


@bound_for.register(OpenWindow)
def _(kind: OpenWindow, alpha: int, beta: int, tried: int) -> int:
    return beta


@is_unsure.register(OpenWindow)
def _(kind: OpenWindow, bound: int, value: int, beta: int) -> bool:
    return False


@bound_for.register(NullWindow)
def _(kind: NullWindow, alpha: int, beta: int, tried: int) -> int:
    return alpha + 1 if tried > 1 else beta


@is_unsure.register(NullWindow)
def _(kind: NullWindow, bound: int, value: int, beta: int) -> bool:
    return bound <= value < beta


# --- reductions ----------------------------------------------------------------------------------

#: Smallest depth of a node at which moves are reduced.
LEAST_REDUCED_DEPTH = 3


class NoReduction(NamedTuple):
    """Searches every move to the full depth, so that values equal those of plain minimax."""


class Late(NamedTuple):
    """Searches moves late in the order to a smaller depth first.

    Attributes:
        after: number of moves of a node that are searched to the full depth.
    """

    after: int


@operation
def reduction_of(kind: Any, depth: int, tried: int) -> int:
    """The number of plies by which move number `tried` is first reduced."""


@reduction_of.register(NoReduction)
def _(kind: NoReduction, depth: int, tried: int) -> int:
    return 0


@reduction_of.register(Late)
def _(kind: Late, depth: int, tried: int) -> int:
    if tried > kind.after and depth >= LEAST_REDUCED_DEPTH:
        return 1 + depth // 4
    return 0


# --- null moves ----------------------------------------------------------------------------------

#: Smallest depth of a node at which a pass is tried, and largest depth at which a value without a
#: search is enough.
LEAST_PASSED_DEPTH = 3
MOST_VALUED_DEPTH = 5


class NoPass(NamedTuple):
    """Searches every node by its moves alone."""


class NullMove(NamedTuple):
    """Skips a node if its value would be at least beta even after a pass, searched less deeply.

    Games say where that is likely to be true (`may_pass`); it is never certain, so values can
    differ from those of plain minimax. Beal, "A generalised quiescence search algorithm",
    Artificial Intelligence 43, 1990; Donninger, "Null move and deep search", ICCA Journal 16(3),
    1993.

    If the most that a quiet move gains is known (`quiet_gain`), nodes far above the window are not
    searched at all, and quiet moves far below it are skipped before the leaves. Heinz, "Extended
    futility pruning", ICCA Journal 21(2), 1998.

    Attributes:
        reduction: number of plies by which the search after the pass is reduced.
    """

    reduction: int


@operation
def depth_after_pass(kind: Any, state: State, depth: int, window: tuple[int, int]) -> int:
    """The depth of the search after a pass; 0 if no pass is tried."""


@depth_after_pass.register(NoPass)
def _(kind: NoPass, state: State, depth: int, window: tuple[int, int]) -> int:
    return 0


@depth_after_pass.register(NullMove)
def _(kind: NullMove, state: State, depth: int, window: tuple[int, int]) -> int:
    if is_null(window) and depth >= LEAST_PASSED_DEPTH and may_pass(state):
        return max(1, depth - 1 - kind.reduction)
    return 0


@operation
def quiet_bounds(
    kind: Any, state: State, evaluation: Evaluation, depth: int, window: tuple[int, int]
) -> tuple[int, int]:
    """A lower bound of the value without a search, and an upper bound after quiet moves.

    They are −∞ and ∞ where they are not known.
    """


@quiet_bounds.register(NoPass)
def _(
    kind: NoPass, state: State, evaluation: Evaluation, depth: int, window: tuple[int, int]
) -> tuple[int, int]:
    return -INFINITY, INFINITY


@quiet_bounds.register(NullMove)
def _(
    kind: NullMove, state: State, evaluation: Evaluation, depth: int, window: tuple[int, int]
) -> tuple[int, int]:
    gain = quiet_gain(evaluation)
    if gain <= 0 or depth > MOST_VALUED_DEPTH or not may_pass(state):
        return -INFINITY, INFINITY
    value = evaluate(evaluation, state)
    return value - depth * gain if is_null(window) else -INFINITY, value + gain


@helper
def is_null(window: tuple[int, int]) -> bool:
    """Returns whether no value is inside a window."""
    return window[1] - window[0] == 1


@helper
def after_pass(state: State, window: tuple[int, int]) -> tuple[State, np.uint64, tuple[int, int]]:
    """Returns the state after a pass, its key, and the window in its view."""
    child = pass_turn(state)
    return child, key(child), (-window[1], -window[0])


# --- threads that search one tree ----------------------------------------------------------------

#: Smallest depth of a shared task; smaller searches end before another thread could benefit.
SHARED_DEPTH = 3

#: Number of slots for tasks: far more than tasks at one time, so that collisions are rare.
_PLACES = 1 << 14
_MASK = np.uint64(_PLACES - 1)
_DEPTH_SHIFT = np.uint64(7)  # gives each depth of a position its own slot
NO_TASK = np.uint64(0)
TAKEN = np.uint64((1 << 64) - 1)  # another thread is searching it


class SingleThread(NamedTuple):
    """One thread, or several independent ones."""


class Abdada(NamedTuple):
    """Threads that share a table and avoid searching the same move at the same time.

    Threads that share only a table (Lazy SMP) often follow the same paths. Here each thread marks
    the moves that it is searching. Another thread that reaches such a move tries its siblings
    first. When it returns to the move, it finds the result in the table. The thread that comes
    first still searches everything, so values do not depend on the marks. Needs a memory, where the
    results are.

    After T. Kerrigan, "Simplified ABDADA" (web page), which omits the costly parts of J.-C. Weill,
    "The ABDADA distributed minimax-search algorithm", ICCA Journal 19(1), 1996.

    Attributes:
        busy: uint64 of shape (2¹⁴,): the tasks being searched; 0 for an empty slot.
    """

    busy: np.ndarray[Any, np.dtype[np.uint64]]


def new_team() -> Abdada:
    """Returns a team without running tasks."""
    return Abdada(np.zeros(_PLACES, dtype=np.uint64))


@operation
def task_of(team: Any, key: np.uint64, depth: int) -> Any:
    """The number (uint64) of the task to search a position to a depth; 0 if it is not shared."""


@operation
def is_taken(team: Any, task: Any) -> bool:
    """True if another thread is searching this task; a wrong answer only costs time."""


@operation
def take(team: Any, task: Any) -> None:
    """Marks a task as being searched by this thread."""


@operation
def put_back(team: Any, task: Any) -> None:
    """Marks a task as finished."""


@helper
def claim(team: Any, key: np.uint64, depth: int, may_defer: bool) -> Any:
    """Takes the task to search a position to a depth, and returns it.

    Returns `TAKEN` if the move may be deferred and another thread is searching it. Returns
    `NO_TASK` if the task is not shared; deferred moves are never shared again. Every thread
    searches the first move of a node, because it cuts off most nodes.
    """
    if not may_defer:
        return NO_TASK
    task = task_of(team, key, depth)
    if is_taken(team, task):
        return TAKEN
    take(team, task)
    return task


@task_of.register(SingleThread)
def _(team: SingleThread, key: np.uint64, depth: int) -> Any:
    return NO_TASK


@is_taken.register(SingleThread)
def _(team: SingleThread, task: Any) -> bool:
    return False


@take.register(SingleThread)
def _(team: SingleThread, task: Any) -> None:
    return None


@put_back.register(SingleThread)
def _(team: SingleThread, task: Any) -> None:
    return None


@task_of.register(Abdada)
def _(team: Abdada, key: np.uint64, depth: int) -> Any:
    if depth < SHARED_DEPTH:
        return NO_TASK
    return key ^ (np.uint64(depth) << _DEPTH_SHIFT)


@is_taken.register(Abdada)
def _(team: Abdada, task: Any) -> bool:
    # Empty slots hold 0, so `NO_TASK` would otherwise count as taken.
    return task != NO_TASK and team.busy[task & _MASK] == task


@take.register(Abdada)
def _(team: Abdada, task: Any) -> None:
    if task != NO_TASK:
        team.busy[task & _MASK] = task


@put_back.register(Abdada)
def _(team: Abdada, task: Any) -> None:
    # Another thread may have overwritten the slot in the meantime.
    if task != NO_TASK and team.busy[task & _MASK] == task:
        team.busy[task & _MASK] = NO_TASK


# --- observers -----------------------------------------------------------------------------------

#: Events of a search, in their order at a node. Each comment gives `number` and then `bounds`.
TRIED = 0  # a move will be searched: the move; its widest window
REPEATED = 1  # the move makes the game a draw: the move; unused
LEAF = 2  # the move was evaluated from its parent: the move; value for its mover, 1 if a repetition
ENTERED = 3  # a node was entered: the remaining depth; the window
KNEW = 4  # the memory was probed: its move or −1; the bounds
ANSWERED = 5  # the same, and the result ends the search of the node
LEFT = 6  # the node was searched: its best move or −1; the value, twice


@helper
def event_of(known: ProbeResult) -> int:
    """Returns the event for the result of probing the memory."""
    return ANSWERED if known.answered == 1 else KNEW


class NoObserver(NamedTuple):
    """An observer that records nothing."""


@operation
def saw(
    observer: Any,
    event: int,
    ply: int,
    number: int,
    bounds: tuple[int, int],
    workspace: Workspace,
) -> None:
    """Records an event of the search at `ply`."""


@operation
def saw_leaf(
    observer: Any,
    state: State,
    key: np.uint64,
    move: int,
    ply: int,
    value: int,
    workspace: Workspace,
) -> None:
    """Records the leaf after `move` of the node at `ply`; `value` is its mover's view."""


@saw.register(NoObserver)
def _(
    observer: NoObserver,
    event: int,
    ply: int,
    number: int,
    bounds: tuple[int, int],
    workspace: Workspace,
) -> None:
    return None


@saw_leaf.register(NoObserver)
def _(
    observer: NoObserver,
    state: State,
    key: np.uint64,
    move: int,
    ply: int,
    value: int,
    workspace: Workspace,
) -> None:
    return None


# --- all of them ---------------------------------------------------------------------------------


class Techniques(NamedTuple):
    """The way to search a node: one technique of each kind. The defaults are plain alpha–beta."""

    memory: Any = NoMemory()
    order: Any = GameOrder()
    window: Any = OpenWindow()
    reduction: Any = NoReduction()
    passing: Any = NoPass()
    leaves: Any = Static()
    team: Any = SingleThread()
    observer: Any = NoObserver()
