"""The last plies of Adjacency with few rounds left, answered without making every move.

A question is "can the side to move still win `need` or more?", counted from the present
difference; the answer is a `Verdict`. With three plies left or fewer it is found here, mostly for
all squares at once: `Around` holds, as sets, which squares have at least one, two, three or four
of some pieces around them.

Every verdict comes with a zone: the squares on which its proof hangs, which are the squares that
its owner (the mover for yes, the other side for no) plays in it and all their neighbours. If the
other side has more pieces on squares outside the zone that were empty, the verdict still holds:
the owner plays the same squares and turns the same pieces there, and the other side turns no more
than before, since the owner's own pieces are where they were. So one proof that it does not help
to pass refutes all moves outside its zone that turn nothing. See docs/solving.md.
"""

from __future__ import annotations

from typing import NamedTuple

from papan.games.adjacency.rules import NEIGHBOURS, AdjacencyState
from papan.jit.compiler import kernel
from papan.rules.bits import (
    ALL,
    NONE,
    Bits,
    bit,
    down,
    left,
    lowest,
    popcount,
    right,
    up,
    without_lowest,
)
from papan.rules.dispatch import helper
from papan.rules.operations import play
from papan.search.workspace import Workspace

#: The most neighbours of a square, and so the most pieces that a move can turn.
MOST_TURNED = 4

#: The row of `workspace.killers` where the last good move with three plies left is kept.
_THREE = 3


class Verdict(NamedTuple):
    """An answer.

    Attributes:
        yes: 1 or 0.
        zone: the squares that its proof hangs on.
    """

    yes: int
    zone: Bits


class Around(NamedTuple):
    """The squares with at least one, two, three, four of some pieces next to them."""

    one: Bits
    two: Bits
    three: Bits
    four: Bits


@helper
def around(pieces: Bits) -> Around:
    """Adds up the four neighbours of all squares at once, in binary digits that are sets."""
    above, below, before, behind = up(pieces), down(pieces), left(pieces), right(pieces)
    odd = above ^ below ^ before ^ behind
    all_four = above & below & before & behind
    two = (above & below) | (before & behind) | ((above ^ below) & (before ^ behind))
    return Around(odd | two, two, (odd & two) | all_four, all_four)


@helper
def with_least(counts: Around, number: int) -> Bits:
    """The squares with at least `number`."""
    if number <= 0:
        return ALL
    if number == 1:
        return counts.one
    if number == 2:
        return counts.two
    if number == 3:
        return counts.three
    if number == MOST_TURNED:
        return counts.four
    return NONE


@helper
def with_just(counts: Around, number: int) -> Bits:
    """The squares with exactly `number`."""
    return with_least(counts, number) & ~with_least(counts, number + 1)


@helper
def most_around(counts: Around, among: Bits) -> int:
    """The largest number that any of these squares has."""
    number = MOST_TURNED
    while with_least(counts, number) & among == NONE:
        number -= 1
    return number


@helper
def closed_neighbourhood(square: int) -> Bits:
    """A square and its neighbours."""
    return NEIGHBOURS[square] | bit(square)


@helper
def count_turned(state: AdjacencyState, square: int) -> int:
    """Number of pieces that a move turns."""
    return popcount(NEIGHBOURS[square] & state.theirs)


@helper
def need_after(need: int, turning: int) -> int:
    """The least that the other side must be able to win to refute a move that turns `turning`.

    The move wins 1 + 2·turning. It falls short if what the other side can still win is more than
    that − need; numbers with as many plies left differ by even numbers.
    """
    return 3 + 2 * turning - need


@helper
def one_left(state: AdjacencyState, need: int) -> Verdict:
    """The verdict with one ply left: a square is enough that turns (need − 1) / 2."""
    turning = (need - 1) >> 1  # a move wins 1 + 2 · turning
    if turning <= 0:
        return Verdict(1, NONE)
    enough = with_least(around(state.theirs), turning) & state.empty
    if enough == NONE:
        return Verdict(0, NONE)
    return Verdict(1, closed_neighbourhood(lowest(enough)))


@kernel
def two_left(state: AdjacencyState, need: int) -> Verdict:
    """The verdict with two plies left.

    A move is enough if it turns `lead` = need / 2 more than the best answer to it. Moves are
    taken by how many they turn. A "no" needs an answer to each of them; answers chosen for
    earlier moves are used again, which keeps the zone small.
    """
    lead = need >> 1
    if lead <= -MOST_TURNED:  # no answer turns more
        return Verdict(1, NONE)
    theirs, mine = around(state.theirs), around(state.mine)
    chosen, zone = NONE, NONE
    for turning in range(MOST_TURNED, max(lead, 0) - 1, -1):
        moves = with_just(theirs, turning) & state.empty
        if moves == NONE:
            continue
        answering = turning - lead + 1
        # An answer that had to turn more than four does not exist.
        if answering > MOST_TURNED:
            return Verdict(1, closed_neighbourhood(lowest(moves)))

        # 1. Of two answers that are there already, a move can take away one only.
        answers = with_least(mine, answering) & state.empty
        if without_lowest(answers) != NONE and answers != NONE:
            known = answers & chosen
            if known == NONE or without_lowest(known) == NONE:
                first = bit(lowest(known if known != NONE else answers))
                second = bit(lowest(answers & ~first))
                chosen |= first | second
                zone |= closed_neighbourhood(lowest(first)) | closed_neighbourhood(lowest(second))
            continue

        # 2. Else the move itself may have to make the answer possible.
        while moves != NONE:
            move = lowest(moves)
            moves = without_lowest(moves)
            after = play(state, move)
            answers = with_least(around(after.theirs), answering) & after.empty
            if answers == NONE:
                return Verdict(1, closed_neighbourhood(move))
            if answers & chosen == NONE:
                chosen |= bit(lowest(answers))
                zone |= closed_neighbourhood(lowest(answers))
    return Verdict(0, zone)


@helper
def after_pass(state: AdjacencyState) -> AdjacencyState:
    """The state after a ply that changes nothing, which the rules do not allow."""
    return AdjacencyState(
        state.theirs, state.mine, state.empty, state.plies_left - 1, 1 - state.side
    )


@kernel
def three_left(state: AdjacencyState, need: int, workspace: Workspace) -> Verdict:
    """The verdict with three plies left; moves that turn most come first."""
    workspace.nodes += 1
    killer = workspace.killers[_THREE, 0]
    if killer >= 0 and state.empty & bit(killer) != NONE:
        answer = two_left(play(state, killer), need_after(need, count_turned(state, killer)))
        if answer.yes == 0:
            return Verdict(1, answer.zone | closed_neighbourhood(killer))
    theirs = around(state.theirs)
    zone = NONE
    for turning in range(MOST_TURNED, -1, -1):
        moves = with_just(theirs, turning) & state.empty
        # Moves that turn nothing are the most of all: one proof about a pass refutes nearly all.
        if turning == 0 and moves != NONE:
            answer = two_left(after_pass(state), need_after(need, 0))
            if answer.yes == 1:
                zone |= answer.zone
                moves &= answer.zone
        while moves != NONE:
            move = lowest(moves)
            moves = without_lowest(moves)
            answer = two_left(play(state, move), need_after(need, turning))
            if answer.yes == 0:
                workspace.killers[_THREE, 0] = move
                return Verdict(1, answer.zone | closed_neighbourhood(move))
            zone |= answer.zone
    return Verdict(0, zone)
