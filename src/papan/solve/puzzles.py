"""Puzzles: positions in which exactly one move wins, or exactly one draws, proven.

The positions come from self-play of a shallow search with some random moves, or are given. Of
mirror images, one is used. `Puzzle` has measures of difficulty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from papan.core.game import Displayed, Game, Position
from papan.rules.operations import (
    Evaluation,
    State,
    evaluate_after,
    repetition_limit,
    symmetry_count,
    transform,
)
from papan.rules.solving import exact_key
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.solve.move_values import ProvenMove, move_values

#: Shorter wins are too easy for puzzles.
LEAST_PLIES = 3
MOST_PLIES = 15

#: Node limit for all moves of a position; harder ones are too hard for people.
NODES = 300_000

#: Number of positions in a row without a new puzzle that ends the search.
PATIENCE = 3000

#: Maximum depth of the plain search for grading.
DEEPEST = 8

#: Self-play: search depth, one random move in this number, and maximum plies.
_PLAYED_DEPTH = 2
_ONE_IN = 3
_LONGEST = 300
#: In games with repetitions, random moves are limited to the first plies. Otherwise they undo
#: all progress, and games end in repetitions.
_BY_CHANCE = 30


@dataclass(frozen=True)
class Puzzle(Displayed):
    """A position with one right move, proven.

    Attributes:
        position: the position; its side to move has to find the move.
        move: the only move that reaches the outcome.
        outcome: `win`, or `draw` if no move wins.
        plies: plies to the end with best play; None for a draw.
        depth: plain alpha–beta finds the move at this depth and all greater ones up to `DEEPEST`;
            None if it does not.
        tempting: number of wrong moves that the game's evaluation rates at least as high.
    """

    position: Position
    move: str
    outcome: str
    plies: int | None
    depth: int | None
    tempting: int

    def as_dict(self) -> dict[str, Any]:
        """Returns the puzzle for JSON."""
        return {
            "game": self.position.game.spec,
            "position": str(self.position),
            "side": self.position.side,
            "move": self.move,
            "outcome": self.outcome,
            "plies": self.plies,
            "depth": self.depth,
            "tempting": self.tempting,
        }


def puzzles(
    game: Game,
    *,
    plies: tuple[int, int] = (LEAST_PLIES, MOST_PLIES),
    seed: int = 0,
    positions: Iterable[Position] | None = None,
) -> Iterator[Puzzle]:
    """Yields puzzles without mirror images.

    It ends after `PATIENCE` positions in a row without a puzzle, or at the end of the given
    positions.

    Args:
        game: the game.
        plies: minimum and maximum length of a win; draws have none.
        seed: seed of the games; the same seed creates the same puzzles.
        positions: positions to examine instead of self-play.
    """
    met, vain = set[Any](), 0
    for position in own_positions(game, Random(seed)) if positions is None else positions:
        vain += 1
        look = _look(position.state)
        if look not in met and position.outcome() is None:
            met.add(look)
            puzzle = puzzle_at(position, plies)
            if puzzle is not None:
                vain = 0
                yield puzzle
        if positions is None and vain >= PATIENCE:
            return


def puzzle_at(position: Position, plies: tuple[int, int]) -> Puzzle | None:
    """Returns the puzzle of a position; None if it is not a puzzle, or takes too long to prove.

    The puzzle has no history.
    """
    position = Position.unchecked(position.game, position.state)
    values = move_values(position, limit=Limit(nodes=NODES))
    right = only_move(values)
    if right is None or right.outcome is None:
        return None
    if right.plies is not None and not plies[0] <= right.plies <= plies[1]:
        return None
    depth = depth_of(position, right.move)
    tempting = _tempting(position, right.move)
    return Puzzle(position, right.move, right.outcome, right.plies, depth, tempting)


def only_move(values: Iterable[ProvenMove]) -> ProvenMove | None:
    """Returns the only move that wins, or that draws if none wins; None if there is no such
    move."""
    known = list(values)
    outcomes = [value.outcome for value in known]
    for outcome in ("win", "draw"):
        if None in outcomes or len(known) < 2:
            return None
        if outcome in outcomes:
            return known[outcomes.index(outcome)] if outcomes.count(outcome) == 1 else None
    return None


def depth_of(position: Position, move: str) -> int | None:
    """Returns the lowest depth from which alpha–beta always plays the move; None if there is
    none."""
    least: int | None = None
    for depth in range(1, DEEPEST + 1):
        result = search(position, Limit(depth=depth), algorithm=algorithm("alphabeta"))
        if result.move != move:
            least = None
        elif least is None:
            least = depth
    return least


def own_positions(game: Game, chance: Random) -> Iterator[Position]:
    """Yields positions of endless self-play, the last ones of each game first."""
    while True:
        line = [game.start()]
        may_return = repetition_limit(line[0].state) > 0
        while line[-1].outcome() is None and len(line) <= _LONGEST:
            if may_return and len(line) > _BY_CHANCE:
                move = _choose_move(line[-1], game.strongest_evaluation)
            else:
                move = _play_shallow(line[-1], chance)
            line.append(line[-1].play(move))
        yield from line[-2::-1]


def _play_shallow(position: Position, chance: Random) -> str:
    """Returns the move of a shallow search, sometimes a random one."""
    if chance.randrange(_ONE_IN) == 0:
        return chance.choice(position.moves())
    return _choose_move(position, position.game.default_evaluation)


def _choose_move(position: Position, evaluation: Evaluation) -> str:
    """Returns the move of a shallow search."""
    limit, plain = Limit(depth=_PLAYED_DEPTH), algorithm("alphabeta")
    result = search(position, limit, algorithm=plain, evaluation=evaluation)
    return result.move or position.moves()[0]


def _tempting(position: Position, right: str) -> int:
    """Returns the number of moves that the evaluation rates at least as high as the right one."""
    evaluation = position.game.default_evaluation
    looks = {
        position.game.write_move(code): int(evaluate_after(evaluation, position.state, code, 0))
        for code in position.codes()
    }
    return sum(looks[move] >= looks[right] for move in looks) - 1


def _look(state: State) -> tuple[int, ...]:
    """Returns words that are equal for all mirror images of a position."""
    images = (transform(state, index) for index in range(symmetry_count(state)))
    return min(tuple(int(word) for word in exact_key(image)) for image in images)
