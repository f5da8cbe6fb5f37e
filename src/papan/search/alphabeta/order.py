"""The order in which a node's moves are tried: the game's own, or the most promising ones first.

A node that sorts its moves writes them to its row of `workspace.ordered`, each packed with its
score

    score (upper 32 bits, signed) | move (lower 32 bits)

and takes them out best first. Picking the best of what is left, instead of sorting, pays because
most nodes are cut off after a few moves.

An order of one's own needs `move_score` alone: everything else has a default that tries the moves
of the highest score first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    Moves,
    State,
    head,
    largest_move,
    more,
    moves,
    order_hint,
    side_to_move,
    tail,
)
from papan.search.workspace import HISTORY_MOVES, Workspace, fits

Order = Any  # a NamedTuple; each way to order moves has a class of its own

#: History scores are halved when one of them gets here.
HISTORY_LIMIT = 1 << 14

#: A killer outweighs any history; eight points of order_hint weigh as much as the most history.
#: Measured on three games: a hint that outweighs all history takes 4 to 21 % more nodes, no hint
#: at all 0 to 9 % more (docs/algorithms/engine.md).
HINT_WEIGHT = 1 << 11
KILLER_WEIGHT = 3 << 13

_MOVE_BITS = 32
_MOVE_MASK = (1 << _MOVE_BITS) - 1

#: 2³² divided by the golden ratio; its product with a move stays below 2⁶³.
_SPREAD = 2_654_435_769
_SPREAD_SHIFT = 20  # the middle bits of the product depend on all of the move's


class GameOrder(NamedTuple):
    """The game's own order, walked without writing the moves down."""


class BestFirst(NamedTuple):
    """The highest score first; a weight of 0 switches a part of the score off.

    Attributes:
        hint: weight of a point of the game's `order_hint`.
        killers: worth of a killer, a move that cut off a sister node.
        history: weight of a move's history, which ends at `HISTORY_LIMIT`.
    """

    hint: int = HINT_WEIGHT
    killers: int = KILLER_WEIGHT
    history: int = 1


class FixedOrder(NamedTuple):
    """The order of a list.

    Attributes:
        moves: int64, the first to be tried in front.
    """

    moves: Any


class Row(NamedTuple):
    """Moves still to come of a node, which stand in its row of `workspace.ordered`.

    Attributes:
        written: number of moves in the row; −1 before they are written.
        used: number of these moves that were returned so far.
        left: number of moves that were put off; they stand at the front of the row.
        again: 1 when what was put off has its turn.
    """

    written: int
    used: int
    left: int
    again: int


@helper
def pack_move(score: int, move: int) -> int:
    """A move with its score as one number; a better score makes a larger number."""
    return (score << _MOVE_BITS) | move


# --- the operations of an order ------------------------------------------------------------------


@operation
def move_score(order: Order, state: State, move: int, ply: int, workspace: Workspace) -> int:
    """The worth of trying a move early, below 2³¹ either way."""


@operation
def write_moves(order: Order, state: State, ply: int, workspace: Workspace) -> int:
    """Number of moves of a node, which are written to its row; default: with their scores."""


@write_moves.register(tuple)
def _(order: Order, state: State, ply: int, workspace: Workspace) -> int:
    count = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not fits(state, count, move, workspace):
            break
        workspace.ordered[ply, count] = pack_move(
            move_score(order, state, move, ply, workspace), move
        )
        count += 1
    return count


@operation
def walk(order: Order, state: State) -> Any:
    """All moves of a node, as `following` wants them."""


@walk.register(tuple)
def _(order: Order, state: State) -> Row:
    # Not written yet: most nodes are cut off by the table's move, and need no other.
    return Row(-1, 0, 0, 0)


@operation
def following(
    order: Order, state: State, rest: Any, tried: int, ply: int, workspace: Workspace
) -> tuple[int, Any]:
    """The next move of `rest` other than `tried`, or −1; and the moves after it."""


@following.register(tuple)
def _(
    order: Order, state: State, rest: Row, tried: int, ply: int, workspace: Workspace
) -> tuple[int, Row]:
    written, used, left, again = rest
    if written < 0:
        written = write_moves(order, state, ply, workspace)
    while used < written or left > 0:
        if used >= written:
            used, written, left, again = 0, left, 0, 1
        move = take_best(ply, used, written, workspace)
        used += 1
        if move != tried:
            return move, Row(written, used, left, again)
    return -1, Row(written, used, left, again)


