"""The last plies of Adjacency with few rounds left, solved without making every move.

A question is "can the side to move still win `need` or more?", counted from the present difference.
The answer is a `Verdict`. With at most three plies left it is computed here, mostly for all squares
at once: `Around` holds the sets of squares with at least one, two, three or four adjacent pieces.

Every verdict has a zone: the squares on which its proof depends. These are the squares that the
owner of the proof plays, with all their neighbours. The owner is the mover for yes, the other side
for no. If the other side has more pieces on squares outside the zone that were empty, the verdict
still holds: the owner plays the same squares and turns the same pieces. The other side turns no
more pieces than before, since the owner's pieces are the same.

Therefore one proof that a pass does not help refutes all moves that turn nothing and lie outside
the proof's zone. See docs/solving.md.
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

#: Maximum number of neighbours of a square, and so of pieces that a move turns.
MOST_TURNED = 4

#: Row of `workspace.killers` with the last successful move with three plies left.
_THREE = 3


class Verdict(NamedTuple):
    """The answer to a question.

    Attributes:
        yes: 1 or 0.
        zone: the squares on which the proof depends.
    """

    yes: int
    zone: Bits


class Around(NamedTuple):
    """The squares with at least one, two, three or four adjacent pieces of a set."""

    one: Bits
    two: Bits
    three: Bits
    four: Bits


@helper
def around(pieces: Bits) -> Around:
    """Counts the adjacent pieces of all squares at once, by binary addition of sets."""
    above, below, before, behind = up(pieces), down(pieces), left(pieces), right(pieces)
    odd = above ^ below ^ before ^ behind
    all_four = above & below & before & behind
    two = (above & below) | (before & behind) | ((above ^ below) & (before ^ behind))
    return Around(odd | two, two, (odd & two) | all_four, all_four)


@helper
def with_least(counts: Around, number: int) -> Bits:
    """Returns the squares with at least `number` adjacent pieces."""
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
    """Returns the squares with exactly `number` adjacent pieces."""
    return with_least(counts, number) & ~with_least(counts, number + 1)


@helper
def most_around(counts: Around, among: Bits) -> int:
    """Returns the largest number of adjacent pieces of any of these squares."""
    number = MOST_TURNED
    while with_least(counts, number) & among == NONE:
        number -= 1
    return number


@helper
def closed_neighbourhood(square: int) -> Bits:
    """Returns a square with its neighbours."""
    return NEIGHBOURS[square] | bit(square)


@helper
def count_turned(state: AdjacencyState, square: int) -> int:
    """Returns the number of pieces that a move turns."""
    return popcount(NEIGHBOURS[square] & state.theirs)


@helper
def need_after(need: int, turning: int) -> int:
    """Returns what the other side must win to refute a move that turns `turning` pieces.

    The move wins 1 + 2·turning. It fails if the other side can still win more than that − need.
    With equally many plies left, differences have the same parity, so "more" means at least 2 more.
    """
    return 3 + 2 * turning - need


@helper
def one_left(state: AdjacencyState, need: int) -> Verdict:
    """Returns the verdict with one ply left: yes if a move turns (need − 1) / 2 pieces."""
    turning = (need - 1) >> 1  # a move wins 1 + 2 · turning
    if turning <= 0:
        return Verdict(1, NONE)
    enough = with_least(around(state.theirs), turning) & state.empty
    if enough == NONE:
        return Verdict(0, NONE)
    return Verdict(1, closed_neighbourhood(lowest(enough)))


@kernel
def two_left(state: AdjacencyState, need: int) -> Verdict:
    """Returns the verdict with two plies left.

    A move is sufficient if it turns `lead` = need / 2 more pieces than the best answer. Moves are
    grouped by the number of turned pieces. A "no" needs an answer to each move; answers to earlier
    moves are reused, which keeps the zone small.
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
        # An answer cannot turn more than four pieces.
        if answering > MOST_TURNED:
            return Verdict(1, closed_neighbourhood(lowest(moves)))

        # 1. Two answers exist already: a move can occupy only one of them.
        answers = with_least(mine, answering) & state.empty
        if without_lowest(answers) != NONE and answers != NONE:
            known = answers & chosen
            if known == NONE or without_lowest(known) == NONE:
                first = bit(lowest(known if known != NONE else answers))
                second = bit(lowest(answers & ~first))
                chosen |= first | second
                zone |= closed_neighbourhood(lowest(first)) | closed_neighbourhood(lowest(second))
            continue

        # 2. Otherwise the move itself may make the answer possible, so try each move.
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
    """Returns the state after a pass, which the rules do not allow."""
    return AdjacencyState(
        state.theirs, state.mine, state.empty, state.plies_left - 1, 1 - state.side
    )


@kernel
def three_left(state: AdjacencyState, need: int, workspace: Workspace) -> Verdict:
    """Returns the verdict with three plies left; moves that turn most pieces come first."""
    # 1. The last successful move.
    workspace.nodes += 1
    killer = workspace.killers[_THREE, 0]
    if killer >= 0 and state.empty & bit(killer) != NONE:
        answer = two_left(play(state, killer), need_after(need, count_turned(state, killer)))
        if answer.yes == 0:
            return Verdict(1, answer.zone | closed_neighbourhood(killer))
    # 2. All moves, by the number of turned pieces.
    theirs = around(state.theirs)
    zone = NONE
    for turning in range(MOST_TURNED, -1, -1):
        moves = with_just(theirs, turning) & state.empty
        # Most moves turn nothing; one proof about a pass refutes nearly all of them.
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
