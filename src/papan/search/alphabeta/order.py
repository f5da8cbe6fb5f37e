"""The order in which a node's moves are tried: the game's own order, or the best scores first.

A node that sorts its moves writes them to its row of `workspace.ordered`, each packed with its
score

    score (upper 32 bits, signed) | move (lower 32 bits)

and removes them best first. Selecting the best remaining move is faster than sorting all of them,
because most nodes are cut off after a few moves.

An order of your own needs only `move_score`. All other operations have defaults, which try the
moves with the highest scores first.
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

#: All history scores are halved when one of them reaches this limit.
HISTORY_LIMIT = 1 << 14

#: A killer outweighs any history score. Eight points of `order_hint` equal the largest history
#: score. Measured on three games: a hint that outweighs all history takes 4 to 21 % more nodes, no
#: hint at all 0 to 9 % more (docs/algorithms/engine.md).
HINT_WEIGHT = 1 << 11
KILLER_WEIGHT = 3 << 13

_MOVE_BITS = 32
_MOVE_MASK = (1 << _MOVE_BITS) - 1

#: 2³² divided by the golden ratio; its product with a move stays below 2⁶³.
_SPREAD = 2_654_435_769
_SPREAD_SHIFT = 20  # the middle bits of the product depend on all of the move's


class GameOrder(NamedTuple):
    """The game's own order, without storing the moves."""


class BestFirst(NamedTuple):
    """The highest score first; a weight of 0 disables that part of the score.

    Attributes:
        hint: weight of a point of the game's `order_hint`.
        killers: bonus of a killer, a move that caused a cutoff in a sibling node.
        history: weight of a move's history score, which is at most `HISTORY_LIMIT`.
    """

    hint: int = HINT_WEIGHT
    killers: int = KILLER_WEIGHT
    history: int = 1


class FixedOrder(NamedTuple):
    """The order of a list.

    Attributes:
        moves: int64; the first move is tried first.
    """

    moves: Any


class Row(NamedTuple):
    """The remaining moves of a node, stored in its row of `workspace.ordered`.

    Attributes:
        written: number of moves in the row; −1 before they are written.
        used: number of these moves that were already returned.
        left: number of deferred moves; they are stored at the start of the row.
        again: 1 while the deferred moves are returned.
    """

    written: int
    used: int
    left: int
    again: int


@helper
def pack_move(score: int, move: int) -> int:
    """Returns a move and its score as one number; a better score gives a larger number."""
    return (score << _MOVE_BITS) | move


# --- the operations of an order ------------------------------------------------------------------


@operation
def move_score(order: Order, state: State, move: int, ply: int, workspace: Workspace) -> int:
    """The priority of a move, between −2³¹ and 2³¹; higher scores are tried first."""


@operation
def write_moves(order: Order, state: State, ply: int, workspace: Workspace) -> int:
    """Writes a node's moves to its row, by default with their scores; returns their number."""


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
    """All moves of a node, in the form that `following` expects."""


@walk.register(tuple)
def _(order: Order, state: State) -> Row:
    # Writing is delayed, because the table's move cuts off most nodes.
    return Row(-1, 0, 0, 0)


@operation
def following(
    order: Order, state: State, rest: Any, tried: int, ply: int, workspace: Workspace
) -> tuple[int, Any]:
    """The next move of `rest` other than `tried`, or −1, and the moves after it."""


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
    """Updates the order after a move that caused a cutoff; by default does nothing."""


@learn.register(tuple)
def _(order: Order, state: State, move: int, depth: int, ply: int, workspace: Workspace) -> None:
    return None


@operation
def may_defer(order: Order, rest: Any) -> bool:
    """True if the last returned move may be deferred; a move is deferred at most once."""


@may_defer.register(tuple)
def _(order: Order, rest: Row) -> bool:
    return rest.again == 0


@operation
def defer(order: Order, rest: Any, ply: int, workspace: Workspace) -> Any:
    """`rest` with the last returned move moved to the deferred ones."""


@defer.register(tuple)
def _(order: Order, rest: Row, ply: int, workspace: Workspace) -> Row:
    workspace.ordered[ply, rest.left] = workspace.ordered[ply, rest.used - 1]
    return Row(rest.written, rest.used, rest.left + 1, rest.again)


@helper
def take_best(ply: int, index: int, count: int, workspace: Workspace) -> int:
    """Swaps the best move from `index` on to `index` and returns it.

    The order of moves with equal scores is deterministic.
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
        # Moves are not stored here, but the table and the principal variation store their numbers.
        if not fits(state, 0, move, workspace):
            break
        if move != tried:
            return move, rest
    return -1, rest


@may_defer.register(GameOrder)
def _(order: GameOrder, rest: Moves) -> bool:
    return False  # the iteration cannot return to a move


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
    # Deep cutoffs are rare and save much, so they are weighted by the square of the depth.
    workspace.history[side, place] += depth * depth
    if workspace.history[side, place] >= HISTORY_LIMIT:
        for other in range(workspace.history.shape[1]):
            workspace.history[0, other] >>= 1
            workspace.history[1, other] >>= 1


@helper
def history_place(state: State, move: int) -> int:
    """Returns the column of a move in `workspace.history`: its number, or a hash of a large
    number.
    """
    if largest_move(state) < HISTORY_MOVES:
        return move
    # Siblings differ only in some digits; multiples of the golden ratio spread them (Knuth, TAOCP
    # 3, 6.4). Moves with the same column share a history score, which only costs time.
    return ((move * _SPREAD) >> _SPREAD_SHIFT) & (HISTORY_MOVES - 1)


def begin_ordering(workspace: Any) -> None:
    """Resets killers and history."""
    workspace.killers[:] = -1
    workspace.history[:] = 0


# --- a list --------------------------------------------------------------------------------------


@write_moves.register(FixedOrder)
def _(order: FixedOrder, state: State, ply: int, workspace: Workspace) -> int:
    count = order.moves.size
    for index in range(count):
        workspace.ordered[ply, index] = pack_move(count - index, order.moves[index])
    return count
