"""The techniques of alpha–beta: each is a type, and its operations are resolved by that type.

`negamax` is one loop. `Techniques` holds one technique of each kind, which the loop applies at
each node:

    memory     NoMemory · Table · Mirrored                 (papan.search.alphabeta.memory)
    order      GameOrder · BestFirst · FixedOrder          (papan.search.alphabeta.order)
    window     OpenWindow · NullWindow
    reduction  NoReduction · Late
    team       SingleThread · Abdada
    observer   NoObserver · Log                            (papan.search.trace.log)

A technique that does nothing is compiled to nothing. One of your own is a `NamedTuple` registered
for the operations of its kind: docs/how-to/own-technique.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.dispatch import helper, operation
from papan.rules.operations import State
from papan.search.alphabeta.memory import NoMemory, ProbeResult
from papan.search.alphabeta.order import GameOrder
from papan.search.workspace import Workspace

# --- the window ----------------------------------------------------------------------------------


class OpenWindow(NamedTuple):
    """Every move is searched with the node's own window, as in plain alpha–beta."""


class NullWindow(NamedTuple):
    """The first move has the window, the others a null window that asks if they are better, and
    the window again if they are.

    Marsland & Campbell, "Parallel search of strongly ordered game trees", Computing Surveys
    14(4), 1982; as NegaScout, Reinefeld, ICCA Journal 6(4), 1983.
    """


@operation
def bound_for(kind: Any, alpha: int, beta: int, tried: int) -> int:
    """Upper end of the window for the move that is number `tried`, counted from 1."""


@operation
def is_unsure(kind: Any, bound: int, value: int, beta: int) -> bool:
    """True if a value found below `bound_for` has to be searched for again, below beta."""


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

#: Nodes of less depth than this are never searched with a reduction.
LEAST_REDUCED_DEPTH = 3


class NoReduction(NamedTuple):
    """Every move is searched to the full depth: values are those of plain minimax."""


class Late(NamedTuple):
    """Moves late in the order are searched less deeply at first.

    Attributes:
        after: this many moves of a node have the full depth.
    """

    after: int


@operation
def reduction_of(kind: Any, depth: int, tried: int) -> int:
    """Number of plies that the move number `tried` is searched less deeply at first."""


@reduction_of.register(NoReduction)
def _(kind: NoReduction, depth: int, tried: int) -> int:
    return 0


@reduction_of.register(Late)
def _(kind: Late, depth: int, tried: int) -> int:
    if tried > kind.after and depth >= LEAST_REDUCED_DEPTH:
        return 1
    return 0


# --- threads that search one tree ----------------------------------------------------------------

#: Searches of less depth than this are over before another thread could profit.
SHARED_DEPTH = 3

#: More than all threads together search at a time, so that they seldom share a place.
_PLACES = 1 << 14
_MASK = np.uint64(_PLACES - 1)
_DEPTH_SHIFT = np.uint64(7)  # the same position has another place at another depth
NO_TASK = np.uint64(0)
TAKEN = np.uint64((1 << 64) - 1)  # another thread is at it


class SingleThread(NamedTuple):
    """One thread, or several that know nothing of each other."""


class Abdada(NamedTuple):
    """Threads on one table that leave to each other what is being searched.

    Threads that only share a table (Lazy SMP) go the same ways for long. Here each of them says
    which moves it is busy with; another one that comes to such a move tries its sisters first, and
    finds the answer in the table when it comes back. Everything is still searched by the thread
    that comes first, so a value never depends on it. Needs a memory: that is where answers are.

    After T. Kerrigan, "Simplified ABDADA" (web page), which leaves out what is costly in J.-C.
    Weill, "The ABDADA distributed minimax-search algorithm", ICCA Journal 19(1), 1996.

    Attributes:
        busy: uint64 of shape (2¹⁴,): what is being searched, 0 for nothing.
    """

    busy: np.ndarray[Any, np.dtype[np.uint64]]


def new_team() -> Abdada:
    """A team none of whose threads searches anything."""
    return Abdada(np.zeros(_PLACES, dtype=np.uint64))


@operation
def task_of(team: Any, key: np.uint64, depth: int) -> Any:
    """The number (uint64) of the task to search a position to a depth; 0: it is not shared."""


@operation
def is_taken(team: Any, task: Any) -> bool:
    """True if another thread is at this task. A wrong answer costs time, nothing else."""


@operation
def take(team: Any, task: Any) -> None:
    """Says that this thread is at a task."""


@operation
def put_back(team: Any, task: Any) -> None:
    """Says that a task is done."""


@helper
def claim(team: Any, key: np.uint64, depth: int, may_defer: bool) -> Any:
    """The task to search a position to a depth, now this thread's; `TAKEN` if it may wait and is
    another one's; `NO_TASK` if it is not shared, as all are that have waited."""
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
    # Free places hold 0, so no task would be taken everywhere.
    return task != NO_TASK and team.busy[task & _MASK] == task


@take.register(Abdada)
def _(team: Abdada, task: Any) -> None:
    if task != NO_TASK:
        team.busy[task & _MASK] = task


@put_back.register(Abdada)
def _(team: Abdada, task: Any) -> None:
    # The place may be another thread's by now.
    if task != NO_TASK and team.busy[task & _MASK] == task:
        team.busy[task & _MASK] = NO_TASK


# --- observers -----------------------------------------------------------------------------------

#: Events of a search, in the order in which a node meets them. Next to each: its number, and what
#: its two bounds are.
TRIED = 0  # a move is about to be searched: the move; the window that it gets at most
REPEATED = 1  # it made the game a draw: the move; nothing
LEAF = 2  # it was valued from its parent: the move; value for its mover, 1 if a repetition
ENTERED = 3  # a node: the depth that is left; the window
KNEW = 4  # what the memory says of the node: its move or −1; the bounds
ANSWERED = 5  # the same, and it is enough
LEFT = 6  # the node was searched: its best move or −1; the value, twice


@helper
def event_of(known: ProbeResult) -> int:
    """The event that is what the memory says of a node."""
    return ANSWERED if known.answered == 1 else KNEW


class NoObserver(NamedTuple):
    """An observer that notes nothing."""


@operation
def saw(
    observer: Any,
    event: int,
    ply: int,
    number: int,
    bounds: tuple[int, int],
    workspace: Workspace,
) -> None:
    """Takes notice of an event of the search at `ply`."""


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
    """Takes notice of the leaf after `move` of the node at `ply`, worth `value` to its mover."""


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
    """The way in which a node is searched: one technique of each kind. The defaults are plain
    alpha–beta."""

    memory: Any = NoMemory()
    order: Any = GameOrder()
    window: Any = OpenWindow()
    reduction: Any = NoReduction()
    team: Any = SingleThread()
    observer: Any = NoObserver()