@operation
def learn(
    order: Order, state: State, move: int, depth: int, ply: int, workspace: Workspace
) -> None:
    """Takes notice of a move that caused a cutoff; default: none."""


@learn.register(tuple)
def _(order: Order, state: State, move: int, depth: int, ply: int, workspace: Workspace) -> None:
    return None


@operation
def may_defer(order: Order, rest: Any) -> bool:
    """True if the move taken last may be put off: none is put off twice."""


@may_defer.register(tuple)
def _(order: Order, rest: Row) -> bool:
    return rest.again == 0


@operation
def defer(order: Order, rest: Any, ply: int, workspace: Workspace) -> Any:
    """`rest` with the move taken last among those that have another turn."""


@defer.register(tuple)
def _(order: Order, rest: Row, ply: int, workspace: Workspace) -> Row:
    workspace.ordered[ply, rest.left] = workspace.ordered[ply, rest.used - 1]
    return Row(rest.written, rest.used, rest.left + 1, rest.again)


@helper
def take_best(ply: int, index: int, count: int, workspace: Workspace) -> int:
    """Swaps the best move from `index` on to `index` and returns it.

    The order of moves with the same score is always the same.
    """
    best = index
    for i in range(index + 1, count):
        if workspace.ordered[ply, i] > workspace.ordered[ply, best]:
            best = i
    chosen = workspace.ordered[ply, best]
    workspace.ordered[ply, best] = workspace.ordered[ply, index]
    workspace.ordered[ply, index] = chosen
    return chosen & _MOVE_MASK


# --- the game's order ----------------------------------------------------------------------------


@walk.register(GameOrder)
def _(order: GameOrder, state: State) -> Moves:
    return moves(state)


@following.register(GameOrder)
def _(
    order: GameOrder, state: State, rest: Moves, tried: int, ply: int, workspace: Workspace
) -> tuple[int, Moves]:
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        # Nothing is listed here, but a table and a principal variation keep the number.
        if not fits(state, 0, move, workspace):
            break
        if move != tried:
            return move, rest
    return -1, rest


@may_defer.register(GameOrder)
def _(order: GameOrder, rest: Moves) -> bool:
    return False  # a walk cannot come back to a move


@defer.register(GameOrder)
def _(order: GameOrder, rest: Moves, ply: int, workspace: Workspace) -> Moves:
    return rest


# --- the most promising first --------------------------------------------------------------------


@move_score.register(BestFirst)
def _(order: BestFirst, state: State, move: int, ply: int, workspace: Workspace) -> int:
    score = order.hint * order_hint(state, move)
    place = history_place(state, move)
    score += order.history * int(workspace.history[side_to_move(state), place])
    if move == workspace.killers[ply, 0] or move == workspace.killers[ply, 1]:
        score += order.killers
    return score


@learn.register(BestFirst)
def _(
    order: BestFirst, state: State, move: int, depth: int, ply: int, workspace: Workspace
) -> None:
    if workspace.killers[ply, 0] != move:
        workspace.killers[ply, 1] = workspace.killers[ply, 0]
        workspace.killers[ply, 0] = move
    side, place = side_to_move(state), history_place(state, move)
    # Deep cutoffs are rare and save much: the square of the depth keeps them from being drowned.
    workspace.history[side, place] += depth * depth
    if workspace.history[side, place] >= HISTORY_LIMIT:
        for other in range(workspace.history.shape[1]):
            workspace.history[0, other] >>= 1
            workspace.history[1, other] >>= 1


@helper
def history_place(state: State, move: int) -> int:
    """The column of a move in `workspace.history`: its number, or a hash of a large one."""
    if largest_move(state) < HISTORY_MOVES:
        return move
    # Sisters differ in some digits only; the golden ratio's multiples spread them (Knuth, TAOCP 3,
    # 6.4). Moves that share a place share a history, which costs time at the worst.
    return ((move * _SPREAD) >> _SPREAD_SHIFT) & (HISTORY_MOVES - 1)


def begin_ordering(workspace: Any) -> None:
    """Forgets killers and history."""
    workspace.killers[:] = -1
    workspace.history[:] = 0


# --- a list --------------------------------------------------------------------------------------


@write_moves.register(FixedOrder)
def _(order: FixedOrder, state: State, ply: int, workspace: Workspace) -> int:
    count = order.moves.size
    for index in range(count):
        workspace.ordered[ply, index] = pack_move(count - index, order.moves[index])
    return count
