"""Compiled self-play and learning: one kernel plays games and learns from them.

A shallow search plays the games. Its tables are fixed during a batch; learning changes
full-precision weights, from which the tables of the next batch are made. After each game its
positions are learned in reverse order. The target of a position combines its search value with the
later course of the game; the combination is a technique with its own type (`next_target`).

Sources: Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3,
1988; Beal & Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999; Veness et
al., "Bootstrapping from game tree search", NIPS 2009.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from papan.jit.compiler import kernel
from papan.learn.ntuple import SCALE, note
from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    INFINITY,
    Evaluation,
    State,
    final_value,
    head,
    is_win_distance,
    key,
    more,
    moves,
    play,
    side_to_move,
    tail,
)
from papan.rules.splitmix import GOLDEN, below, scramble
from papan.search.alphabeta.negamax import negamax
from papan.search.alphabeta.techniques import Techniques
from papan.search.workspace import SEEN_SLOTS, Workspace, enter, is_forbidden_after, leave, repeats

Array = np.ndarray[Any, Any]

#: Maximum number of learned plies per game; a longer game ends with the search value of its last
#: position.
LONGEST = 400

# --- targets -------------------------------------------------------------------------------------


class TraceTarget(NamedTuple):
    """TD(λ): combines the result and the later search values; nearer positions count more.

    Attributes:
        decay: λ; 1 uses only the result, 0 only the next position.
    """

    decay: float


class SearchTarget(NamedTuple):
    """The search value of the position itself, as in RootStrap."""


class ResultTarget(NamedTuple):
    """The result of the game alone."""


@operation
def next_target(target: Any, later: float, searched: float) -> float:
    """Returns the learning target of a position, in x's view.

    Args:
        target: the technique.
        later: target of the next position, or the result at the end of the game.
        searched: search value of the position.
    """


@next_target.register(TraceTarget)
def _(target: TraceTarget, later: float, searched: float) -> float:
    return target.decay * later + (1.0 - target.decay) * searched


@next_target.register(SearchTarget)
def _(target: SearchTarget, later: float, searched: float) -> float:
    return searched


@next_target.register(ResultTarget)
def _(target: ResultTarget, later: float, searched: float) -> float:
    return later


# --- state of a batch ----------------------------------------------------------------------------


class SelfPlaySettings(NamedTuple):
    """Settings of self-play.

    Attributes:
        games: number of games in a batch.
        depth: search depth of each move in plies, at least 1.
        openings: maximum number of random opening moves, which are not learned.
        chance: share of random moves after the opening (0 … 1).
        rate: maximum change of a value towards its target, as a share (0 … 1) of the error.
        margin: number of points that count as 1; 0 in games that are won or lost.
    """

    games: int
    depth: int
    openings: int
    chance: float
    rate: float
    margin: float


class LearnerState(NamedTuple):
    """Weights, and the work arrays of a batch.

    Attributes:
        weights: float32 (rows, weights, 4): for each weight its value (a logit, or a multiple of
            `SelfPlaySettings.margin`), the sum of its errors, the sum of their absolute values, and
            an unused element. The step of a weight is multiplied by |sum of errors| ÷ sum of
            absolute values, so it shrinks when errors cancel out (temporal coherence).
        cells: int32 (entries, 2 or 4): the weights of each entry (`Features`).
        noted: int32 (LONGEST, tuples): entries of each position of a game.
        rows: int32 (LONGEST,): row of weights of each position.
        sides: int8 (LONGEST,): side to move of each position.
        values: float64 (LONGEST,): search value of each position, x's view.
        cuts: int8 (LONGEST,): 1 after a random move.
        random: uint64 (1,): state of the random numbers.
        totals: float64 (5,): games, plies, learned positions, sum of absolute errors, and positions
            visited by searches.
    """

    weights: Array
    cells: Array
    noted: Array
    rows: Array
    sides: Array
    values: Array
    cuts: Array
    random: Array
    totals: Array


@helper
def number_below(random: Any, count: int) -> int:
    """Returns a random integer from 0 to `count` − 1."""
    random[0] += GOLDEN
    return below(scramble(random[0]), count)


@helper
def expectation(state: State, value: int, margin: float) -> float:
    """Returns a search value as the expected score (0 … 1), or as a multiple of `margin`."""
    if margin > 0.0:
        return value / (SCALE * margin)
    if is_win_distance(state, value):
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-value / SCALE))


@helper
def end_score(state: State, margin: float) -> float:
    """Returns the score of a finished game from the side to move's view, or the multiple of
    `margin`.
    """
    value = final_value(state)
    if margin > 0.0:
        return value / margin
    return 1.0 if value > 0 else 0.0 if value < 0 else 0.5


@helper
def seen_by(side: int, score: float, margin: float) -> float:
    """Converts a score between the view of `side` and x's view, in either direction."""
    if side == 0:
        return score
    return -score if margin > 0.0 else 1.0 - score


# --- one game ------------------------------------------------------------------------------------


@helper
def random_legal_move(state: State, own: np.uint64, random: Any, workspace: Workspace) -> int:
    """Returns a random legal move of a position not yet on the path; −1 if there is none."""
    enter(state, own, 0, workspace)
    chosen, allowed = -1, 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if not is_forbidden_after(state, own, move, 0, workspace):
            allowed += 1
            if number_below(random, allowed) == 0:
                chosen = move
    leave(state, 0, workspace)
    return chosen


