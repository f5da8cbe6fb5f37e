"""First answers without compiled code, so that nobody waits for the compiler.

In most games a small search in plain Python is fast enough. In games with many moves, its kernels
would take minutes, so each move is evaluated once instead.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from papan.core.game import Position
from papan.players.local_search import value_after
from papan.rules.operations import Evaluation, order_hint
from papan.search.result import Bound, Line, SearchResult

if TYPE_CHECKING:
    from papan.jit.interpreter import FirstAnswer

#: Maximum time in plain Python, in seconds.
PLAIN_SECONDS = 1.0

#: Maximum number of moves that are evaluated; Amazons has 2176, and a move takes half a
#: millisecond.
MOST_EVALUATED = 300


@contextmanager
def first_answer(position: Position) -> Iterator[FirstAnswer]:
    """Compiles nothing inside. In games with many moves, the block ends at the first kernel without
    machine code."""
    from papan.jit.interpreter import FEW_MOVES, without_compiling

    # Players are prepared at the start of the game.
    most = max(len(position.codes()), len(position.game.start().codes()))
    with without_compiling(runs=most <= FEW_MOVES) as first:
        yield first


def evaluate_moves(
    position: Position, evaluation: Evaluation, *, seed: int, lines: int = 1
) -> SearchResult:
    """Returns the move with the best evaluation one ply ahead, in plain Python.

    Of many moves, only a random sample is evaluated.

    Args:
        position: an unfinished position.
        evaluation: the evaluation of unfinished games.
        seed: seed of the sample and of the choice among equal moves with equal hints.
        lines: number of moves in the result's lines.
    """
    began, until = time.perf_counter(), time.process_time() + PLAIN_SECONDS
    codes, values = position.codes(), dict[int, float]()
    for code in Random(seed).sample(codes, min(len(codes), MOST_EVALUATED)):
        values[code] = value_after(position, evaluation, code)
        if time.process_time() > until:  # slow rules
            break
    best = sorted(values, key=lambda code: (-values[code], -order_hint(position.state, code)))
    write = position.game.write_move
    found = tuple(Line(values[code], (write(code),)) for code in best[:lines])
    return SearchResult(
        position=position,
        algorithm="",
        move=found[0].moves[0],
        value=found[0].value,
        bound=Bound.EXACT,
        depth=1,
        nodes=len(values),
        seconds=time.perf_counter() - began,
        pv=found[0].moves,
        proven=False,
        lines=found if lines > 1 else (),
    )
