"""The kernels of a game's module, and the arguments to compile them for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.core.game import Game
from papan.engine import Engine
from papan.jit.compiler import kernel
from papan.learn import choice
from papan.rules import operations as rules
from papan.rules.fields import put_words
from papan.rules.operations import (
    Evaluation,
    State,
    evaluate,
    fact,
    final_value,
    head,
    is_over,
    max_plies_left,
    more,
    moves,
    play,
    repetition_is_forbidden,
    repetition_limit,
    side_to_move,
    tail,
    win_value,
)
from papan.rules.repetition import next_position_key, position_key
from papan.search.algorithm import OPEN_WINDOW, Task
from papan.search.alphabeta.negamax import negamax_root
from papan.search.alphabeta.techniques import new_team
from papan.search.board_changes import list_changes
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.mcts.uct import simulate
from papan.search.perft import count_allowed, count_leaves
from papan.solve.proof_table import Proofs, copy_proofs
from papan.solve.prove import prove

#: The numbers of `describe`, in order; the game's facts follow.
FACTS = ("over", "final", "side", "pliesLeft", "win", "repetition", "value")
#: Its keys, in order.
KEYS = ("key", "positionKey")

Entries = Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]


@kernel
def describe(
    state: State, evaluation: Evaluation, numbers: NDArray[np.int64], keys: NDArray[np.uint64]
) -> int:
    """Writes what a page must know about a position; returns 0.

    Args:
        state: the position.
        evaluation: the evaluation of unfinished games.
        numbers: gets the numbers of `FACTS`, then the game's own facts.
        keys: gets the keys of `KEYS`.
    """
    over = is_over(state)
    numbers[0] = over
    numbers[1] = final_value(state) if over or repetition_is_forbidden(state) else 0
    numbers[2] = side_to_move(state)
    numbers[3] = max_plies_left(state)
    numbers[4] = win_value(state)
    numbers[5] = repetition_limit(state)
    numbers[6] = 0 if over else evaluate(evaluation, state)
    for index in range(7, len(numbers)):
        numbers[index] = fact(state, index - 7)
    keys[0] = rules.key(state)
    keys[1] = position_key(state)
    return 0


@kernel
def list_moves(
    state: State, key: np.uint64, found: NDArray[np.int64], keys: NDArray[np.uint64]
) -> int:
    """Lists the legal moves of a position, and the position keys after them; returns their number.

    Moves beyond the length of the lists are only counted.
    """
    count = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if count < len(found):
            found[count] = move
            keys[count] = next_position_key(state, key, move)
        count += 1
    return count


@kernel
def play_move(state: State, move: int, words: NDArray[np.uint64]) -> int:
    """Writes the fields of the state after a legal move; returns 0."""
    put_words(play(state, move), words, 0)
    return 0


def entries_of(game: Game) -> Entries:
    """Returns the kernels of a game's module with arguments of their types.

    The leaves of the arguments are also the values that a page does not set.
    """
    position = game.start()
    task = Task(position, game.default_evaluation, Limit(depth=1), Stop())
    state, key, workspace = task.state, task.key, task.workspace
    evaluation = choice.strongest(game)
    ints, words = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    rows = np.zeros((1, 2), np.int64), np.zeros((1, 4), np.int64)
    engine, mcts = Engine(slots=2), Mcts(memory=0.01)
    techniques = engine.techniques_for(state)
    proofs = Proofs(words, np.uint64(0), ints, new_team(), 0)
    forbids = repetition_is_forbidden(state)
    perft = (count_allowed, (state, key, 1, 0, workspace)) if forbids else (
        count_leaves, (state, 1, workspace)
    )  # fmt: skip
    settings = mcts.settings(task)
    root = (state, key, evaluation)
    entries: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        "describe": (describe, (state, evaluation, ints, words)),
        "moves": (list_moves, (state, key, ints, words)),
        "play": (play_move, (state, 0, words)),
        "changes": (list_changes, (state, ints, *rows)),
        "perft": perft,
        "search": (negamax_root, (*root, 1, OPEN_WINDOW, ints, techniques, workspace)),
        "simulate": (simulate, (state, key, mcts.tree, task.evaluation, settings, 1, workspace)),
    }
    if not forbids:
        entries["prove"] = (prove, (state, 0, 0, proofs, workspace))
        entries["copyProofs"] = (copy_proofs, (proofs, proofs, workspace))
    return entries