@kernel
def best_move(
    state: State,
    own: np.uint64,
    evaluation: Evaluation,
    depth: int,
    techniques: Techniques,
    workspace: Workspace,
) -> tuple[int, int]:
    """Returns the move that a search finds (−1 for none) and its value, side to move's view."""
    # A literal has a type of its own in numba, which crashes when loaded from the cache.
    ply: Any = np.int64(0)
    low: Any = np.int64(-INFINITY)
    high: Any = np.int64(INFINITY)
    value = negamax(state, own, evaluation, depth, ply, (low, high), techniques, workspace)
    return (workspace.pv[0, 0] if workspace.pv_length[0] > 0 else -1), value


@helper
def step(state: State, own: np.uint64, move: int, workspace: Workspace) -> State:
    """Returns the state after a move, and puts the state before it on the path."""
    enter(state, own, 0, workspace)
    workspace.root += 1
    return play(state, move)


@helper
def clear_path(workspace: Workspace) -> None:
    """Removes the whole game from the path."""
    workspace.root = 0
    workspace.nodes = 0
    workspace.path_dependent = 0
    for slot in range(SEEN_SLOTS):
        workspace.seen[slot] = 0


@kernel
def self_play(
    start: State,
    evaluation: Evaluation,
    reader: Any,
    learner: LearnerState,
    target: Any,
    settings: SelfPlaySettings,
    techniques: Techniques,
    workspace: Workspace,
) -> None:
    """Plays a batch of games against itself and learns from each game.

    After a stop, the current game gets the value of its last searched position, and the batch ends.
    """
    for _ in range(settings.games):
        clear_path(workspace)
        state, count, ply, result, known = start, 0, 0, 0.5, 0
        opening = number_below(learner.random, settings.openings + 1)
        # 1. Play one game; remember each position after the random opening.
        while count < LONGEST and workspace.stop == 0:
            own = key(state)
            if repeats(state, own, 0, workspace):
                result, known = 0.0 if settings.margin > 0.0 else 0.5, 1
                break
            chance_move = random_legal_move(state, own, learner.random, workspace)
            if chance_move < 0:
                side = side_to_move(state)
                result, known = seen_by(side, end_score(state, settings.margin), settings.margin), 1
                break
            move = chance_move
            if ply >= opening:
                best, value = best_move(
                    state, own, evaluation, settings.depth, techniques, workspace
                )
                if workspace.stop != 0:  # an interrupted search has no reliable value
                    break
                side = side_to_move(state)
                score = expectation(state, value, settings.margin)
                is_random = number_below(learner.random, 1 << 20) < settings.chance * (1 << 20)
                move = chance_move if is_random or best < 0 else best
                learner.rows[count] = note(reader, state, learner.noted[count])
                learner.sides[count] = side
                learner.values[count] = seen_by(side, score, settings.margin)
                learner.cuts[count] = 1 if move != best else 0
                count += 1
            state = step(state, own, move, workspace)
            ply += 1
        learner.totals[4] += workspace.nodes
        # 2. Value an unfinished game by its last search.
        if known == 0:
            if count == 0:
                return
            result = learner.values[count - 1]
        # 3. Learn from the remembered positions.
        learner.totals[0] += 1
        learner.totals[1] += ply
        look_back(learner, target, settings, count, result)


@helper
def look_back(
    learner: LearnerState, target: Any, settings: SelfPlaySettings, count: int, result: float
) -> None:
    """Learns from the positions of a game, last position first; `result` is from x's view."""
    later = result
    for index in range(count - 1, -1, -1):
        searched = learner.values[index]
        # After a random move the later course says nothing about this position.
        later = searched if learner.cuts[index] == 1 else next_target(target, later, searched)
        target_value = seen_by(learner.sides[index], later, settings.margin)
        learn_one(learner, index, target_value, settings)
    learner.totals[2] += count


@helper
def learn_one(
    learner: LearnerState, index: int, target_value: float, settings: SelfPlaySettings
) -> None:
    """Moves the weights of a position towards its target."""
    row, total, tuples = learner.rows[index], 0.0, learner.noted.shape[1]
    kinds = learner.cells.shape[1]
    for number in range(tuples):
        entry = learner.noted[index, number]
        for kind in range(kinds):
            total += learner.weights[row, learner.cells[entry, kind], 0]
    error = target_value - (total if settings.margin > 0.0 else 1.0 / (1.0 + math.exp(-total)))
    learner.totals[3] += abs(error)
    change, single_error = (
        np.float32(2.0 * settings.rate * error / (kinds * tuples)),
        np.float32(error),
    )
    for number in range(tuples):
        entry = learner.noted[index, number]
        for kind in range(kinds):
            adjust(learner.weights, row, learner.cells[entry, kind], single_error, change)


@helper
def adjust(weights: Array, row: int, weight: int, error: Any, change: Any) -> None:
    """Changes one weight; the step shrinks if its past errors had different signs."""
    size = weights[row, weight, 2]
    if size > np.float32(0.0):
        change = change * abs(weights[row, weight, 1]) / size
    weights[row, weight, 0] += change
    weights[row, weight, 1] += error
    weights[row, weight, 2] = size + abs(error)
