"""Puzzles: positions with exactly one winning move, or exactly one move that saves a draw, proven.

The positions come from self-play of a shallow search with occasional random moves, or from the
caller. Only one of several mirror images is used. The difficulty of a puzzle is measured: see
`Puzzle`.
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

#: Limits of a win's length in plies. Shorter wins are too easy for a puzzle.
LEAST_PLIES = 3
MOST_PLIES = 15

#: Node limit for all moves of a position; harder positions are not suitable for people.
NODES = 300_000

#: Number of successive positions without a new puzzle after which the search for puzzles stops.
PATIENCE = 3000

#: Largest depth of the plain search that grades a puzzle.
DEEPEST = 8

#: Self-play: search depth, one random move in this number of moves, largest number of plies.
_PLAYED_DEPTH = 2
_ONE_IN = 3
_LONGEST = 300
#: Plies with random moves in games with a repetition rule. Later random moves would undo progress,
#: so that games end in repetitions.
_BY_CHANCE = 30


@dataclass(frozen=True)
class Puzzle(Displayed):
    """A position with one right move, proven.

    Attributes:
        position: the position; the side to move must find the move.
        move: the only move that reaches the outcome.
        outcome: `win`, or `draw` if no move wins.
        plies: plies to the end of the game with best play; None for a draw.
        depth: smallest depth from which plain alpha–beta always finds the move, up to `DEEPEST`;
            None if there is no such depth.
        tempting: number of wrong moves whose evaluation is at least as good.
    """

    position: Position
    move: str
    outcome: str
    plies: int | None
    depth: int | None
    tempting: int

    def as_dict(self) -> dict[str, Any]:
        """Returns the puzzle as in JSON."""
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
    """Yields puzzles that are not mirror images of one another.

    Stops after `PATIENCE` successive positions without a puzzle, or at the end of the given
    positions.

    Args:
        game: the game.
        plies: smallest and largest length of a win; draws have none.
        seed: seed of the self-play games; the same seed gives the same puzzles.
        positions: positions to examine instead of self-play games.
    """
    seen, failures = set[Any](), 0
    for position in own_positions(game, Random(seed)) if positions is None else positions:
        failures += 1
        look = _look(position.state)
        if look not in seen and position.outcome() is None:
            seen.add(look)
            puzzle = puzzle_at(position, plies)
            if puzzle is not None:
                failures = 0
                yield puzzle
        if positions is None and failures >= PATIENCE:
            return


def puzzle_at(position: Position, plies: tuple[int, int]) -> Puzzle | None:
    """Returns the puzzle at a position; None if there is none.

    A position whose proof takes too long is not used. The puzzle starts without history.
    """
    # The line of a puzzle has no history, so its proof must not depend on one.
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
    """Returns the only winning move, or the only drawing move if no move wins; else None."""
    known = list(values)
    outcomes = [value.outcome for value in known]
    # An unknown value could be a second right move.
    for outcome in ("win", "draw"):
        if None in outcomes or len(known) < 2:
            return None
        if outcome in outcomes:
            return known[outcomes.index(outcome)] if outcomes.count(outcome) == 1 else None
    return None


def depth_of(position: Position, move: str) -> int | None:
    """Returns the smallest depth from which alpha–beta always plays the move, if there is one."""
    least: int | None = None
    for depth in range(1, DEEPEST + 1):
        result = search(position, Limit(depth=depth), algorithm=algorithm("alphabeta"))
        if result.move != move:
            least = None
        elif least is None:
            least = depth
    return least


def own_positions(game: Game, chance: Random) -> Iterator[Position]:
    """Yields the positions of an endless series of self-play games.

    The last positions of each game come first.
    """
    while True:
        line = [game.start()]
        may_return = repetition_limit(line[0].state) > 0
        while line[-1].outcome() is None and len(line) <= _LONGEST:
            if may_return and len(line) > _BY_CHANCE:
                move = _choose_move(line[-1], game.strongest_evaluation)
            else:
                move = _play_shallow(line[-1], chance)
            line.append(line[-1].play(move))
        # Without the last position, which is usually over. Near the end, proofs need fewer nodes.
        yield from line[-2::-1]


def _play_shallow(position: Position, chance: Random) -> str:
    """Returns the move of a shallow search, or sometimes a random move."""
    if chance.randrange(_ONE_IN) == 0:
        return chance.choice(position.moves())
    return _choose_move(position, position.game.default_evaluation)


def _choose_move(position: Position, evaluation: Evaluation) -> str:
    """Returns the move of a shallow search."""
    limit, plain = Limit(depth=_PLAYED_DEPTH), algorithm("alphabeta")
    result = search(position, limit, algorithm=plain, evaluation=evaluation)
    return result.move or position.moves()[0]


def _tempting(position: Position, right: str) -> int:
    """Returns the number of wrong moves whose evaluation is at least as good as the right one's."""
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
