"""Compiled matches of two evaluations at a fixed number of positions per move.

Both evaluations play by the same search, so that a match compares nothing else. Fixed numbers of
positions make a match the same on each machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.jit.compiler import kernel
from papan.learn.self_play import LONGEST, best_move, clear_path, random_legal_move, step
from papan.learn.threads import run_threads
from papan.rules.dispatch import helper
from papan.rules.operations import (
    MAX_PLY,
    Evaluation,
    State,
    final_value,
    is_win_distance,
    key,
    max_plies_left,
    side_to_move,
)
from papan.rules.splitmix import numbers
from papan.search.alphabeta.order import BestFirst
from papan.search.alphabeta.techniques import NullWindow, Techniques
from papan.search.workspace import HISTORY_MOVES, Workspace, new_workspace, repeats
from papan.stats.counts import Pentanomial, Trinomial

#: The search of both evaluations. A transposition table would have to be emptied for each move,
#: because the values of one evaluation are wrong for the other.
TECHNIQUES = Techniques(order=BestFirst(), window=NullWindow())

#: Elements of a tally: games won, drawn and lost; pairs by their half points (0 … 4); positions
#: visited; state of the random numbers.
_PAIRS, _NODES, _RANDOM = 3, 8, 9

Array = np.ndarray[Any, Any]


class MatchRules(NamedTuple):
    """Settings of a match of two evaluations.

    Attributes:
        pairs: number of openings; each is played twice, with sides exchanged.
        nodes: positions per move; see `deepened_move`.
        openings: number of random opening moves.
    """

    pairs: int
    nodes: int
    openings: int


@kernel
def deepened_move(
    state: State,
    own: np.uint64,
    evaluation: Evaluation,
    nodes: int,
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """Returns the move of the deepest search, −1 for none.

    The search deepens from one ply on while it has visited fewer than `nodes` positions, at most up
    to the end of the game. The last depth is always finished, so a move takes a few times `nodes`.
    """
    begun: Any = workspace.nodes
    best, depth, deepest = -1, 1, min(max_plies_left(state), MAX_PLY)
    while depth == 1 or (depth <= deepest and workspace.nodes - begun < nodes):
        move, value = best_move(state, own, evaluation, depth, techniques, workspace)
        if workspace.stop != 0:  # an interrupted search has no reliable move
            break
        best, depth = move, depth + 1
        if is_win_distance(state, value):
            break
    return best


@helper
def clear_ordering(workspace: Workspace) -> None:
    """Resets killers and history, so that equal players play the same games of a pair."""
    for ply in range(MAX_PLY):
        workspace.killers[ply, 0] = -1
        workspace.killers[ply, 1] = -1
    for side in range(2):
        for move in range(HISTORY_MOVES):
            workspace.history[side, move] = 0


@kernel
def duel(
    start: State,
    first: Evaluation,
    second: Evaluation,
    techniques: Techniques,
    rules: MatchRules,
    tally: Array,
    workspace: Workspace,
) -> None:
    """Plays game pairs between two evaluations and counts the results.

    Adds to `tally`, int64 (10,): games won, drawn and lost by the first evaluation, pairs by their
    half points, positions visited; the last element is the state of the random numbers. After a
    stop, the current pair does not count.
    """
    random = tally[_RANDOM:].view(np.uint64)
    for _ in range(rules.pairs):
        opening, points, lead = random[0], 2, 0
        for swapped in range(2):
            # The same random numbers in both games of a pair give the same opening.
            random[0] = opening
            clear_path(workspace)
            clear_ordering(workspace)
            state, ply, result = start, 0, 0
            while ply < LONGEST:
                own, side = key(state), side_to_move(state)
                if repeats(state, own, 0, workspace):
                    break
                move = random_legal_move(state, own, random, workspace)
                if move < 0:
                    value = final_value(state)
                    result = (value > 0) - (value < 0)
                    result = result if side == swapped else -result
                    break
                if ply >= rules.openings:
                    if side == swapped:
                        best = deepened_move(state, own, first, rules.nodes, techniques, workspace)
                    else:
                        best = deepened_move(state, own, second, rules.nodes, techniques, workspace)
                    move = best if best >= 0 else move
                if workspace.stop != 0:
                    return
                state = step(state, own, move, workspace)
                ply += 1
            tally[_NODES] += workspace.nodes
            points += result
            lead = result if swapped == 0 else lead
        tally[1 - lead] += 1
        tally[1 - (points - 2 - lead)] += 1
        tally[_PAIRS + points] += 1


class EvaluationMatch:
    """A match of two evaluations of a game, played in parts.

    Args:
        game: the rules.
        first: the evaluation whose results are counted.
        second: its opponent.
        rules: the settings; the pairs are those of each part.
        seed: seed of the openings.
        threads: number of threads; each plays other openings.
    """

    def __init__(
        self,
        game: Game,
        first: Evaluation,
        second: Evaluation,
        rules: MatchRules,
        *,
        seed: int,
        threads: int = 1,
    ) -> None:
        self.game, self.evaluations = game, (first, second)
        self._rules = rules
        self._tallies = np.zeros((threads, _RANDOM + 1), dtype=np.int64)
        self._tallies[:, _RANDOM] = numbers(seed, threads).view(np.int64)
        self._workspaces = [new_workspace(game.start()) for _ in range(threads)]

    def play(self, pairs: int, seconds: float | None = None) -> None:
        """Plays more pairs in each thread; with 0, only compiles the kernel.

        Args:
            pairs: number of pairs of each thread.
            seconds: time limit, which may end a pair early; None without a limit.
        """
        start, rules = self.game.start_state(), self._rules._replace(pairs=pairs)

        def play(index: int) -> None:
            tally, workspace = self._tallies[index], self._workspaces[index]
            duel(start, *self.evaluations, TECHNIQUES, rules, tally, workspace)

        if pairs > 0:
            run_threads(play, self._workspaces, self.game.start(), seconds)
        else:
            play(0)

    @property
    def games(self) -> Trinomial:
        """Results of the first evaluation, game by game."""
        won, drawn, lost = self._tallies.sum(axis=0)[:_PAIRS].tolist()
        return Trinomial(won, drawn, lost)

    @property
    def pairs(self) -> Pentanomial:
        """Results of the first evaluation in complete pairs."""
        return Pentanomial(*self._tallies.sum(axis=0)[_PAIRS:_NODES].tolist())

    @property
    def visited(self) -> int:
        """Number of positions visited by the searches."""
        return int(self._tallies[:, _NODES].sum())
