"""Solver of Adjacency games that end before the board is full.

Only pieces with an empty neighbour can still change sides. So the remaining difference depends only
on the empty squares, the adjacent pieces and the plies left; all other pieces are settled. The
search asks null-window questions and stores the verdicts with their zones
(`papan.games.adjacency.local_proofs` explains both).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Position
from papan.games.adjacency.local_proofs import (
    MOST_TURNED,
    Verdict,
    after_pass,
    around,
    closed_neighbourhood,
    count_turned,
    most_around,
    need_after,
    one_left,
    three_left,
    two_left,
)
from papan.games.adjacency.rules import AdjacencyState, dimensions
from papan.jit.compiler import kernel
from papan.rules.bits import (
    ALL,
    NONE,
    ROW,
    Bits,
    bit,
    lowest,
    orthogonal,
    popcount,
    transformed,
    without_lowest,
)
from papan.rules.dispatch import helper
from papan.rules.operations import play, symmetry_count
from papan.search.alphabeta.order import pack_move, take_best
from papan.search.workspace import Workspace, should_stop
from papan.solve.base import FULL, SolvedRoot, Solver, Work, best_of
from papan.solve.proof_table import (
    WORDS,
    Proof,
    Proofs,
    find_proof,
    find_row,
    grow_table,
    keep_proof,
    new_proofs,
    position_words,
)

#: Maximum gain of a move: the new piece, and two for each turned piece.
MOST_WON = 1 + 2 * MOST_TURNED

#: Weights of move ordering, in units of the history, which is limited by `_HISTORY_LIMIT`. Moves
#: are ordered by turned pieces minus those that the answer can turn, then by few empty neighbours.
_TURNED_WEIGHT = 1 << 21
_EMPTY_WEIGHT = 1 << 18
_HISTORY_LIMIT = 1 << 13
_BEST_BEFORE = 1 << 30

_ZONE_BYTES = 2 * 8
_PLIES = 1 << 7  # a table entry's move is 128 · plies left + square


class ZonedProofs(NamedTuple):
    """A table of proofs with their zones.

    Attributes:
        proofs: bounds of the remaining difference, by the empty squares and the mover's pieces next
            to them. Only one number of plies left is stored for each.
        zones: uint64 of shape (2 · slots,): for each row of `proofs`, the complements of the zones
            of its lower and upper bound.
        turns: int64 of shape (n, 2): symmetries of the board that preserve the root's empty
            squares, each with its inverse.
        height: height of the board.
        width: width of the board.
    """

    proofs: Proofs
    zones: Any
    turns: Any
    height: int
    width: int


class Seen(NamedTuple):
    """A position in the form of the table: its two words, and the index in `turns` or −1."""

    empty: Bits
    mine: Bits
    turn: int


@helper
def canonical_view(state: AdjacencyState, table: ZonedProofs) -> Seen:
    """Returns the smallest mirror image of a position, without pieces that cannot change sides."""
    empty, mine = state.empty, state.mine & orthogonal(state.empty)
    canonical = Seen(empty, mine, -1)
    for index in range(table.turns.shape[0]):
        turn = table.turns[index, 0]
        other = transformed(empty, turn, table.height, table.width)
        if other <= canonical.empty:
            pieces = transformed(mine, turn, table.height, table.width)
            if other < canonical.empty or pieces < canonical.mine:
                canonical = Seen(other, pieces, index)
    return canonical


@helper
def turned_zone(zone: Bits, seen: Seen, back: int, table: ZonedProofs) -> Bits:
    """Converts a zone from the position's form to the table's form, or back if `back` is 1."""
    if seen.turn < 0:
        return zone
    return transformed(zone, table.turns[seen.turn, back], table.height, table.width)


@helper
def write_squares(state: AdjacencyState, before: int, workspace: Workspace) -> int:
    """Writes the moves with their scores to the row of `ordered`; returns their number.

    `before` is the best move of an earlier search, or −1.
    """
    row = workspace.ordered[state.plies_left]
    count = 0
    rest = state.empty
    while rest != NONE:
        move = lowest(rest)
        rest = without_lowest(rest)
        after = play(state, move)
        lead = count_turned(state, move) - most_around(around(after.theirs), after.empty)
        score = _TURNED_WEIGHT * lead - _EMPTY_WEIGHT * popcount(
            closed_neighbourhood(move) & after.empty
        )
        score += workspace.history[state.plies_left & 1, move]
        if move == before:
            score += _BEST_BEFORE
        row[count] = pack_move(score, move)
        count += 1
    return count


@helper
def cutoff_bonus(state: AdjacencyState, move: int, workspace: Workspace) -> None:
    """Increases the history score of a move that caused a cutoff."""
    history = workspace.history[state.plies_left & 1]
    history[move] += state.plies_left * state.plies_left
    if history[move] > _HISTORY_LIMIT:
        for square in range(64):
            history[square] >>= 1


@kernel
def reaches(state: AdjacencyState, need: int, table: ZonedProofs, workspace: Workspace) -> Verdict:
    """Returns the verdict on the question whether the side to move can still win `need` or more.

    `need` has the parity of the plies left. The result is invalid once `workspace.stop` is set.
    """
    plies = state.plies_left
    if plies == 1:
        return one_left(state, need)
    if plies == 2:
        return two_left(state, need)
    if plies == 3:
        return three_left(state, need, workspace)
    workspace.nodes += 1
    own, other = (plies + 1) // 2, plies // 2
    # Decided by the extreme cases: each move of one side turns the maximum, of the other nothing.
    if should_stop(workspace) or need > MOST_WON * own - other:
        return Verdict(0, NONE)
    if need <= own - MOST_WON * other:
        return Verdict(1, NONE)

    # 1. Use bounds that were proven before.
    seen = canonical_view(state, table)
    known = find_proof(table.proofs, seen.empty, seen.mine)
    lower, upper, before = -MOST_WON * plies, MOST_WON * plies, -1
    lower_zone, upper_zone = ALL, ALL
    # The remaining difference depends on the plies left, so an entry for others is useless.
    if known.move // _PLIES == plies:
        lower, upper, before = known.lower, known.upper, known.move % _PLIES
        row = find_row(table.proofs, seen.empty, seen.mine)
        lower_zone = turned_zone(~table.zones[2 * row], seen, 1, table)
        upper_zone = turned_zone(~table.zones[2 * row + 1], seen, 1, table)
        if lower >= need:
            return Verdict(1, lower_zone)
        if upper < need:
            return Verdict(0, upper_zone)
        before = lowest(turned_zone(bit(before), seen, 1, table))

    # 2. Try the moves until one is sufficient. If the first one fails, ask about a pass.
    zone, refuted = NONE, NONE
    yes = 0
    best = 0
    count = write_squares(state, before, workspace)
    for i in range(count):
        move = take_best(plies, i, count, workspace)
        if refuted & bit(move) != NONE:
            continue
        if i == 0:
            best = move
        after = need_after(need, count_turned(state, move))
        answer = reaches(play(state, move), after, table, workspace)
        if answer.yes == 0:
            yes, best, zone = 1, move, answer.zone | closed_neighbourhood(move)
            cutoff_bonus(state, move, workspace)
            break
        zone |= answer.zone
        if i == 0:
            answer = reaches(after_pass(state), need_after(need, 0), table, workspace)
            # The other side holds even against a pass. So it also holds against every move that
            # turns nothing and lies outside the zone of that answer.
            if answer.yes == 1:
                zone |= answer.zone
                refuted = state.empty & ~around(state.theirs).one & ~answer.zone
        if workspace.stop != 0:
            break
    if workspace.stop != 0:
        return Verdict(0, NONE)

    # 3. Store the proven bounds.
    if yes == 1:
        lower, lower_zone = need, zone
    else:
        upper, upper_zone = need - 2, zone  # differences have the parity of the plies
    best = lowest(turned_zone(bit(best), seen, 0, table))
    # Zones are stored inverted, so that a new table of zeros means "all squares", which is safe.
    proof = Proof(lower, upper, _PLIES * plies + best)
    keep_proof(table.proofs, seen.empty, seen.mine, proof, plies, workspace)
    row = find_row(table.proofs, seen.empty, seen.mine)
    table.zones[2 * row] = ~turned_zone(lower_zone, seen, 0, table)
    table.zones[2 * row + 1] = ~turned_zone(upper_zone, seen, 0, table)
    return Verdict(yes, zone)


@kernel
def copy_zones(old: ZonedProofs, new: ZonedProofs) -> None:
    """Copies the zones of a table into a larger one with the same proofs."""
    words = old.proofs.words
    for row in range(words.size // WORDS):
        facts = words[WORDS * row + 2]
        if facts != NONE:
            empty, mine = position_words(old.proofs, row, facts)
            target = find_row(new.proofs, empty, mine)
            if target >= 0:
                new.zones[2 * target] = old.zones[2 * row]
                new.zones[2 * target + 1] = old.zones[2 * row + 1]


class PartialBoardSolver(Solver):
    """Solves Adjacency with fewer plies left than empty squares."""

    method = "few rounds"

    def __init__(self) -> None:
        self.table: ZonedProofs | None = None

    @classmethod
    def accepts(cls, position: Position) -> bool:
        state = position.state
        return isinstance(state, AdjacencyState) and state.plies_left < popcount(state.empty)

    @classmethod
    def prepare(cls, position: Position) -> None:
        work = Work(position, 1.0)
        table = larger_table(new_table(work), work)
        work.workspace.stop = 1
        reaches(position.state._replace(plies_left=4), 0, table, work.workspace)

    def solve(self, work: Work) -> SolvedRoot:
        state = work.position.state
        present = popcount(state.mine) - popcount(state.theirs)
        to_come = self.exact(work, state)
        if work.every:
            values = {}
            for move in work.position.codes():
                won = 1 + 2 * count_turned(state, move)
                values[move] = present + won - self.exact(work, play(state, move), won - to_come)
            return best_of(values, state.plies_left)
        best = [
            move
            for move in work.position.codes()
            if not self.ask(work, play(state, move), need_after(to_come, count_turned(state, move)))
        ]
        return SolvedRoot(present + to_come, state.plies_left, best, {})

    def exact(self, work: Work, state: AdjacencyState, guess: int | None = None) -> int:
        """Returns the remaining difference with best play, found by null-window searches."""
        plies = state.plies_left
        if plies == 0:
            return 0
        need = plies % 2 if guess is None else guess
        if self.ask(work, state, need):
            while self.ask(work, state, need + 2):
                need += 2
            return need
        while not self.ask(work, state, need - 2):
            need -= 2
        return need - 2

    def ask(self, work: Work, state: AdjacencyState, need: int) -> bool:
        """Returns True if the side to move can still win `need`; the table grows if necessary."""
        if state.plies_left == 0:
            return need <= 0
        if self.table is None:
            self.table = new_table(work)
        while True:
            verdict = reaches(state, need, self.table, work.workspace)
            if work.workspace.stop != FULL:
                work.check()
                return bool(verdict.yes)
            work.workspace.stop = 0
            work.check()
            self.table = larger_table(self.table, work)


def new_table(work: Work) -> ZonedProofs:
    """Returns an empty table for a root.

    Raises:
        Unsolved: the machine does not have enough memory.
    """
    state = work.position.state
    height, width = dimensions(state)
    proofs = new_proofs(work, beside=_ZONE_BYTES)
    return ZonedProofs(proofs, _zones(proofs, work), _turns(state, height, width), height, width)


def larger_table(old: ZonedProofs, work: Work) -> ZonedProofs:
    """Returns a larger table with all entries of the old one."""
    proofs = grow_table(old.proofs, work, beside=_ZONE_BYTES)
    new = old._replace(proofs=proofs, zones=_zones(proofs, work))
    copy_zones(old, new)
    return new


def _zones(proofs: Proofs, work: Work) -> Any:
    return work.array(2 * (int(proofs.mask) + 1), np.uint64)


def _turns(state: AdjacencyState, height: int, width: int) -> Any:
    """Returns the symmetries that preserve the empty squares, except identity, with inverses."""
    pairs = [
        (turn, back)
        for turn in range(1, symmetry_count(state))
        for back in range(1, symmetry_count(state))
        if transformed(state.empty, turn, height, width) == state.empty
        and _undoes(turn, back, height, width)
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _undoes(turn: int, back: int, height: int, width: int) -> bool:
    """Returns True if two symmetries are inverse to each other; two squares suffice as a test."""
    return all(
        transformed(transformed(bit(square), turn, height, width), back, height, width)
        == bit(square)
        for square in (1, ROW)
    )
